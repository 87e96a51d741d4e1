package io.pmstore.gc.trace;

import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A bit for each object of a heap, outside the heap. An extent's bits are allocated when the first
 * one is set, so the heap may grow.
 *
 * <p>{@link #set} and {@link #get} are thread-safe: if several threads set the same bit, one of
 * them gets true.
 */
public final class MarkBits {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int MARK_SHIFT = 4;
  private static final int ADDRESS_SHIFT = 3;
  private static final long OFFSET_MASK = HeapMemory.EXTENT_SIZE - 1;

  private static final long[] NONE = {};

  // One entry for each extent that a heap can have: the array is never replaced, so no bit is
  // lost.
  private final long[][] extents = new long[HeapMemory.EXTENTS_MAX][];
  private final int unitShift;

  private MarkBits(int unitShift) {
    this.unitShift = unitShift;
    Arrays.fill(extents, NONE);
  }

  /**
   * Creates cleared mark bits: one for every 16 bytes, the smallest slot, so that no two objects
   * share one; 128 KiB for an extent of 16 MiB.
   */
  public static MarkBits marks() {
    return new MarkBits(MARK_SHIFT);
  }

  /** Creates cleared bits that can be turned back into addresses: one for every 8 bytes. */
  public static MarkBits addresses() {
    return new MarkBits(ADDRESS_SHIFT);
  }

  /**
   * Sets the bit of an object. Returns true if it was clear.
   *
   * @param object its address, inside the heap
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
   * Returns true if the bit of an object is set.
   *
   * @param object its address, inside the heap
   */
  public boolean get(long object) {
    long[] words = extents[extent(object)];
    return words.length != 0 && (words[word(object)] & bit(object)) != 0;
  }

  /**
   * Clears the first set bit at or behind an address, continuing at the start of the heap, and
   * returns the address that the bit stands for. Only for bits from {@link #addresses}, and for one
   * thread without concurrent ones.
   *
   * @param from any address inside the heap
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

  /** Returns the number of set bits. */
  long count() {
    long count = 0;
    for (long[] words : extents) {
      for (long word : words) {
        count += Long.bitCount(word);
      }
    }
    return count;
  }

  // An address outside any heap gives an index outside the array.
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
