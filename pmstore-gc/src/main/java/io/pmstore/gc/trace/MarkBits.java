package io.pmstore.gc.trace;

import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A bit for each object of a heap, off to the side. An extent's bits are allocated when the first
 * of them is set, so the heap may grow.
 *
 * <p>{@link #set} and {@link #get} are safe for use by any number of threads: of those who set a
 * bit at the same time, one is told that it was clear.
 */
public final class MarkBits {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int MARK_SHIFT = 4;
  private static final int ADDRESS_SHIFT = 3;
  private static final long OFFSET_MASK = HeapMemory.EXTENT_SIZE - 1;

  private static final long[] NONE = {};

  // As many as a heap can have, as HeapMemory has it: never replaced, so no bit is lost.
  private final long[][] extents = new long[HeapMemory.EXTENTS_MAX][];
  private final int unitShift;

  private MarkBits(int unitShift) {
    this.unitShift = unitShift;
    Arrays.fill(extents, NONE);
  }

  /**
   * Makes marks, all clear: a bit for every 16 bytes, the smallest slot, so that no two objects
   * share one; 128 KiB for an extent of 16 MiB.
   *
   * @return the marks
   */
  public static MarkBits marks() {
    return new MarkBits(MARK_SHIFT);
  }

  /**
   * Makes bits that can be turned into addresses again, all clear: one for every 8 bytes.
   *
   * @return the bits
   */
  public static MarkBits addresses() {
    return new MarkBits(ADDRESS_SHIFT);
  }

  /**
   * Sets the bit of an object.
   *
   * @param object its address, inside the heap
   * @return true if the bit was clear
   * @throws IndexOutOfBoundsException if no heap is so large
   */
  public boolean set(long object) {
    long[] words = extents[extent(object)];
    if (words.length == 0) {
      words = allocate(extent(object));
    }
    int word = word(object);
    long bit = bit(object);
    return (words[word] & bit) == 0 && ((long) WORD.getAndBitwiseOr(words, word, bit) & bit) == 0;
  }

  private synchronized long[] allocate(int extent) {
    long[] words = extents[extent];
    if (words.length == 0) {
      words = new long[(int) (HeapMemory.EXTENT_SIZE >> (unitShift + 6))];
      extents[extent] = words;
    }
    return words;
  }

  /**
   * Reads the bit of an object.
   *
   * @param object its address, inside the heap
   * @return true if the bit is set
   */
  public boolean get(long object) {
    long[] words = extents[extent(object)];
    return words.length != 0 && (words[word(object)] & bit(object)) != 0;
  }

  /**
   * Finds a set bit at or behind a place, or else from the start of the heap on, and clears it. For
   * bits made by {@link #addresses}, and for one thread that nobody works beside.
   *
   * @param from the place: any address inside the heap
   * @return the address that the bit stands for
   * @throws IllegalStateException if no bit is set
   */
  public long take(long from) {
    int extent = extent(from);
    int word = word(from);
    for (int i = 0; i <= extents.length; i++) {
      long[] words = extents[extent];
      for (; word < words.length; word++) {
        if (words[word] != 0) {
          long unit = ((long) word << 6) + Long.numberOfTrailingZeros(words[word]);
          words[word] &= words[word] - 1;
          return ((long) extent << HeapMemory.EXTENT_SHIFT) + (unit << unitShift);
        }
      }
      word = 0;
      extent = extent + 1 == extents.length ? 0 : extent + 1;
    }
    throw new IllegalStateException("no bit is set");
  }

  /** How many bits are set. */
  long count() {
    long count = 0;
    for (long[] words : extents) {
      for (long word : words) {
        count += Long.bitCount(word);
      }
    }
    return count;
  }

  // An address that is no heap's gives an index that is no array's.
  private static int extent(long object) {
    return (int) Math.min(object >>> HeapMemory.EXTENT_SHIFT, Integer.MAX_VALUE);
  }

  private int word(long object) {
    return (int) ((object & OFFSET_MASK) >>> (unitShift + 6));
  }

  private long bit(long object) {
    return 1L << (object >>> unitShift);
  }
}
