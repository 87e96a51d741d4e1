package io.pmstore.jmh.ycsb;

import io.pmstore.PmStore;
import java.util.List;
import java.util.Map;
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
    store.transaction(() -> YcsbStore.existing(records, key).set(field, value));
  }

  @Override
  public void replace(Row row) {
    store.transaction(() -> YcsbStore.existing(records, row.key()).setValues(row.fields()));
  }

  @Override
  public void insert(Row row) {
    store.transaction(() -> add(row));
  }

  @Override
  public List<Row> scan(long from, int count) {
    return store.snapshot(() -> YcsbStore.scan(records, from, count, UserRecord::values));
  }

  @Override
  public void readModifyWrite(long key, int field, Function<String[], String> change) {
    store.transaction(
        () -> {
          UserRecord found = YcsbStore.existing(records, key);
          found.set(field, change.apply(found.values()));
        });
  }

  @Override
  public void close() {
    store.close();
  }
}
