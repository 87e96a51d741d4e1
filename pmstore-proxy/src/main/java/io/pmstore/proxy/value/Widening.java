package io.pmstore.proxy.value;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;

/** Values of primitive types as values of the same or wider ones. */
public final class Widening {
  private Widening() {}

  /**
   * Reads a slot as a value of a wider type, without making an object.
   *
   * @param heap the store's heap
   * @param object the address of the object that holds the slot
   * @param offset of the slot, in bytes
   * @param from the kind of the slot, a primitive one
   * @param to the kind that is wanted: the same or one that has all of its values
   * @return the value as its bits: of an integer or a character its value, of a {@code boolean} 0
   *     or 1, of a {@code float} or {@code double} its raw bits
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

  /**
   * The bits of a value, as {@link #bits} has them.
   *
   * @param value a value of a wrapper class
   * @return its bits
   */
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

  /**
   * The value that bits stand for.
   *
   * @param bits as {@link #bits} has them
   * @param kind the kind of the value, a primitive one
   * @return the value, of the wrapper class
   */
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
