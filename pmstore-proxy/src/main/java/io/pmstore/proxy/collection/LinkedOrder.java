package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.LinkedShapes.AFTER;
import static io.pmstore.proxy.collection.LinkedShapes.BEFORE;
import static io.pmstore.proxy.collection.LinkedShapes.END_ENTRY;
import static io.pmstore.proxy.collection.LinkedShapes.FIRST_END;
import static io.pmstore.proxy.collection.LinkedShapes.LAST_END;
import static io.pmstore.proxy.collection.LinkedShapes.NUMBER;

import io.pmstore.core.heap.Heap;

/**
 * The order of the entries of a linked map or set in the heap: a doubly linked list through the
 * entries of its {@link HashTrie}.
 *
 * <ul>
 *   <li>The collection refers to two end objects. Each holds the address of the entry at its end,
 *       or 0. So a change at an end writes neither the collection's object, which every look-up
 *       reads, nor the other end.
 *   <li>An entry holds the addresses of its two neighbours, 0 at an end. These are plain numbers;
 *       the only reference to an entry is the trie's. So a commit that removes the entry sees its
 *       only reference go, and frees it at once.
 *   <li>The entries' numbers ascend from the first to the last. An entry keeps its number until it
 *       is moved. So its key and number are an iterator's position.
 * </ul>
 *
 * <p>Methods that change the order are called inside a transaction, the others inside a transaction
 * or a consistent read.
 */
final class LinkedOrder {
  private final Heap heap;
  private final int links;

  LinkedOrder(CollectionSpace space, CollectionShapes.Trie shapes) {
    heap = space.heap();
    links = shapes.links();
  }

  /** One of the two ends, and where an entry holds its neighbour towards this end. */
  enum End {
    FIRST(FIRST_END, BEFORE, -1),
    LAST(LAST_END, AFTER, 1);

    private final int offset;
    private final int outward;
    private final int step;

    End(int offset, int outward, int step) {
      this.offset = offset;
      this.outward = outward;
      this.step = step;
    }

    End other() {
      return this == FIRST ? LAST : FIRST;
    }
  }

  /** Gives a new collection its ends. */
  static void initialize(CollectionSpace space, long collection) {
    for (End end : End.values()) {
      int shape = space.shapes().linked().end();
      long address = space.heap().allocate(shape, LinkedShapes.END.size());
      space.heap().putLong(collection, end.offset, address);
    }
  }

  /** Returns the entry at an end, or 0 if the collection is empty. */
  long at(long collection, End end) {
    return heap.getLong(heap.getLong(collection, end.offset), END_ENTRY);
  }

  /** Returns the neighbour of an entry towards an end, or 0. */
  long beside(long entry, End end) {
    return heap.getLong(entry, links + end.outward);
  }

  long number(long entry) {
    return heap.getLong(entry, links + NUMBER);
  }

  private void setAt(long collection, End end, long entry) {
    heap.putLong(heap.getLong(collection, end.offset), END_ENTRY, entry);
  }

  private void setBeside(long entry, End end, long beside) {
    heap.putLong(entry, links + end.outward, beside);
  }

  /** Links an entry that is in the trie, but not in the order, at an end. */
  void add(long collection, End end, long entry) {
    long neighbour = at(collection, end);
    setBeside(entry, end, 0);
    setBeside(entry, end.other(), neighbour);
    if (neighbour == 0) {
      setAt(collection, end.other(), entry);
    } else {
      heap.putLong(entry, links + NUMBER, number(neighbour) + end.step);
      setBeside(neighbour, end, entry);
    }
    setAt(collection, end, entry);
  }

  /** Unlinks an entry. */
  void remove(long collection, long entry) {
    for (End end : End.values()) {
      long beside = beside(entry, end);
      long other = beside(entry, end.other());
      if (beside == 0) {
        setAt(collection, end, other);
      } else {
        setBeside(beside, end.other(), other);
      }
    }
  }

  /** Moves an entry to an end. Returns false if it is there already. */
  boolean move(long collection, End end, long entry) {
    if (beside(entry, end) == 0) {
      return false;
    }
    remove(collection, entry);
    add(collection, end, entry);
    return true;
  }

  /** Unlinks all entries. */
  void clear(long collection) {
    setAt(collection, End.FIRST, 0);
    setAt(collection, End.LAST, 0);
  }
}
