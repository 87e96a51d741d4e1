package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionBody;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A test on a store in memory, which it can open again with nothing left of it but its bytes. */
abstract class StoreTest {
  private final MemoryEngine engine = new MemoryEngine();
  private Store store = new Store(engine);

  /** What users have, without a directory. */
  static final class Store {
    final Heap heap;

    Store() {
      this(new MemoryEngine());
    }

    private Store(MemoryEngine engine) {
      heap =
          new Heap(
              engine,
              Durability.SYNC,
              h -> new ProxyLayerProvider().open(h, PmStoreOptions.defaults()));
    }

    <T> T root(Class<T> type) {
      return heap.layer().root(type);
    }

    <T> T root(String name, Class<T> type) {
      return heap.layer().root(name, type);
    }

    <T> T create(Class<T> type) {
      return heap.layer().create(type);
    }

    @SuppressWarnings("unchecked") // as in the store that users have
    <T> T persist(T plain) {
      return (T) heap.layer().persist(plain);
    }

    <X extends Exception> void transaction(TransactionBody<X> body) throws X {
      heap.<Boolean, X>transaction(
          () -> {
            body.run();
            return true;
          });
    }

    <T extends @Nullable Object, X extends Exception> T call(TransactionFunction<T, X> body)
        throws X {
      return heap.transaction(body);
    }
  }

  Store store() {
    return store;
  }

  /** Makes a new store of the same bytes. The old one is not to be used any more. */
  void reopen() {
    store = new Store(engine);
  }

  /** Runs something in a transaction that is rolled back. */
  void rolledBack(Runnable body) {
    assertThrows(
        RollBack.class,
        () ->
            store.transaction(
                () -> {
                  body.run();
                  throw new RollBack();
                }));
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @AfterEach
  void close() {
    store.heap.close();
  }
}
