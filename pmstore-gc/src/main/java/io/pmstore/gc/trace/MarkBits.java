package io.pmstore.gc.trace;

import io.pmstore.core.memory.HeapMemory;
import java.util.Arrays;

/**
 * A bit for each object of a heap, off to the side. An extent's bits are allocated when the first
 * of them is set.
 *
 * <p>Not safe for several threads.
 */
public final class MarkBits {
  private static final int MARK_SHIFT = 4;
  private static final int ADDRESS_SHIFT = 3;
  private static final long OFFSET_MASK = HeapMemory.EXTENT_SIZE - 1;
  private static final long[] NONE = {};

  private final long[][] extents;
  private final int unitShift;
  private long count;

  private MarkBits(long heapSize, int unitShift) {
    this.unitShift = unitShift;
    extents = new long[(int) (heapSize >>> HeapMemory.EXTENT_SHIFT)][];
    Arrays.fill(extents, NONE);
  }

  /**
   * Makes marks for a heap, all clear: a bit for every 16 bytes, the smallest slot, so that no two
   * objects share one; 128 KiB for an extent of 16 MiB.
   *
   * @param heapSize in bytes
   * @return the marks
   */
  public static MarkBits marks(long heapSize) {
    return new MarkBits(heapSize, MARK_SHIFT);
  }

  /** Makes bits that can be turned into addresses again: one for every 8 bytes. */
  static MarkBits addresses(long heapSize) {
    return new MarkBits(heapSize, ADDRESS_SHIFT);
  }

  /**
   * Sets the bit of an object.
   *
   * @param object its address, inside the heap
   * @return true if the bit was clear
   */
  public boolean set(long object) {
    int extent = (int) (object >>> HeapMemory.EXTENT_SHIFT);
    long[] words = extents[extent];
    if (words.length == 0) {
      words = new long[(int) (HeapMemory.EXTENT_SIZE >> (unitShift + 6))];
      extents[extent] = words;
    }
    int word = word(object);
    long bit = bit(object);
    if ((words[word] & bit) != 0) {
      return false;
    }
    words[word] |= bit;
    count++;
    return true;
  }

  /**
   * Reads the bit of an object.
   *
   * @param object its address, inside the heap
   * @return true if the bit is set
   */
  public boolean get(long object) {
    long[] words = extents[(int) (object >>> HeapMemory.EXTENT_SHIFT)];
    return words.length != 0 && (words[word(object)] & bit(object)) != 0;
  }

  /**
   * How many bits are set.
   *
   * @return their number
   */
  public long count() {
    return count;
  }

  /**
   * Finds a set bit at or behind a place, or else from the start of the heap on, and clears it. For
   * bits made by {@link #addresses}.
   *
   * @param from the place: any address inside the heap
   * @return the address that the bit stands for
   * @throws IllegalStateException if no bit is set
   */
  long take(long from) {
    int extent = (int) (from >>> HeapMemory.EXTENT_SHIFT);
    int word = word(from);
    for (int i = 0; i <= extents.length; i++) {
      long[] words = extents[extent];
      for (; word < words.length; word++) {
        if (words[word] != 0) {
          long unit = ((long) word << 6) + Long.numberOfTrailingZeros(words[word]);
          words[word] &= words[word] - 1;
          count--;
          return ((long) extent << HeapMemory.EXTENT_SHIFT) + (unit << unitShift);
        }
      }
      word = 0;
      extent = extent + 1 == extents.length ? 0 : extent + 1;
    }
    throw new IllegalStateException("no bit is set");
  }

  private int word(long object) {
    return (int) ((object & OFFSET_MASK) >>> (unitShift + 6));
  }

  private long bit(long object) {
    return 1L << (object >>> unitShift);
  }
}
