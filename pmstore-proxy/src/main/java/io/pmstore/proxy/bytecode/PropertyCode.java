package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.SlotKind;

/**
 * The code by which generated accessors name a property: its kind in the high 8 bits, so that most
 * reads need no look at the shape, and its index in the shape in the others.
 */
public final class PropertyCode {
  private static final int KIND_SHIFT = 24;

  private PropertyCode() {}

  public static int of(SlotKind kind, int index) {
    return kind.code() << KIND_SHIFT | index;
  }

  public static SlotKind kind(int code) {
    return SlotKind.ofCode(code >>> KIND_SHIFT);
  }

  /** Returns the index of the property in its shape. */
  public static int index(int code) {
    return code & ((1 << KIND_SHIFT) - 1);
  }
}
