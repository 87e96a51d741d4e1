package io.pmstore.llpl;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import java.util.Arrays;

/**
 * Combines ranges into stretches of memory, each within one extent, in the order of their
 * addresses. Ranges that are close to each other become one stretch, because each stretch costs a
 * call of PMDK.
 *
 * <p>Not safe for use by several threads; reusable.
 */
final class Stretches {
  // A stretch is one long, so that sorting needs no objects: number of its first word, then its
  // words (at most 2^21).
  private static final int WORDS_BITS = 22;
  private static final long WORDS_MASK = (1L << WORDS_BITS) - 1;
  private static final int EXTENT_WORDS_SHIFT = HeapMemory.EXTENT_SHIFT - 3;
  private static final int KEPT_MAX = 1 << 16;

  private long[] stretches = new long[64];
  private int count;
  private boolean sorted;

  /** Forgets all ranges. */
  void clear() {
    if (stretches.length > KEPT_MAX) {
      stretches = new long[64];
    }
    count = 0;
    sorted = true;
  }

  /**
   * Adds a range, cut at the ends of extents.
   *
   * @param address of its first byte, 8-byte aligned
   * @param length in bytes, a multiple of 8
   * @param size of the space in bytes
   * @throws IllegalArgumentException if it is not within the space behind its reserved bytes
   */
  void add(long address, long length, long size) {
    if (address < Engine.RESERVED || (address & 7) != 0 || address > size - length) {
      throw new IllegalArgumentException(
          "a write set has a range of %d bytes at address %d; the space goes from %d to %d"
              .formatted(length, address, Engine.RESERVED, size));
    }
    long first = address >>> 3;
    long words = length >>> 3;
    while (words > 0) {
      long extentEnd = ((first >>> EXTENT_WORDS_SHIFT) + 1) << EXTENT_WORDS_SHIFT;
      long n = Math.min(words, extentEnd - first);
      if (count == stretches.length) {
        stretches = Arrays.copyOf(stretches, count * 2);
      }
      long stretch = (first << WORDS_BITS) | n;
      sorted &= count == 0 || stretches[count - 1] < stretch;
      stretches[count++] = stretch;
      first += n;
      words -= n;
    }
  }

  /**
   * Joins what lies close together, until the next range is added.
   *
   * @param gapMax over how many bytes
   */
  void join(int gapMax) {
    sort();
    int last = 0;
    for (int i = 1; i < count; i++) {
      if (isNear(stretches[last], stretches[i], gapMax)) {
        stretches[last] = joined(stretches[last], stretches[i]);
      } else {
        stretches[++last] = stretches[i];
      }
    }
    count = Math.min(count, last + 1);
  }

  /**
   * What the snapshots of the stretches would take in the undo log, once joined.
   *
   * @param gapMax over how many bytes
   */
  long undoSize(int gapMax) {
    sort();
    long undo = 0;
    long last = count == 0 ? 0 : stretches[0];
    for (int i = 1; i < count; i++) {
      if (isNear(last, stretches[i], gapMax)) {
        last = joined(last, stretches[i]);
      } else {
        undo += PoolSpace.snapshotSize(words(last) << 3);
        last = stretches[i];
      }
    }
    return count == 0 ? 0 : undo + PoolSpace.snapshotSize(words(last) << 3);
  }

  private void sort() {
    if (!sorted) {
      Arrays.sort(stretches, 0, count);
      sorted = true;
    }
  }

  private static boolean isNear(long stretch, long next, int gapMax) {
    return first(next) - end(stretch) <= gapMax >>> 3
        && first(stretch) >>> EXTENT_WORDS_SHIFT == first(next) >>> EXTENT_WORDS_SHIFT;
  }

  private static long joined(long stretch, long next) {
    long first = first(stretch);
    return (first << WORDS_BITS) | (Math.max(end(stretch), end(next)) - first);
  }

  private static long first(long stretch) {
    return stretch >>> WORDS_BITS;
  }

  private static long words(long stretch) {
    return stretch & WORDS_MASK;
  }

  private static long end(long stretch) {
    return first(stretch) + words(stretch);
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** How many stretches there are. */
  int count() {
    return count;
  }

  /** The extent that a stretch lies in. */
  int extent(int i) {
    return (int) (first(stretches[i]) >>> EXTENT_WORDS_SHIFT);
  }

  /** Where in its extent a stretch starts, in bytes. */
  long offset(int i) {
    return (first(stretches[i]) << 3) & (HeapMemory.EXTENT_SIZE - 1);
  }

  /** The bytes of a stretch. */
  long length(int i) {
    return words(stretches[i]) << 3;
  }
}
