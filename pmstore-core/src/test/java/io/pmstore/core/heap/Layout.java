package io.pmstore.core.heap;

import java.util.List;

/**
 * A shape of the objects that {@link EvolvingLayer} knows: where each of their eight fields is.
 *
 * @param shapeId what headers name it by
 * @param size of an object, header included
 * @param offsets of the fields, by {@link Field#ordinal}
 */
public record Layout(int shapeId, int size, List<Integer> offsets) {
  /** The first one. */
  public static final Layout FIRST = new Layout(11, 40, List.of(36, 37, 32, 34, 24, 28, 8, 16));

  /** As large, and every field somewhere else. */
  public static final Layout PERMUTED = new Layout(12, 40, List.of(37, 36, 34, 32, 28, 24, 16, 8));

  /** Too large for the place of the first. */
  public static final Layout LARGER = new Layout(13, 72, List.of(8, 9, 10, 12, 16, 20, 24, 64));

  /** As large again, with every field somewhere else. */
  public static final Layout LARGER_PERMUTED =
      new Layout(14, 72, List.of(9, 8, 12, 10, 20, 16, 56, 24));

  /** Larger again. */
  public static final Layout LARGEST =
      new Layout(15, 200, List.of(190, 191, 188, 186, 180, 176, 8, 160));

  /** The shape of forwarders. */
  public static final int FORWARDER = 9;

  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

  /** The fields: one of each primitive type. */
  public enum Field {
    BYTE(Width.BYTE),
    BOOLEAN(Width.BYTE),
    SHORT(Width.SHORT),
    CHAR(Width.CHAR),
    INT(Width.INT),
    FLOAT(Width.INT),
    LONG(Width.LONG),
    DOUBLE(Width.LONG);

    private final Width width;

    Field(Width width) {
      this.width = width;
    }

    Width width() {
      return width;
    }

    /** The bits of the field in an object whose state has a number. */
    long bitsOf(long number) {
      long mixed = number * FACTOR >>> 7;
      return switch (this) {
        case BYTE -> (byte) mixed;
        case BOOLEAN -> mixed & 1;
        case SHORT -> (short) mixed;
        case CHAR -> (char) mixed;
        case INT -> (int) mixed;
        case FLOAT -> Float.floatToRawIntBits(number);
        case LONG -> number;
        case DOUBLE -> Double.doubleToRawLongBits(number);
      };
    }
  }

  int offset(Field field) {
    return offsets.get(field.ordinal());
  }

  /** The field at an offset. */
  Field fieldAt(int offset) {
    return Field.values()[offsets.indexOf(offset)];
  }

  /** Makes an object of this shape, in the current transaction. */
  public long create(Heap heap, long number) {
    long object = heap.allocate(shapeId, size);
    for (Field field : Field.values()) {
      field.width.write(heap, object, offset(field), field.bitsOf(number));
    }
    return object;
  }

  /** Writes all fields through a handle. */
  public void write(HeapObject object, long number) {
    for (Field field : Field.values()) {
      write(object, field, number);
    }
  }

  /** Writes one field through a handle. */
  void write(HeapObject object, Field field, long number) {
    int offset = offset(field);
    long bits = field.bitsOf(number);
    switch (field) {
      case BYTE -> object.putByte(offset, (byte) bits);
      case BOOLEAN -> object.putBoolean(offset, bits != 0);
      case SHORT -> object.putShort(offset, (short) bits);
      case CHAR -> object.putChar(offset, (char) bits);
      case INT -> object.putInt(offset, (int) bits);
      case FLOAT -> object.putFloat(offset, Float.intBitsToFloat((int) bits));
      case LONG -> object.putLong(offset, bits);
      case DOUBLE -> object.putDouble(offset, Double.longBitsToDouble(bits));
    }
  }

  /** Reads one field through a handle, as {@link Field#bitsOf} has it. */
  long read(HeapObject object, Field field) {
    int offset = offset(field);
    return switch (field) {
      case BYTE -> object.getByte(offset);
      case BOOLEAN -> object.getBoolean(offset) ? 1 : 0;
      case SHORT -> object.getShort(offset);
      case CHAR -> object.getChar(offset);
      case INT -> object.getInt(offset);
      case FLOAT -> Float.floatToRawIntBits(object.getFloat(offset));
      case LONG -> object.getLong(offset);
      case DOUBLE -> Double.doubleToRawLongBits(object.getDouble(offset));
    };
  }

  /**
   * Reads all fields through a handle.
   *
   * @return the number of the object's state
   * @throws AssertionError if the fields are not of one state
   */
  public long read(HeapObject object) {
    long number = read(object, Field.LONG);
    for (Field field : Field.values()) {
      long bits = read(object, field);
      if (bits != field.bitsOf(number)) {
        throw new AssertionError(
            "%s of state %d is 0x%x, not 0x%x"
                .formatted(field, number, bits, field.bitsOf(number)));
      }
    }
    return number;
  }
}
