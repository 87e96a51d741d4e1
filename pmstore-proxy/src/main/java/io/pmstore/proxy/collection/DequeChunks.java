package io.pmstore.proxy.collection;

import static io.pmstore.core.catalogue.CellLayout.C_OFFSET;
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
import io.pmstore.core.tx.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a deque in the heap: a doubly linked list of chunks.
 *
 * <p>A {@link ListTree} could hold a deque, but removing its first element moves the elements
 * behind it in the leaf, and every change at either end writes the list's size. Here each end is an
 * object of its own, and a change at an end writes a cell.
 *
 * <ul>
 *   <li>The deque refers to two end objects. An end refers to the chunk at that end, or to none. An
 *       end's count is the number of elements added there less those removed there; the sum of both
 *       counts is the size.
 *   <li>A chunk's cells from {@code first}, inclusive, to {@code end}, exclusive, may hold
 *       elements. The cells at both edges of this range do; all cells outside are zeros. An element
 *       never moves. Removing an element from the middle leaves a gap, and so does adding one
 *       behind cells that an iterator may read.
 *   <li>A chunk is never empty unless it is the only one. An empty chunk starts anew at the edge
 *       that the next element comes from.
 *   <li>A new chunk behind a full one has twice the cells of its neighbour, up to {@value
 *       DequeShapes#CHUNK_CAPACITY_MAX}.
 *   <li>A transaction that takes and adds elements in turn, at the edge of a chunk, takes the chunk
 *       again that it has made and unlinked.
 *   <li>Serials ascend from chunk to chunk. A serial and a cell index are an iterator's position,
 *       which stays valid after any change. {@link IteratedCells} keeps it from meaning another
 *       element.
 *   <li>A chunk of a deque has the deque's mark. A removed chunk has another: removing a chunk sets
 *       its mark to 0, and clearing the deque changes the deque's mark.
 * </ul>
 *
 * <p>Methods that change the deque are called inside a transaction, the others inside a transaction
 * or a consistent read.
 */
final class DequeChunks {
  /** What a clear adds to the mark, whose lower 48 bits are the deque's address. */
  private static final long MARK_STEP = 1L << 48;

  private final Heap heap;
  private final CellCodec codec;
  private final DequeShapes shapes;
  private final IteratedCells iterated = new IteratedCells();

  /** The chunk that was unlinked last, which its transaction may take again. */
  private volatile long spare;

  DequeChunks(CollectionSpace space) {
    heap = space.heap();
    codec = space.codec();
    shapes = space.shapes().deques();
  }

  /** One of the two ends of a deque. */
  enum End {
    FIRST(FIRST_END, CHUNK_PREVIOUS),
    LAST(LAST_END, CHUNK_NEXT);

    private final int offset;
    private final int outward; // offset of a chunk's reference to its neighbour towards this end

    End(int offset, int outward) {
      this.offset = offset;
      this.outward = outward;
    }

    End other() {
      return this == FIRST ? LAST : FIRST;
    }
  }

  /** Gives a new deque its mark and its ends. */
  void initialize(long deque) {
    heap.putLong(deque, MARK, deque);
    newEnds(deque);
  }

  private void newEnds(long deque) {
    for (End end : End.values()) {
      heap.putLong(deque, end.offset, heap.allocate(shapes.end(), DequeShapes.END.size()));
    }
  }

  /** Removes all elements. The cost does not depend on their number. */
  void clear(long deque) {
    heap.putLong(deque, MARK, heap.getLong(deque, MARK) + MARK_STEP);
    newEnds(deque);
  }

  private long end(long deque, End end) {
    return heap.getLong(deque, end.offset);
  }

  long size(long deque) {
    long size =
        heap.counter(end(deque, End.FIRST), END_COUNT)
            + heap.counter(end(deque, End.LAST), END_COUNT);
    if (size < 0) {
      throw CollectionDamage.in("the object", deque, "a size of " + size, "0 or more");
    }
    return size;
  }

  boolean isEmpty(long deque) {
    return at(deque, End.FIRST) == 0;
  }

  // -- chunks

  /** Returns the chunk at an end, or 0 if the deque is empty. */
  long at(long deque, End end) {
    long chunk = heap.getLong(end(deque, end), END_CHUNK);
    return chunk == 0 || isEmptyChunk(chunk) ? 0 : chunk;
  }

  /** Returns the neighbour of a chunk towards an end, or 0. */
  long beside(long chunk, End end) {
    return heap.getLong(chunk, end.outward);
  }

  long serial(long chunk) {
    return heap.getLong(chunk, CHUNK_SERIAL);
  }

  int first(long chunk) {
    return index(chunk, heap.getInt(chunk, CHUNK_FIRST));
  }

  int end(long chunk) {
    return index(chunk, heap.getInt(chunk, CHUNK_END));
  }

  private static int index(long chunk, int index) {
    if (index < 0 || index > CHUNK_CAPACITY_MAX) {
      throw CollectionDamage.in(
          "a chunk", chunk, "first or last cell " + index, "0 to " + CHUNK_CAPACITY_MAX);
    }
    return index;
  }

  private int capacity(long chunk) {
    int size = heap.size(chunk);
    int capacity = chunkCapacity(size);
    if (chunkSize(capacity) != size
        || Integer.bitCount(capacity) != 1
        || capacity < CHUNK_CAPACITY_MIN
        || capacity > CHUNK_CAPACITY_MAX) {
      throw CollectionDamage.in("a chunk", chunk, size + " bytes", "those of 4, 8, 16 or 32 cells");
    }
    return capacity;
  }

  private boolean isEmptyChunk(long chunk) {
    int first = first(chunk);
    int end = end(chunk);
    if (first > end) {
      throw CollectionDamage.in("a chunk", chunk, "cells " + first + " to " + end, "some or none");
    }
    return first == end;
  }

  /** Returns the neighbour of a chunk towards an end, or 0. Throws if the serials do not ascend. */
  long next(long chunk, End end) {
    long next = beside(chunk, end);
    if (next != 0) {
      long here = serial(chunk);
      long there = serial(next);
      if (here == there || (here < there) != (end == End.LAST)) {
        throw CollectionDamage.in(
            "a chunk", next, "serial " + there + " beside " + here, "serials that grow");
      }
    }
    return next;
  }

  /**
   * Returns true if an address that once was that of a chunk of the deque still is that of the same
   * chunk, and the chunk is not empty.
   */
  boolean isChunk(long deque, Chunk seen) {
    long address = seen.address;
    return heap.isAllocated(address)
        && shapes.isChunk(heap.shapeId(address))
        && heap.getLong(address, CHUNK_MARK) == heap.getLong(deque, MARK)
        && serial(address) == seen.serial
        && !isEmptyChunk(address);
  }

  /** A chunk that was seen, and its serial, which no other chunk of the deque has. */
  record Chunk(long address, long serial) {}

  /** Returns what {@link #isChunk} asks for a chunk later. */
  Chunk chunk(long address) {
    return new Chunk(address, serial(address));
  }

  /**
   * A cell in which an element was seen, and the words that the cell had then. The element that is
   * read from the cell again need not be equal to the first one.
   */
  record Cell(Chunk chunk, int index, long first, long second) {}

  /**
   * Notes that an iterator has read a cell: if its element is removed, no other comes into the
   * cell.
   */
  void iterated(Cell cell) {
    iterated.add(cell);
  }

  /** Returns what {@link #hasStill} asks for an element later. */
  Cell cell(Chunk chunk, int index) {
    long address = chunk.address;
    int at = chunkCell(index);
    return new Cell(chunk, index, heap.getLong(address, at), heap.getLong(address, at + C_OFFSET));
  }

  /** Returns true if an element still is in its cell, and the cell's chunk in the deque. */
  boolean hasStill(long deque, Cell seen) {
    return isChunk(deque, seen.chunk)
        && seen.index >= first(seen.chunk.address)
        && seen.index < end(seen.chunk.address)
        && seen.equals(cell(seen.chunk, seen.index));
  }

  /** Returns true if a cell between first and end holds an element. */
  boolean isElement(long chunk, int index) {
    return heap.getLong(chunk, chunkCell(index)) != 0;
  }

  Object read(long chunk, int index) {
    Object element = codec.readCell(chunk, chunkCell(index));
    if (element == null) {
      throw CollectionDamage.in("a chunk", chunk, "null in cell " + index, "an element");
    }
    return element;
  }

  boolean isEqual(long chunk, int index, @Nullable Object value) {
    return codec.cellEquals(chunk, chunkCell(index), value);
  }

  /** Returns the index of the element at an edge of a chunk that is not empty. */
  int edge(long chunk, End end) {
    return end == End.FIRST ? first(chunk) : end(chunk) - 1;
  }

  // -- changes

  /** Adds an element, not null, at an end. */
  void add(long deque, End end, Object value) {
    long holder = end(deque, end);
    long chunk = heap.getLong(holder, END_CHUNK);
    int index;
    if (chunk == 0) {
      long serial = iterated.next(end, end == End.LAST ? -1 : 1);
      chunk = newChunk(deque, end, CHUNK_CAPACITY_MIN, serial);
      heap.putLong(end(deque, end.other()), END_CHUNK, chunk);
      heap.putLong(holder, END_CHUNK, chunk);
      index = nextIndex(chunk, end);
    } else if (isEmptyChunk(chunk)) {
      startAt(chunk, end, capacity(chunk));
      index = nextIndex(chunk, end);
      if (mayBeRead(chunk, index)) {
        heap.putLong(chunk, CHUNK_SERIAL, iterated.next(end, serial(chunk)));
      }
    } else {
      index = unreadIndex(chunk, end);
      if (index < 0) {
        int capacity =
            isFull(chunk, end)
                ? Math.min(CHUNK_CAPACITY_MAX, 2 * capacity(chunk))
                : CHUNK_CAPACITY_MIN;
        long added = newChunk(deque, end, capacity, iterated.next(end, serial(chunk)));
        heap.putLong(added, end.other().outward, chunk);
        heap.putLong(chunk, end.outward, added);
        heap.putLong(holder, END_CHUNK, added);
        chunk = added;
        index = nextIndex(chunk, end);
      }
    }
    if (end == End.LAST) {
      heap.putInt(chunk, CHUNK_END, index + 1);
    } else {
      heap.putInt(chunk, CHUNK_FIRST, index);
    }
    codec.writeCell(chunk, chunkCell(index), value);
    heap.addToCounter(holder, END_COUNT, 1);
  }

  /**
   * Returns the index of the next cell towards an end, of a chunk that is not empty, which no
   * iterator may read for an earlier element. It may leave a gap. Returns -1 if there is none.
   */
  private int unreadIndex(long chunk, End end) {
    int step = end == End.LAST ? 1 : -1;
    int outside = end == End.LAST ? capacity(chunk) : -1;
    int index = nextIndex(chunk, end);
    while (index != outside && mayBeRead(chunk, index)) {
      index += step;
    }
    return index == outside ? -1 : index;
  }

  /**
   * Returns true if an iterator may have read an earlier element of a cell, or may read it until
   * the current transaction has committed, because only this transaction has emptied the cell. No
   * iterator has read a chunk under a serial that this transaction has given it.
   */
  private boolean mayBeRead(long chunk, int index) {
    return iterated.mayContain(serial(chunk), index)
        || (heap.view() instanceof Transaction mine
            && mine.changesCommittedWord(chunk, chunkCell(index))
            && !mine.hasWritten(chunk, CHUNK_SERIAL));
  }

  private long newChunk(long deque, End end, int capacity, long serial) {
    int shape = shapes.chunkOf(capacity);
    long unlinked = spare;
    long chunk;
    if (isSpare(unlinked, shape)) {
      chunk = unlinked;
      heap.putLong(chunk, CHUNK_PREVIOUS, 0);
      heap.putLong(chunk, CHUNK_NEXT, 0);
    } else {
      chunk = heap.allocate(shape, chunkSize(capacity));
    }
    heap.putLong(chunk, CHUNK_MARK, heap.getLong(deque, MARK));
    heap.putLong(chunk, CHUNK_SERIAL, serial);
    startAt(chunk, end, capacity);
    return chunk;
  }

  /**
   * Returns true if an address is that of a chunk that the current transaction has made and
   * unlinked again. Taking and adding elements in turn, at the edge of a chunk, needs no more.
   */
  private boolean isSpare(long address, int shape) {
    return heap.view() instanceof Transaction mine
        && address != 0
        && mine.hasMade(address)
        && heap.shapeId(address) == shape
        && heap.getLong(address, CHUNK_MARK) == 0;
  }

  private void startAt(long chunk, End end, int capacity) {
    int index = end == End.LAST ? 0 : capacity;
    heap.putInt(chunk, CHUNK_FIRST, index);
    heap.putInt(chunk, CHUNK_END, index);
  }

  /** Returns the index of the next element that comes at an end of a chunk that is not full. */
  private int nextIndex(long chunk, End end) {
    return end == End.LAST ? end(chunk) : first(chunk) - 1;
  }

  private boolean isFull(long chunk, End end) {
    return end == End.LAST ? end(chunk) == capacity(chunk) : first(chunk) == 0;
  }

  /** Removes an element, and subtracts it from the count of {@code end}. */
  void remove(long deque, long chunk, int index, End end) {
    int first = first(chunk);
    int last = end(chunk) - 1;
    heap.addToCounter(end(deque, end), END_COUNT, -1);
    heap.putLong(chunk, chunkCell(index), 0);
    heap.putLong(chunk, chunkCell(index) + C_OFFSET, 0);
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

  /** Unlinks a chunk that has become empty, unless it is the only one. */
  private void unlink(long deque, long chunk) {
    long previous = beside(chunk, End.FIRST);
    long next = beside(chunk, End.LAST);
    if (previous == 0 && next == 0) {
      return;
    }
    link(deque, End.LAST, previous, next);
    link(deque, End.FIRST, next, previous);
    heap.putLong(chunk, CHUNK_MARK, 0);
    spare = chunk;
  }

  /** Makes a chunk refer to its new neighbour; if the chunk is 0, the other end of the deque. */
  private void link(long deque, End towards, long chunk, long beside) {
    if (chunk != 0) {
      heap.putLong(chunk, towards.outward, beside);
    } else {
      heap.putLong(end(deque, towards.other()), END_CHUNK, beside);
    }
  }

  // -- walking

  /** Receives elements one by one. */
  interface ElementVisitor {
    /** Returns false to stop. */
    boolean element(long chunk, int index);
  }

  /**
   * Visits elements, away from an end.
   *
   * @param from the end to start from
   * @param chunk the first chunk, or 0
   * @param after the index, in the first chunk, of the last element to skip; an index beyond the
   *     chunk's cells skips none
   */
  void visit(End from, long chunk, int after, ElementVisitor visitor) {
    int step = from == End.FIRST ? 1 : -1;
    int index = after;
    for (long at = chunk; at != 0; at = next(at, from.other())) {
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

  void visit(long deque, End from, ElementVisitor visitor) {
    long chunk = at(deque, from);
    if (chunk != 0) {
      visit(from, chunk, from == End.FIRST ? -1 : Integer.MAX_VALUE - 1, visitor);
    }
  }
}
