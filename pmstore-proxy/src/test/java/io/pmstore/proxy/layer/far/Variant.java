package io.pmstore.proxy.layer.far;

import io.pmstore.Persistent;

/** Has no constructor without parameters. */
@Persistent
public class Variant extends Variants {
  private long size;

  public Variant(long size) {
    super("variant");
    this.size = size;
  }

  public long getSize() {
    return size;
  }

  public void setSize(long size) {
    this.size = size;
  }
}
