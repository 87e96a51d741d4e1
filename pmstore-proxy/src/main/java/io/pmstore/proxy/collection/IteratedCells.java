package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.DequeShapes.CHUNK_CAPACITY_MAX;

import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The range of a deque's cells that iterators have read. A new element does not come into a cell of
 * this range, so an iterator that removes what it has read never removes an equal element that was
 * added later. Kept in memory, as iterators are.
 *
 * <p>Thread-safe.
 */
final class IteratedCells {
  private final AtomicLong first = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

  /** Positions ascend from the front of a deque to its back. */
  private static long position(long serial, int index) {
    return serial * CHUNK_CAPACITY_MAX + index;
  }

  /** Notes that an iterator has read a cell. */
  void add(DequeChunks.Cell cell) {
    long position = position(cell.chunk().serial(), cell.index());
    first.accumulateAndGet(position, Math::min);
    last.accumulateAndGet(position, Math::max);
  }

  /** Returns true if an iterator may have read a cell in which an element would come at an end. */
  boolean mayContain(End end, long serial, int index) {
    long position = position(serial, index);
    return end == End.LAST ? position <= last.get() : position >= first.get();
  }

  /** Returns the next serial towards an end of which no iterator has read a chunk. */
  long next(End end, long serial) {
    return end == End.LAST
        ? Math.max(serial, Math.floorDiv(last.get(), CHUNK_CAPACITY_MAX)) + 1
        : Math.min(serial, Math.floorDiv(first.get(), CHUNK_CAPACITY_MAX)) - 1;
  }
}
