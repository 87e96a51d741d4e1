package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the collections of one store share.
 *
 * @param heap where they stand
 * @param codec turns values into cells
 * @param shapes the shape ids of their nodes
 */
public record CollectionSpace(Heap heap, CellCodec codec, CollectionShapes shapes) {

  /**
   * Runs an operation that writes. Inside a transaction it is called as it is: what it throws
   * before its first change (a bad index, a value that cannot be stored, an exception of the user's
   * function) then leaves the caller's transaction intact, as it leaves a JDK collection intact.
   * Outside it is a transaction of its own.
   *
   * @throws IllegalStateException in a snapshot
   */
  <T extends @Nullable Object> T write(Supplier<T> operation) {
    return heap.write(operation);
  }

  /**
   * Runs changes that belong together, inside a transaction: if one fails the whole transaction
   * will be rolled back.
   */
  void change(Runnable changes) {
    heap.transaction(
        () -> {
          changes.run();
          return true;
        });
  }
}
