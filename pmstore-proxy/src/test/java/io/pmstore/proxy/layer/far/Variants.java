package io.pmstore.proxy.layer.far;

import io.pmstore.Persistent;

/** A class with a private constructor without parameters, as Kotlin makes for a sealed class. */
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
