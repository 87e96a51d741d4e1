package io.pmstore.proxy.bytecode;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanProperty;

/**
 * The code by which accessors name a property, so that most reads need no look at the shape: its
 * kind in the high 8 bits, one bit that is set if its collection {@linkplain
 * io.pmstore.proxy.bean.ElementClasses shows its elements as another class}, and its index in the
 * shape.
 */
public final class PropertyCode {
  private static final int KIND_SHIFT = 24;
  private static final int SHOWS_ELEMENTS = 1 << 23;

  private PropertyCode() {}

  /** Returns the code of a property of a class. */
  public static int of(BeanProperty property, int index) {
    int code = of(property.kind(), index);
    return property.elements() == null ? code : code | SHOWS_ELEMENTS;
  }

  /** Returns the code of a property whose elements, if it has any, are shown as they are stored. */
  public static int of(SlotKind kind, int index) {
    return kind.code() << KIND_SHIFT | index;
  }

  public static SlotKind kind(int code) {
    return SlotKind.ofCode(code >>> KIND_SHIFT);
  }

  /** Returns true if the elements of the property's collection are shown as another class. */
  public static boolean showsElements(int code) {
    return (code & SHOWS_ELEMENTS) != 0;
  }

  /** Returns the index of the property in its shape. */
  public static int index(int code) {
    return code & (SHOWS_ELEMENTS - 1);
  }
}
