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

/** Base of tests on a store in memory, which they can reopen with nothing left but its bytes. */
abstract class StoreTest {
  private final MemoryEngine engine = new MemoryEngine();
  private Store store = new Store(engine, PmStoreOptions.defaults());

  /** What users have, without a directory. */
  static final class Store {
    final Heap heap;

    Store() {
      this(new MemoryEngine(), PmStoreOptions.defaults());
    }

    private Store(MemoryEngine engine, PmStoreOptions options) {
      heap = new Heap(engine, Durability.SYNC, h -> new ProxyLayerProvider().open(h, options));
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
    reopen(PmStoreOptions.defaults());
  }

  /** The same, with options that the object layer takes. */
  void reopen(PmStoreOptions options) {
    store = new Store(engine, options);
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
