package io.pmstore.proxy.convert;

import io.pmstore.proxy.path.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The values that methods of one thread, which may change them in place, have read where nothing
 * can be written: in a snapshot, or outside of transactions. A change in one would be lost, so it
 * is refused, if the method has made it before it has read many more.
 */
final class UnwrittenValues {
  private static final int KEPT_MAX = 16;

  private record Read(InPlaceState state, Path property) {}

  private final Deque<Read> reads = new ArrayDeque<>();

  /**
   * Adds a value, in place of an earlier one if there are many.
   *
   * @param state what the value holds now
   * @param property that has it
   * @throws IllegalStateException if the earlier one was changed
   */
  void add(InPlaceState state, Path property) {
    if (reads.size() == KEPT_MAX) {
      check(reads.remove());
    }
    reads.add(new Read(state, property));
  }

  /**
   * Checks all values.
   *
   * @throws IllegalStateException if one was changed
   */
  void check() {
    while (!reads.isEmpty()) {
      check(reads.remove());
    }
  }

  void clear() {
    reads.clear();
  }

  private static void check(Read read) {
    if (read.state().isChanged()) {
      throw new IllegalStateException(
          "%s: its value was changed in place in a snapshot or outside of a transaction, so the change is lost; make it in a body of store.transaction"
              .formatted(read.property()));
    }
  }
}
