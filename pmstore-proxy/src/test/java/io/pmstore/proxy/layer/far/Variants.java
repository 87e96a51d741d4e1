package io.pmstore.proxy.layer.far;

import io.pmstore.Persistent;

/** Has a private constructor without parameters, as a sealed class of Kotlin has. */
@Persistent
public abstract class Variants {
  private final String name;

  @SuppressWarnings("unused") // the JVM finds it
  private Variants() {
    this("none");
  }

  Variants(String name) {
    this.name = name;
  }

  public String getName() {
    return name;
  }
}
