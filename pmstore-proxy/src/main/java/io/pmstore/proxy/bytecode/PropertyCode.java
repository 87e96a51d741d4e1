package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.SlotKind;

/**
 * How generated accessors name a property to the object layer: its kind in the high 8 bits, so that
 * most reads need no look at the object's shape, and its index in the shape in the others.
 */
public final class PropertyCode {
  private static final int KIND_SHIFT = 24;

  private PropertyCode() {}

  /**
   * Makes a code.
   *
   * @param kind how the property lies in the object
   * @param index of the property in its shape
   * @return the code
   */
  public static int of(SlotKind kind, int index) {
    return kind.code() << KIND_SHIFT | index;
  }

  /**
   * The kind in a code.
   *
   * @param code the code
   * @return how the property lies in the object
   */
  public static SlotKind kind(int code) {
    return SlotKind.ofCode(code >>> KIND_SHIFT);
  }

  /**
   * The index in a code.
   *
   * @param code the code
   * @return the property's place in its shape
   */
  public static int index(int code) {
    return code & ((1 << KIND_SHIFT) - 1);
  }
}
