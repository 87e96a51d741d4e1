package io.pmstore.core.heap;

/** The kinds of primitive fields that the heap distinguishes. */
enum Width {
  BYTE,
  SHORT,
  CHAR,
  INT,
  LONG;

  /** Reads a field; all but {@code char} are sign-extended. */
  long read(HeapFields heap, long object, int offset) {
    return switch (this) {
      case BYTE -> heap.getByte(object, offset);
      case SHORT -> heap.getShort(object, offset);
      case CHAR -> heap.getChar(object, offset);
      case INT -> heap.getInt(object, offset);
      case LONG -> heap.getLong(object, offset);
    };
  }

  /** Writes a field: as many of the lowest bits as it is wide. */
  void write(HeapFields heap, long object, int offset, long bits) {
    switch (this) {
      case BYTE -> heap.putByte(object, offset, (byte) bits);
      case SHORT -> heap.putShort(object, offset, (short) bits);
      case CHAR -> heap.putChar(object, offset, (char) bits);
      case INT -> heap.putInt(object, offset, (int) bits);
      case LONG -> heap.putLong(object, offset, bits);
    }
  }
}
