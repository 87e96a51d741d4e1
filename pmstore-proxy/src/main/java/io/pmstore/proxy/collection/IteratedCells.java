package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.DequeShapes.CHUNK_CAPACITY_MAX;

import io.pmstore.proxy.collection.DequeChunks.End;

/**
 * The range of a deque's cells that iterators have read. A new element does not come into a cell of
 * this range, nor into one that its own transaction has emptied, so an iterator that removes what
 * it has read removes no equal element that came later. Kept in memory, as iterators are.
 *
 * <p>Thread-safe.
 */
final class IteratedCells {
  private volatile long first = Long.MAX_VALUE; // written under the lock of this
  private volatile long last = Long.MIN_VALUE; // written under the lock of this

  /** Positions ascend from the front of a deque to its back. */
  private static long position(long serial, int index) {
    return serial * CHUNK_CAPACITY_MAX + index;
  }

  /** Notes that an iterator has read a cell. */
  void add(DequeChunks.Cell cell) {
    long position = position(cell.chunk().serial(), cell.index());
    if (position < first || position > last) {
      synchronized (this) {
        first = Math.min(first, position);
        last = Math.max(last, position);
      }
    }
  }

  /** Returns true if an iterator may have read a cell. */
  boolean mayContain(long serial, int index) {
    long position = position(serial, index);
    return position <= last && position >= first;
  }

  /** Returns the next serial towards an end of which no iterator has read a chunk. */
  long next(End end, long serial) {
    return end == End.LAST
        ? Math.max(serial, Math.floorDiv(last, CHUNK_CAPACITY_MAX)) + 1
        : Math.min(serial, Math.floorDiv(first, CHUNK_CAPACITY_MAX)) - 1;
  }
}
