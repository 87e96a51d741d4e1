package io.pmstore.jmh.ycsb;

import io.pmstore.PmStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records in pmstore: ordinary objects in a map. One record is read in a transaction; a scan, which
 * reads many, in a snapshot, which no writer makes begin again.
 */
final class PmYcsbStore implements YcsbStore {
  private final PmStore store;
  private final Map<Long, UserRecord> records;

  /** Takes over the store: closing this closes it. */
  PmYcsbStore(PmStore store, boolean sorted) {
    this.store = store;
    try {
      UserTable table = store.root(UserTable.class);
      records = sorted ? table.getSorted() : table.getRecords();
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  @Override
  public void load(List<Row> rows) {
    store.transaction(() -> rows.forEach(this::add));
  }

  private void add(Row row) {
    UserRecord made = store.create(UserRecord.class);
    made.setValues(row.fields());
    records.put(row.key(), made);
  }

  @Override
  public String @Nullable [] read(long key) {
    return store.<String @Nullable [], RuntimeException>transaction(
        () -> {
          UserRecord found = records.get(key);
          return found == null ? null : found.values();
        });
  }

  @Override
  public void update(long key, int field, String value) {
    store.transaction(() -> existing(key).set(field, value));
  }

  private UserRecord existing(long key) {
    UserRecord found = records.get(key);
    if (found == null) {
      throw YcsbStore.absent(key);
    }
    return found;
  }

  @Override
  public void insert(Row row) {
    store.transaction(() -> add(row));
  }

  @Override
  public List<Row> scan(long from, int count) {
    if (!(records instanceof NavigableMap<Long, UserRecord> sorted)) {
      throw new UnsupportedOperationException("opened without order");
    }
    return store.snapshot(
        () -> {
          List<Row> found = new ArrayList<>(count);
          for (Map.Entry<Long, UserRecord> entry : sorted.tailMap(from, true).entrySet()) {
            if (found.size() == count) {
              break;
            }
            found.add(new Row(entry.getKey(), entry.getValue().values()));
          }
          return found;
        });
  }

  @Override
  public void readModifyWrite(long key, int field, Function<String[], String> change) {
    store.transaction(
        () -> {
          UserRecord found = existing(key);
          found.set(field, change.apply(found.values()));
        });
  }

  @Override
  public void close() {
    store.close();
  }
}
