package io.pmstore.proxy.layer.far;

/** Has a field for subclasses in other packages. */
public class Measured {
  protected long size = 3;

  public void grow() {
    size++;
  }
}
