package io.pmstore.proxy.value;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;

/**
 * Conversion of values of primitive types to the same or wider types. A value's <em>bits</em> are:
 * of an integer or character its value, of a {@code boolean} 0 or 1, of a {@code float} or {@code
 * double} its raw bits.
 */
public final class Widening {
  private Widening() {}

  /**
   * Reads a slot as the bits of a value of the same or a wider type, without making an object.
   * {@code from} is the kind of the slot, a primitive one; {@code to} must have all of its values.
   */
  public static long bits(Heap heap, long object, int offset, SlotKind from, SlotKind to) {
    return switch (from) {
      case BOOLEAN, BYTE -> ofInteger(heap.getByte(object, offset), to);
      case SHORT -> ofInteger(heap.getShort(object, offset), to);
      case CHAR -> ofInteger(heap.getChar(object, offset), to);
      case INT -> ofInteger(heap.getInt(object, offset), to);
      case LONG -> heap.getLong(object, offset);
      case FLOAT -> {
        int bits = heap.getInt(object, offset);
        yield to == SlotKind.FLOAT ? bits : Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
      }
      case DOUBLE -> heap.getLong(object, offset);
      case REFERENCE, ENUM, CELL ->
          throw new IllegalArgumentException("a slot of kind " + from + " is not primitive");
    };
  }

  private static long ofInteger(long value, SlotKind to) {
    return switch (to) {
      case FLOAT -> Float.floatToRawIntBits((float) value);
      case DOUBLE -> Double.doubleToRawLongBits((double) value);
      default -> value;
    };
  }

  /** Returns the bits of a value of a wrapper class. */
  public static long bits(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Character character -> character;
      case Float number -> Float.floatToRawIntBits(number);
      case Double number -> Double.doubleToRawLongBits(number);
      case Number number -> number.longValue();
      default -> throw new IllegalArgumentException("of no wrapper class: " + value.getClass());
    };
  }

  /** Returns the value, of the wrapper class, that bits of a primitive kind stand for. */
  public static Object value(long bits, SlotKind kind) {
    return switch (kind) {
      case BOOLEAN -> bits != 0;
      case BYTE -> (byte) bits;
      case SHORT -> (short) bits;
      case CHAR -> (char) bits;
      case INT -> (int) bits;
      case LONG -> bits;
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case DOUBLE -> Double.longBitsToDouble(bits);
      case REFERENCE, ENUM, CELL ->
          throw new IllegalArgumentException("a slot of kind " + kind + " is not primitive");
    };
  }
}
