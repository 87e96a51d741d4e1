package io.pmstore.proxy.layer.far;

/** A public class with a package-private superclass. */
public class Account extends Middle {
  private int number = 12;

  @Override
  public String describe() {
    return number + " " + super.describe();
  }
}
