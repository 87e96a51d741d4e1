package io.pmstore.core.engine.llpl;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.Arrays;

/**
 * The stretches of memory that a write set touches, each within one extent, in the order of their
 * addresses: ranges that touch or nearly touch are one stretch, because each stretch costs a call
 * into PMDK and a snapshot of its own.
 *
 * <p>Not safe for use by several threads; reusable.
 */
final class Stretches {
  // A stretch is one long, so that sorting needs no objects: number of its first word, then its
  // words (at most 2^21).
  private static final int WORDS_BITS = 22;
  private static final long WORDS_MASK = (1L << WORDS_BITS) - 1;
  private static final int EXTENT_WORDS_SHIFT = HeapMemory.EXTENT_SHIFT - 3;
  // Joining over such a gap never makes the undo log longer: a snapshot's header is as long.
  private static final long GAP_WORDS_MAX = 3;
  private static final int KEPT_MAX = 1 << 16;

  private long[] stretches = new long[64];
  private int count;
  private boolean sorted;

  /**
   * An upper bound of what a write set takes in the undo log, its deltas included.
   *
   * @param writes the write set
   * @return bytes
   */
  static long undoSize(WriteSet writes) {
    long deltas = (writes.encodedSize() - writes.length()) / (WriteSet.RANGE_HEADER + Long.BYTES);
    UndoSize size = new UndoSize(deltas * PoolSpace.snapshotSize(Long.BYTES));
    writes.forEachRange(size);
    return size.bytes;
  }

  private static final class UndoSize implements WriteSet.RangeVisitor {
    private long bytes;

    UndoSize(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void range(long address, byte[] source, int offset, int length) {
      long crossed =
          ((address + length - 1) >>> HeapMemory.EXTENT_SHIFT)
              - (address >>> HeapMemory.EXTENT_SHIFT);
      bytes += PoolSpace.snapshotSize(length) + crossed * PoolSpace.snapshotSize(128);
    }
  }

  /**
   * Finds the stretches of a write set.
   *
   * @param writes the write set, its deltas resolved
   * @param size of the space in bytes
   * @throws IllegalArgumentException if a range is not within the space behind its reserved bytes
   */
  void find(WriteSet writes, long size) {
    if (stretches.length > KEPT_MAX) {
      stretches = new long[64];
    }
    count = 0;
    sorted = true;
    writes.forEachRange(
        (address, source, offset, length) -> {
          if (address < Engine.RESERVED || (address & 7) != 0 || address > size - length) {
            throw new IllegalArgumentException(
                "a write set has a range of %d bytes at address %d; the space goes from %d to %d"
                    .formatted(length, address, Engine.RESERVED, size));
          }
          add(address >>> 3, length >>> 3);
        });
    if (!sorted) {
      Arrays.sort(stretches, 0, count);
    }
    join();
  }

  /** Adds words, cut at the ends of extents. */
  private void add(long first, long words) {
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

  private void join() {
    int last = 0;
    for (int i = 1; i < count; i++) {
      long first = first(last);
      long end = first + words(last);
      long nextFirst = first(i);
      if (nextFirst - end <= GAP_WORDS_MAX
          && first >>> EXTENT_WORDS_SHIFT == nextFirst >>> EXTENT_WORDS_SHIFT) {
        stretches[last] = (first << WORDS_BITS) | (Math.max(end, nextFirst + words(i)) - first);
      } else {
        stretches[++last] = stretches[i];
      }
    }
    count = Math.min(count, last + 1);
  }

  private long first(int i) {
    return stretches[i] >>> WORDS_BITS;
  }

  private long words(int i) {
    return stretches[i] & WORDS_MASK;
  }

  /** How many stretches there are. */
  int count() {
    return count;
  }

  /** The extent that a stretch lies in. */
  int extent(int i) {
    return (int) (first(i) >>> EXTENT_WORDS_SHIFT);
  }

  /** Where in its extent a stretch starts, in bytes. */
  long offset(int i) {
    return (first(i) << 3) & (HeapMemory.EXTENT_SIZE - 1);
  }

  /** The bytes of a stretch. */
  long length(int i) {
    return words(i) << 3;
  }
}
