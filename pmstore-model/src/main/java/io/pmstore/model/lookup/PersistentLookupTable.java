package io.pmstore.model.lookup;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.model.shared.LookupTable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The map, in pmstore. */
public final class PersistentLookupTable implements LookupTable {
  private static final int BATCH = 1_000;

  private final PmStore store;
  private final Map<Long, Long> map;
  private long size;

  /** What the store has. */
  @Persistent(root = "lookups")
  public static class Table {
    private Map<Long, Long> values = new HashMap<>();

    public Map<Long, Long> getValues() {
      return values;
    }

    public void setValues(Map<Long, Long> values) {
      this.values = values;
    }
  }

  /**
   * Opens the store, or makes it.
   *
   * @param storage the name of a {@link Storage}
   */
  public PersistentLookupTable(Path directory, String storage) {
    store = PmStore.open(directory, PmStoreOptions.defaults().storage(Storage.valueOf(storage)));
    try {
      map = store.root(Table.class).getValues();
      size = map.size();
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  @Override
  public void fill(long wanted) {
    while (size < wanted) {
      long from = size;
      long to = Math.min(wanted, from + BATCH);
      store.transaction(
          () -> {
            for (long key = from; key < to; key++) {
              map.put(key, key + 1);
            }
          });
      size = to;
    }
  }

  @Override
  public long get(long key) {
    Long value = map.get(key);
    if (value == null) {
      throw new IllegalStateException("the key %d is not in a map of %d".formatted(key, size));
    }
    return value;
  }

  @Override
  public void close() {
    store.close();
  }
}
