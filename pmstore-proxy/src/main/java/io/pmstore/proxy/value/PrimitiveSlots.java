package io.pmstore.proxy.value;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;

/**
 * Values of primitive types in slots of their own. {@code object} is the address of the object that
 * has the slot, {@code offset} the slot's offset in bytes; values are of the wrapper classes.
 */
public final class PrimitiveSlots {
  private PrimitiveSlots() {}

  /** Writes a value, inside a transaction. */
  public static void write(Heap heap, long object, int offset, SlotKind kind, Object value) {
    switch (kind) {
      case BOOLEAN -> heap.putByte(object, offset, (byte) ((Boolean) value ? 1 : 0));
      case BYTE -> heap.putByte(object, offset, (Byte) value);
      case SHORT -> heap.putShort(object, offset, (Short) value);
      case CHAR -> heap.putChar(object, offset, (Character) value);
      case INT -> heap.putInt(object, offset, (Integer) value);
      case LONG -> heap.putLong(object, offset, (Long) value);
      case FLOAT -> heap.putInt(object, offset, Float.floatToRawIntBits((Float) value));
      case DOUBLE -> heap.putLong(object, offset, Double.doubleToRawLongBits((Double) value));
      case REFERENCE, ENUM, CELL -> throw notPrimitive(kind);
    }
  }

  /** Reads a value. */
  public static Object read(Heap heap, long object, int offset, SlotKind kind) {
    return switch (kind) {
      case BOOLEAN -> heap.getByte(object, offset) != 0;
      case BYTE -> heap.getByte(object, offset);
      case SHORT -> heap.getShort(object, offset);
      case CHAR -> heap.getChar(object, offset);
      case INT -> heap.getInt(object, offset);
      case LONG -> heap.getLong(object, offset);
      case FLOAT -> Float.intBitsToFloat(heap.getInt(object, offset));
      case DOUBLE -> Double.longBitsToDouble(heap.getLong(object, offset));
      case REFERENCE, ENUM, CELL -> throw notPrimitive(kind);
    };
  }

  private static IllegalArgumentException notPrimitive(SlotKind kind) {
    return new IllegalArgumentException("a slot of kind " + kind + " holds no primitive value");
  }
}
