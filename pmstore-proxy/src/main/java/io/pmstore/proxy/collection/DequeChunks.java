package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.DequeShapes.CHUNK_CAPACITY_MAX;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_CAPACITY_MIN;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_END;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_FIRST;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_MARK;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_NEXT;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_PREVIOUS;
import static io.pmstore.proxy.collection.DequeShapes.CHUNK_SERIAL;
import static io.pmstore.proxy.collection.DequeShapes.END_CHUNK;
import static io.pmstore.proxy.collection.DequeShapes.END_COUNT;
import static io.pmstore.proxy.collection.DequeShapes.FIRST_END;
import static io.pmstore.proxy.collection.DequeShapes.LAST_END;
import static io.pmstore.proxy.collection.DequeShapes.MARK;
import static io.pmstore.proxy.collection.DequeShapes.chunkCapacity;
import static io.pmstore.proxy.collection.DequeShapes.chunkCell;
import static io.pmstore.proxy.collection.DequeShapes.chunkSize;

import io.pmstore.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a deque in the heap: a doubly linked list of chunks.
 *
 * <p>A {@link ListTree} could carry a deque, but taking its first element moves those behind it in
 * the leaf, and every change at either end writes the list's size; here each end is an object of
 * its own, and a change at an end writes a cell.
 *
 * <ul>
 *   <li>The deque refers to two end objects; an end refers to the chunk at that end, or to none. An
 *       end's count is how many elements came there less those that went; the two sum up to the
 *       size.
 *   <li>A chunk's cells from {@code first}, inclusive, to {@code end}, exclusive, may hold
 *       elements; those at both edges do, and all others are zeros. An element never moves. Where
 *       one is taken from the middle a gap is left.
 *   <li>A chunk is never empty, but for one that is the only one. An empty chunk starts anew at the
 *       edge from which elements come.
 *   <li>A new chunk has twice the cells of its neighbour, up to {@value
 *       DequeShapes#CHUNK_CAPACITY_MAX}.
 *   <li>Serials grow from chunk to chunk: serial and cell are a position for an iterator, which
 *       outlives every change. A chunk has its deque's mark; one that was taken out has another,
 *       since its own was made 0, or the deque's was changed when it was cleared.
 * </ul>
 *
 * <p>Methods that change are called inside a transaction, the others inside a transaction or a
 * consistent read.
 */
final class DequeChunks {
  /** What a clear adds to the mark, whose lower bits are the deque's address. */
  private static final long MARK_STEP = 1L << 48;

  private final Heap heap;
  private final CellCodec codec;
  private final DequeShapes shapes;

  DequeChunks(CollectionSpace space) {
    heap = space.heap();
    codec = space.codec();
    shapes = space.shapes().deques();
  }

  /** One of the two ends, and what it is to the chunks there. */
  enum End {
    FIRST(FIRST_END, CHUNK_PREVIOUS),
    LAST(LAST_END, CHUNK_NEXT);

    private final int offset;
    private final int outward; // the reference of a chunk to the one nearer to this end

    End(int offset, int outward) {
      this.offset = offset;
      this.outward = outward;
    }

    End other() {
      return this == FIRST ? LAST : FIRST;
    }
  }

  /** Gives a new deque its ends. */
  void initialize(long deque) {
    heap.putLong(deque, MARK, deque);
    newEnds(deque);
  }

  private void newEnds(long deque) {
    for (End end : End.values()) {
      heap.putLong(deque, end.offset, heap.allocate(shapes.end(), DequeShapes.END.size()));
    }
  }

  /** Drops all elements at once, whatever their number. */
  void clear(long deque) {
    heap.putLong(deque, MARK, heap.getLong(deque, MARK) + MARK_STEP);
    newEnds(deque);
  }

  private long end(long deque, End end) {
    return heap.getLong(deque, end.offset);
  }

  long size(long deque) {
    return heap.counter(end(deque, End.FIRST), END_COUNT)
        + heap.counter(end(deque, End.LAST), END_COUNT);
  }

  boolean isEmpty(long deque) {
    return at(deque, End.FIRST) == 0;
  }

  // -- chunks

  /** The chunk at an end, or 0 if the deque is empty. */
  long at(long deque, End end) {
    long chunk = heap.getLong(end(deque, end), END_CHUNK);
    return chunk == 0 || isEmptyChunk(chunk) ? 0 : chunk;
  }

  /** The chunk beside a chunk in the direction of an end, or 0. */
  long beside(long chunk, End end) {
    return heap.getLong(chunk, end.outward);
  }

  long serial(long chunk) {
    return heap.getLong(chunk, CHUNK_SERIAL);
  }

  int first(long chunk) {
    return heap.getInt(chunk, CHUNK_FIRST);
  }

  int end(long chunk) {
    return heap.getInt(chunk, CHUNK_END);
  }

  private boolean isEmptyChunk(long chunk) {
    return first(chunk) == end(chunk);
  }

  /** Whether an address that was once that of a chunk of the deque is still that of the same. */
  boolean isChunk(long deque, long address, long serial) {
    return heap.isAllocated(address)
        && shapes.isChunk(heap.shapeId(address))
        && heap.getLong(address, CHUNK_MARK) == heap.getLong(deque, MARK)
        && serial(address) == serial
        && !isEmptyChunk(address);
  }

  /** Whether such a chunk still has, in a cell, an element equal to one that was there. */
  boolean hasStill(long deque, long address, long serial, int index, Object element) {
    return isChunk(deque, address, serial)
        && index >= first(address)
        && index < end(address)
        && isEqual(address, index, element);
  }

  /** Whether a cell between first and end holds an element. */
  boolean isElement(long chunk, int index) {
    return heap.getLong(chunk, chunkCell(index)) != 0;
  }

  @Nullable Object read(long chunk, int index) {
    return codec.readCell(chunk, chunkCell(index));
  }

  boolean isEqual(long chunk, int index, @Nullable Object value) {
    return codec.cellEquals(chunk, chunkCell(index), value);
  }

  /** The index of the element at an edge of a chunk that is not empty. */
  int edge(long chunk, End end) {
    return end == End.FIRST ? first(chunk) : end(chunk) - 1;
  }

  // -- changes

  /** Adds an element, not null, at an end. */
  void add(long deque, End end, Object value) {
    long holder = end(deque, end);
    long chunk = heap.getLong(holder, END_CHUNK);
    if (chunk == 0) {
      chunk = newChunk(deque, end, CHUNK_CAPACITY_MIN, 0);
      heap.putLong(end(deque, end.other()), END_CHUNK, chunk);
      heap.putLong(holder, END_CHUNK, chunk);
    } else if (isEmptyChunk(chunk)) {
      startAt(chunk, end, chunkCapacity(heap.size(chunk)));
    } else if (isFull(chunk, end)) {
      int capacity = Math.min(CHUNK_CAPACITY_MAX, 2 * chunkCapacity(heap.size(chunk)));
      long serial = serial(chunk) + (end == End.LAST ? 1 : -1);
      long added = newChunk(deque, end, capacity, serial);
      heap.putLong(added, end.other().outward, chunk);
      heap.putLong(chunk, end.outward, added);
      heap.putLong(holder, END_CHUNK, added);
      chunk = added;
    }
    int index;
    if (end == End.LAST) {
      index = end(chunk);
      heap.putInt(chunk, CHUNK_END, index + 1);
    } else {
      index = first(chunk) - 1;
      heap.putInt(chunk, CHUNK_FIRST, index);
    }
    codec.writeCell(chunk, chunkCell(index), value);
    heap.addToCounter(holder, END_COUNT, 1);
  }

  private long newChunk(long deque, End end, int capacity, long serial) {
    long chunk = heap.allocate(shapes.chunkOf(capacity), chunkSize(capacity));
    heap.putLong(chunk, CHUNK_MARK, heap.getLong(deque, MARK));
    heap.putLong(chunk, CHUNK_SERIAL, serial);
    startAt(chunk, end, capacity);
    return chunk;
  }

  private void startAt(long chunk, End end, int capacity) {
    int index = end == End.LAST ? 0 : capacity;
    heap.putInt(chunk, CHUNK_FIRST, index);
    heap.putInt(chunk, CHUNK_END, index);
  }

  private boolean isFull(long chunk, End end) {
    return end == End.LAST ? end(chunk) == chunkCapacity(heap.size(chunk)) : first(chunk) == 0;
  }

  /**
   * Removes an element.
   *
   * @param end whose count tells of it
   */
  void remove(long deque, long chunk, int index, End end) {
    int first = first(chunk);
    int last = end(chunk) - 1;
    heap.addToCounter(end(deque, end), END_COUNT, -1);
    heap.putLong(chunk, chunkCell(index), 0);
    heap.putLong(chunk, chunkCell(index) + 8, 0);
    if (first == last) {
      heap.putInt(chunk, CHUNK_END, first);
      unlink(deque, chunk);
    } else if (index == first) {
      do {
        first++;
      } while (!isElement(chunk, first));
      heap.putInt(chunk, CHUNK_FIRST, first);
    } else if (index == last) {
      do {
        last--;
      } while (!isElement(chunk, last));
      heap.putInt(chunk, CHUNK_END, last + 1);
    }
  }

  /** Takes out a chunk that has become empty, unless it is the only one. */
  private void unlink(long deque, long chunk) {
    long previous = beside(chunk, End.FIRST);
    long next = beside(chunk, End.LAST);
    if (previous == 0 && next == 0) {
      return;
    }
    link(deque, End.LAST, previous, next);
    link(deque, End.FIRST, next, previous);
    heap.putLong(chunk, CHUNK_MARK, 0);
  }

  /** Makes a chunk, or the other end if it is 0, refer to what is now beside it. */
  private void link(long deque, End towards, long chunk, long beside) {
    if (chunk != 0) {
      heap.putLong(chunk, towards.outward, beside);
    } else {
      heap.putLong(end(deque, towards.other()), END_CHUNK, beside);
    }
  }

  // -- walking

  /** Takes elements one by one. */
  interface ElementVisitor {
    /**
     * Takes an element.
     *
     * @return false to stop
     */
    boolean element(long chunk, int index);
  }

  /**
   * Visits the elements from an end on, or those behind a position.
   *
   * @param from the end to come from
   * @param chunk the first chunk, or 0
   * @param after the index of the last element in it that is not to be visited; -1 or the capacity
   *     for none
   */
  void visit(End from, long chunk, int after, ElementVisitor visitor) {
    int step = from == End.FIRST ? 1 : -1;
    int index = after;
    for (long at = chunk; at != 0; at = beside(at, from.other())) {
      int first = first(at);
      int end = end(at);
      if (at != chunk) {
        index = from == End.FIRST ? first - 1 : end;
      } else {
        index = Math.clamp(index, first - 1, end);
      }
      for (index += step; index >= first && index < end; index += step) {
        if (isElement(at, index) && !visitor.element(at, index)) {
          return;
        }
      }
    }
  }

  /** Visits all elements. */
  void visit(long deque, End from, ElementVisitor visitor) {
    long chunk = at(deque, from);
    if (chunk != 0) {
      visit(from, chunk, from == End.FIRST ? -1 : Integer.MAX_VALUE - 1, visitor);
    }
  }
}
