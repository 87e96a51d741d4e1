package io.pmstore.proxy.slot;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;

/**
 * Slots of primitive types. A value's <em>bits</em> are: of an integer or character its value, of a
 * {@code boolean} 0 or 1, of a {@code float} or {@code double} its raw bits.
 *
 * <p>Parameters are as in {@link Slots}; values are of the wrapper classes.
 */
public final class PrimitiveSlots {
  private PrimitiveSlots() {}

  /** Writes a value. */
  public static void write(Heap heap, long object, int offset, SlotKind kind, Object value) {
    long bits = bits(value, kind);
    switch (kind) {
      case BOOLEAN, BYTE -> heap.putByte(object, offset, (byte) bits);
      case SHORT -> heap.putShort(object, offset, (short) bits);
      case CHAR -> heap.putChar(object, offset, (char) bits);
      case INT, FLOAT -> heap.putInt(object, offset, (int) bits);
      default -> heap.putLong(object, offset, bits);
    }
  }

  /** Reads a value. */
  public static Object read(Heap heap, long object, int offset, SlotKind kind) {
    return value(bits(heap, object, offset, kind, kind), kind);
  }

  /**
   * Reads a slot of the kind {@code from} as the bits of a value of the same or a wider type, which
   * {@code to} names, without making an object.
   */
  public static long bits(Heap heap, long object, int offset, SlotKind from, SlotKind to) {
    long bits =
        switch (from) {
          case BOOLEAN, BYTE -> heap.getByte(object, offset);
          case SHORT -> heap.getShort(object, offset);
          case CHAR -> heap.getChar(object, offset);
          case INT, FLOAT -> heap.getInt(object, offset);
          case LONG, DOUBLE -> heap.getLong(object, offset);
          default -> throw notPrimitive(from);
        };
    return from == to ? bits : widened(bits, from, to);
  }

  /** Returns the bits of the same value in a wider type. */
  static long widened(long bits, SlotKind from, SlotKind to) {
    return switch (to) {
      case FLOAT -> Float.floatToRawIntBits((float) bits);
      case DOUBLE ->
          Double.doubleToRawLongBits(
              from == SlotKind.FLOAT ? Float.intBitsToFloat((int) bits) : (double) bits);
      default -> bits;
    };
  }

  /** Returns the bits of a value of the kind. */
  public static long bits(Object value, SlotKind kind) {
    return switch (kind) {
      case BOOLEAN -> (Boolean) value ? 1 : 0;
      case CHAR -> (Character) value;
      case FLOAT -> Float.floatToRawIntBits((Float) value);
      case DOUBLE -> Double.doubleToRawLongBits((Double) value);
      case BYTE, SHORT, INT, LONG -> ((Number) value).longValue();
      default -> throw notPrimitive(kind);
    };
  }

  /** Returns the value of the kind that has the bits. */
  static Object value(long bits, SlotKind kind) {
    return switch (kind) {
      case BOOLEAN -> bits != 0;
      case BYTE -> (byte) bits;
      case SHORT -> (short) bits;
      case CHAR -> (char) bits;
      case INT -> (int) bits;
      case LONG -> bits;
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
      default -> throw notPrimitive(kind);
    };
  }

  private static IllegalArgumentException notPrimitive(SlotKind kind) {
    return new IllegalArgumentException("a slot of kind " + kind + " holds no primitive value");
  }
}
