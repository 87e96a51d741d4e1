package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The shared state of the collections of one store.
 *
 * @param strayEntries what is known of the stray entries of hash maps and sets, by the address of
 *     the map or set
 */
public record CollectionSpace(
    Heap heap,
    CellCodec codec,
    CollectionShapes shapes,
    ConcurrentMap<Long, StrayEntries> strayEntries) {

  public CollectionSpace(Heap heap, CellCodec codec, CollectionShapes shapes) {
    this(heap, codec, shapes, new ConcurrentHashMap<>());
  }

  /**
   * Runs changes that belong together, inside a transaction. If one fails, the whole transaction
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
