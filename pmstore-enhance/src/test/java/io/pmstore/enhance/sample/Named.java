package io.pmstore.enhance.sample;

/** A superclass without annotation, whose field is persistent in what extends it. */
abstract class Named {
  private String name;

  /** Assigns its field before it calls the other constructor. */
  Named(String name) {
    this.name = name;
    super();
  }

  Named() {
    this("unnamed");
  }

  public String name() {
    return name;
  }

  public void name(String newName) {
    name = newName;
  }
}
