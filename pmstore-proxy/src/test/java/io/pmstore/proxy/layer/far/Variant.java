package io.pmstore.proxy.layer.far;

import io.pmstore.Persistent;

/** A class without a constructor without parameters, below one that has a private one. */
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
