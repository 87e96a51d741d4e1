package io.pmstore.jmh.intset;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * A set in a store. Each change is a transaction, which is durable when it returns.
 *
 * <p>Look-ups run outside transactions: nobody else changes the set, so there is nothing that a
 * transaction would keep from them, and what they read is committed. PMDK's look-ups, to which the
 * study compares, have no transaction either.
 */
final class KeptSet implements IntSet, AutoCloseable {
  private static final int BATCH = 1000;
  private static final long POOL_SIZE = 1L << 30;

  private final PmStore store;
  private final IntSet set;

  /**
   * Opens a store.
   *
   * @param directory where; absent or empty if it is to be new
   * @param empty what to begin with, if it is
   */
  KeptSet(Storage storage, Path directory, IntSet empty) {
    store =
        PmStore.open(directory, PmStoreOptions.defaults().storage(storage).llplPoolSize(POOL_SIZE));
    Sets sets = store.root(Sets.class);
    if (sets.getSet() == null) {
      sets.setSet(empty);
    }
    set = Objects.requireNonNull(sets.getSet());
  }

  /** Adds many keys, a thousand in a transaction. */
  void fill(long[] keys) {
    for (int from = 0; from < keys.length; from += BATCH) {
      int first = from;
      int end = Math.min(keys.length, from + BATCH);
      store.transaction(
          Durability.relaxed(Duration.ofMillis(100)),
          () -> {
            for (int i = first; i < end; i++) {
              set.add(keys[i]);
            }
          });
    }
  }

  @Override
  public boolean contains(long key) {
    return set.contains(key);
  }

  @Override
  public boolean add(long key) {
    return store.transaction(() -> set.add(key));
  }

  @Override
  public boolean remove(long key) {
    return store.transaction(() -> set.remove(key));
  }

  @Override
  public void close() {
    store.close();
  }
}
