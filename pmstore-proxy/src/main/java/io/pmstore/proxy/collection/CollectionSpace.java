package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import java.lang.ref.Reference;
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
   * Runs reads of a collection that see one state.
   *
   * @param collection the collection, or what refers to it: it stays alive meanwhile, since only
   *     that keeps its place in the heap its own
   */
  <T extends @Nullable Object> T read(@Nullable Object collection, Supplier<T> reads) {
    try {
      return heap.read(reads);
    } finally {
      Reference.reachabilityFence(collection);
    }
  }

  /**
   * Runs an operation that writes. Inside a transaction it is called as it is: what it throws
   * before its first change (a bad index, a value that cannot be stored, an exception of the user's
   * function) then leaves the caller's transaction intact, as it leaves a JDK collection intact.
   * Outside it is a transaction of its own.
   *
   * @param collection stays alive meanwhile, as for {@link #read}
   * @throws IllegalStateException in a snapshot
   */
  <T extends @Nullable Object> T write(@Nullable Object collection, Supplier<T> operation) {
    try {
      return heap.write(operation);
    } finally {
      Reference.reachabilityFence(collection);
    }
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
