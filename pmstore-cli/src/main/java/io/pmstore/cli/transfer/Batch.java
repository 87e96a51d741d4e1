package io.pmstore.cli.transfer;

import io.pmstore.core.heap.Heap;
import java.util.ArrayList;
import java.util.List;

/** Changes that are carried out some hundred at a time, in one transaction. Not thread-safe. */
final class Batch {
  private static final int MAX = 512;

  private final Heap heap;
  private final List<Runnable> changes = new ArrayList<>();
  private int weight;

  Batch(Heap heap) {
    this.heap = heap;
  }

  /**
   * Adds a change, which may be carried out at once or later, and again if the transaction is.
   *
   * @param size the number of values that it writes
   */
  void add(int size, Runnable change) {
    changes.add(change);
    weight += size;
    if (weight >= MAX) {
      flush();
    }
  }

  /** Carries out what is left. */
  void flush() {
    heap.transaction(
        () -> {
          changes.forEach(Runnable::run);
          return true;
        });
    changes.clear();
    weight = 0;
  }
}
