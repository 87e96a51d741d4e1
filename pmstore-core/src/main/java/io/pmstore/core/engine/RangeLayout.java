package io.pmstore.core.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a range, in write sets and in the payload of log records.
 *
 * <pre>
 *   0               1               2
 *   0 . . . . . . . 8 . . . . . . . 6                16 + 8 * words
 *   +---------------+---------------+----------------+
 *   |    address    |     words     |    contents    |   repeated
 *   +---------------+---------------+----------------+
 * </pre>
 *
 * <p>Little-endian; addresses are multiples of 8.
 */
public final class RangeLayout {
  /** The address of the first byte. */
  public static final int ADDRESS = 0;

  /** The number of words in the contents. */
  public static final int WORDS = 8;

  /** The bytes before the contents. */
  public static final int HEADER_SIZE = 16;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private RangeLayout() {}

  /**
   * Writes the header of a range.
   *
   * @param at where the range begins
   * @param address of its first byte in the heap, a multiple of 8
   * @param size of its contents in bytes, a multiple of 8
   */
  public static void writeHeader(byte[] bytes, int at, long address, int size) {
    LONG.set(bytes, at + ADDRESS, address);
    LONG.set(bytes, at + WORDS, (long) (size >>> 3));
  }

  /** Returns the heap address of the range at an index. */
  public static long address(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + ADDRESS);
  }

  /** Returns the number of words in the range at an index; any number if it is damaged. */
  public static long words(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + WORDS);
  }

  /** Returns the bytes in the contents of a range without fault. */
  public static int size(byte[] bytes, int at) {
    return (int) words(bytes, at) << 3;
  }

  /**
   * Passes each of several adjacent ranges without fault to a visitor.
   *
   * @param from where the first begins
   * @param to where the last ends
   */
  public static void forEach(byte[] bytes, int from, int to, WriteSet.RangeVisitor visitor) {
    for (int at = from; at < to; ) {
      int size = size(bytes, at);
      visitor.range(address(bytes, at), bytes, at + HEADER_SIZE, size);
      at += HEADER_SIZE + size;
    }
  }
}
