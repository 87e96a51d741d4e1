package io.pmstore.core.engine;

import static io.pmstore.core.memory.LittleEndian.LONG;

/**
 * The layout of a range, in write sets and in the payload of log records.
 *
 * <pre>
 *   0               1       1       1
 *   0 . . . . . . . 8 . . . 2 . . . 6                16 + 8 * words
 *   +---------------+-------+-------+----------------+
 *   |    address    | words | back  |    contents    |   repeated
 *   +---------------+-------+-------+----------------+
 * </pre>
 *
 * <p>Little-endian; addresses are multiples of 8. The object that a range changes begins {@code
 * back} words before it. A word that transactions lock by its own address counts as an object: a
 * counter, or a word of the allocator's tables and bitmaps. A range without words names an object
 * that the commit frees.
 */
public final class RangeLayout {
  /** The address of the first byte. */
  public static final int ADDRESS = 0;

  /**
   * The number of words in the contents, 32 bits without a sign; behind it, in 32 bits of the same
   * word, the distance to the start of the object.
   */
  public static final int WORDS = 8;

  /** The bytes before the contents. */
  public static final int HEADER_SIZE = 16;

  private RangeLayout() {}

  /**
   * Writes the header of a range.
   *
   * @param at where the range begins
   * @param object where the object begins that the range changes, at most {@code address}
   * @param address of its first byte in the heap, a multiple of 8
   * @param size of its contents in bytes, a multiple of 8
   */
  public static void writeHeader(byte[] bytes, int at, long object, long address, int size) {
    LONG.set(bytes, at + ADDRESS, address);
    LONG.set(bytes, at + WORDS, (address - object) >>> 3 << 32 | size >>> 3);
  }

  /** Returns the heap address of the range at an index. */
  public static long address(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + ADDRESS);
  }

  /**
   * Returns the heap address of the object that the range at an index changes; any number if it is
   * damaged.
   */
  public static long object(byte[] bytes, int at) {
    return address(bytes, at) - ((long) LONG.get(bytes, at + WORDS) >>> 32 << 3);
  }

  /** Returns the number of words in the range at an index; any positive number if it is damaged. */
  public static long words(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + WORDS) & 0xFFFF_FFFFL;
  }

  /** Returns the bytes in the contents of a range without fault. */
  public static int size(byte[] bytes, int at) {
    return (int) words(bytes, at) << 3;
  }

  /**
   * Passes each of several adjacent ranges without fault to a visitor, but for those without words.
   *
   * @param from where the first begins
   * @param to where the last ends
   */
  public static void forEach(byte[] bytes, int from, int to, WriteSet.RangeVisitor visitor) {
    for (int at = from; at < to; ) {
      int size = size(bytes, at);
      if (size > 0) {
        visitor.range(object(bytes, at), address(bytes, at), bytes, at + HEADER_SIZE, size);
      }
      at += HEADER_SIZE + size;
    }
  }
}
