package io.pmstore.gc.model;

import io.pmstore.PmStore;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.core.heap.Heap;

/** An open store, as far as the program uses it. */
public interface Session {
  /** Runs a transaction. */
  <T> T transaction(TransactionFunction<T, RuntimeException> body);

  /** Reads one state. */
  <T> T snapshot(TransactionFunction<T, RuntimeException> body);

  /** A root, made if there is none. */
  Thing root(String name);

  /** A new thing. */
  Thing create();

  /** One through the API. */
  static Session of(PmStore store) {
    return new Session() {
      @Override
      public <T> T transaction(TransactionFunction<T, RuntimeException> body) {
        return store.transaction(body);
      }

      @Override
      public <T> T snapshot(TransactionFunction<T, RuntimeException> body) {
        return store.snapshot(body);
      }

      @Override
      public Thing root(String name) {
        return store.root(name, Thing.class);
      }

      @Override
      public Thing create() {
        return store.create(Thing.class);
      }
    };
  }

  /** One on a heap, for who has made that himself. */
  static Session of(Heap heap) {
    return new Session() {
      @Override
      public <T> T transaction(TransactionFunction<T, RuntimeException> body) {
        return heap.transaction(body);
      }

      @Override
      public <T> T snapshot(TransactionFunction<T, RuntimeException> body) {
        return heap.snapshot(body);
      }

      @Override
      public Thing root(String name) {
        return heap.layer().root(name, Thing.class);
      }

      @Override
      public Thing create() {
        return heap.layer().create(Thing.class);
      }
    };
  }
}
