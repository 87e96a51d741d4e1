package io.pmstore.proxy.convert;

import io.pmstore.StoreReadOnlyException;
import io.pmstore.proxy.convert.WorkingValues.Slot;
import io.pmstore.proxy.path.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The values that methods of one thread have read last where nothing can be written: in a snapshot,
 * in a store that is open for reading only, outside of transactions, or in a transaction that has
 * ended while the method goes on. The methods may change these values in place. Such a change is
 * refused, because nothing would store it.
 */
final class UnwrittenValues {
  static final int KEPT_MAX = 16;
  private static final int WORDS_MAX = 1 << 16;

  private record Read(Slot slot, InPlaceState state, Path property, boolean isReadOnly) {}

  private final Deque<Read> reads = new ArrayDeque<>();
  private long words; // of all of them

  /**
   * Adds a value. Call {@link #trim} after it.
   *
   * @param slot of the property that has it
   * @param state what the value holds now
   * @param isReadOnly whether nothing writes to the store
   */
  void add(Slot slot, InPlaceState state, Path property, boolean isReadOnly) {
    reads.add(new Read(slot, state, property, isReadOnly));
    words += state.words();
  }

  /**
   * Checks and drops the earliest values if there are many.
   *
   * @throws RuntimeException as {@link #check} does
   */
  void trim() {
    while (reads.size() > KEPT_MAX || (words > WORDS_MAX && reads.size() > 1)) {
      checkFirst();
    }
  }

  /** Drops what was read from a property. */
  void remove(Slot slot) {
    if (!reads.isEmpty() && reads.removeIf(read -> read.slot().equals(slot))) {
      words = reads.stream().mapToLong(read -> read.state().words()).sum();
    }
  }

  /**
   * Checks all values.
   *
   * @throws IllegalStateException if one was changed
   * @throws StoreReadOnlyException if that was in a store that is open for reading only
   */
  void check() {
    while (!reads.isEmpty()) {
      checkFirst();
    }
  }

  void clear() {
    reads.clear();
    words = 0;
  }

  private void checkFirst() {
    Read read = reads.remove();
    words -= read.state().words();
    if (read.state().isChanged()) {
      String what = read.property() + ": its value was changed in place ";
      String otherwise =
          "so the change is lost; if that does not matter, change a copy, such as clone() makes";
      throw read.isReadOnly()
          ? new StoreReadOnlyException(what + "in a store that cannot be written, " + otherwise)
          : new IllegalStateException(
              what
                  + "in a snapshot, outside of a transaction or after its end, "
                  + otherwise
                  + ", and otherwise make it in a body of store.transaction");
    }
  }
}
