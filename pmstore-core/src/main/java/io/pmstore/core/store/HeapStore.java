package io.pmstore.core.store;

import io.pmstore.PmStore;
import io.pmstore.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/** The store that users hold: hands each call to the object layer or the heap. */
final class HeapStore implements PmStore {
  private final Heap heap;

  HeapStore(Heap heap) {
    this.heap = heap;
  }

  @Override
  public <T> T root(Class<T> type) {
    return heap.layer().root(type);
  }

  @Override
  public <T> T root(String name, Class<T> type) {
    return heap.layer().root(name, type);
  }

  @Override
  public <T> T create(Class<T> type) {
    return heap.layer().create(type);
  }

  @Override
  public <X extends Exception> void transaction(TransactionBody<X> body) throws X {
    heap.<@Nullable Void, X>transaction(
        () -> {
          body.run();
          return null;
        });
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T transaction(
      TransactionFunction<T, X> body) throws X {
    return heap.transaction(body);
  }

  @Override
  public void close() {
    heap.close();
  }
}
