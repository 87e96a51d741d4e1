package io.pmstore.proxy.identity;

/** A class whose accessors cannot be overridden in another package. */
public class PackagePrivateAccessors {
  private int x;

  int getX() {
    return x;
  }

  void setX(int x) {
    this.x = x;
  }
}
