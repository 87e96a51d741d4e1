package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Restores the Java state that an iterator or a view had before its first change in a transaction,
 * if the transaction is rolled back or runs again. Registered once in a transaction, however many
 * changes follow.
 */
final class Undo {
  private volatile boolean ended; // the transaction

  private Undo() {}

  /**
   * Keeps the state that is there now, if the caller is in a transaction and has not kept one in
   * it. To be called before each change.
   *
   * @param previous what the last call returned; null before the first
   * @param state makes the action that restores the present state
   * @return what the next call needs
   * @throws IllegalStateException in a snapshot
   */
  static @Nullable Undo keep(Heap heap, @Nullable Undo previous, Supplier<Runnable> state) {
    if (!heap.inWritableTransaction()) {
      return null;
    }
    if (previous != null && !previous.ended) {
      return previous;
    }
    Undo undo = new Undo();
    Runnable restore = state.get();
    heap.onCommit(() -> undo.ended = true);
    heap.onRollback(
        () -> {
          undo.ended = true;
          restore.run();
        });
    return undo;
  }
}
