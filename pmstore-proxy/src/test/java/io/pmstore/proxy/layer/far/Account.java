package io.pmstore.proxy.layer.far;

/** A public class with a package-private one above it. */
public class Account extends Middle {
  private int number = 12;

  @Override
  public String describe() {
    return number + " " + super.describe();
  }
}
