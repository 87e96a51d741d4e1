package io.pmstore.gc.verify;

/** Checks a deque: its chunks' links, marks, serials and edges, its ends, and its size. */
final class DequeCheck extends CollectionCheck {
  private static final int FIRST_END = 8;
  private static final int LAST_END = 16;
  private static final int MARK = 24;
  private static final long ADDRESS_BITS = (1L << 48) - 1;
  private static final String END = "pmstore.deque.end";
  private static final int END_CHUNK = 8;
  private static final int END_COUNT = 16;
  private static final String CHUNK = "pmstore.deque.chunk";
  private static final int PREVIOUS = 8;
  private static final int NEXT = 16;
  private static final int CHUNK_MARK = 24;
  private static final int SERIAL = 32;
  private static final int FIRST = 40;
  private static final int BEHIND_LAST = 44;
  private static final int CELLS = 48;
  private static final int CELL = 16;

  private long elements;

  DequeCheck(NodeView nodes, long collection, Faults faults) {
    super(nodes, collection, faults);
  }

  @Override
  void check() {
    long mark = nodes.getLong(collection, MARK);
    if ((mark & ADDRESS_BITS) != collection) {
      fault("mark", "%x".formatted(mark), "the deque's address in its lower 48 bits");
    }
    long firstEnd = nodes.getLong(collection, FIRST_END);
    long lastEnd = nodes.getLong(collection, LAST_END);
    boolean hasFirst = isEnd(firstEnd, "first");
    boolean hasLast = isEnd(lastEnd, "last");
    if (hasFirst && hasLast) {
      long last = chunks(nodes.getLong(firstEnd, END_CHUNK), mark);
      long expected = nodes.getLong(lastEnd, END_CHUNK);
      if (isWhole() && last != expected) {
        fault("last", nodes.describe(expected), nodes.describe(last) + ", the last chunk");
      }
      long count = nodes.getLong(firstEnd, END_COUNT) + nodes.getLong(lastEnd, END_COUNT);
      if (isWhole() && count != elements) {
        fault("size", "" + count, elements + ", as many as there are elements");
      }
    }
  }

  private boolean isEnd(long end, String field) {
    if (end == 0) {
      fault(field, "0", "a " + END);
      return false;
    }
    return isNode(end, 0, END, collection, field);
  }

  /** Checks the chunks from the first to the last, and returns the last. */
  private long chunks(long first, long mark) {
    long before = 0;
    for (long chunk = first; chunk != 0; chunk = nodes.getLong(chunk, NEXT)) {
      long holder = before == 0 ? collection : before;
      String field = before == 0 ? "first" : "next";
      int capacity = capacity(chunk, CHUNK);
      if (capacity == 0) {
        lost(); // the walk reports what is here instead
        return before;
      }
      if (before != 0 && nodes.getLong(before, SERIAL) >= nodes.getLong(chunk, SERIAL)) {
        fault(
            holder,
            field,
            "a chunk of serial %d behind %d"
                .formatted(nodes.getLong(chunk, SERIAL), nodes.getLong(before, SERIAL)),
            "serials that grow");
        lost(); // it may be a cycle
        return before;
      }
      link(chunk, before, mark);
      contents(chunk, capacity, chunk == first && nodes.getLong(chunk, NEXT) == 0);
      before = chunk;
    }
    return before;
  }

  private void link(long chunk, long before, long mark) {
    if (nodes.getLong(chunk, PREVIOUS) != before) {
      fault(
          chunk,
          "previous",
          nodes.describe(nodes.getLong(chunk, PREVIOUS)),
          before == 0 ? "0, since it is the first chunk" : nodes.describe(before));
    }
    if (nodes.getLong(chunk, CHUNK_MARK) != mark) {
      fault(
          chunk,
          "mark",
          "%x".formatted(nodes.getLong(chunk, CHUNK_MARK)),
          "%x, as its deque has".formatted(mark));
    }
  }

  private void contents(long chunk, int capacity, boolean isOnly) {
    int first = nodes.getInt(chunk, FIRST);
    int end = nodes.getInt(chunk, BEHIND_LAST);
    if (first < 0 || end < first || end > capacity || (first == end && !isOnly)) {
      fault(
          chunk,
          "first",
          "cells %d to %d".formatted(first, end),
          "some of 0 to %d; none only if there is no other chunk".formatted(capacity));
      lost();
      return;
    }
    for (int i = 0; i < capacity; i++) {
      boolean isZero = nodes.isZero(chunk, CELLS + CELL * i, CELL);
      if (i < first || i >= end) {
        if (!isZero) {
          fault(chunk, "cell " + i, "an element", "zeros: it is not used");
        }
      } else if (!isZero) {
        elements++;
      } else if (i == first || i == end - 1) {
        fault(chunk, "cell " + i, "zeros", "an element: it is at an edge");
      }
    }
  }
}
