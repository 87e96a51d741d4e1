package io.pmstore.jmh.ycsb;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Records as plain objects in a map of the JDK: what is left when nothing is kept. */
final class MemoryYcsbStore implements YcsbStore {
  private final Map<Long, PlainRecord> records;

  MemoryYcsbStore(boolean sorted) {
    records = sorted ? new ConcurrentSkipListMap<>() : new ConcurrentHashMap<>();
  }

  /** Its lock makes its fields change and be read together. */
  private static final class PlainRecord {
    private final String[] fields;

    PlainRecord(String[] fields) {
      this.fields = fields.clone();
    }

    synchronized String[] values() {
      return fields.clone();
    }

    synchronized void set(int field, String value) {
      fields[field] = value;
    }

    synchronized void setAll(String[] values) {
      System.arraycopy(values, 0, fields, 0, fields.length);
    }

    synchronized void modify(int field, Function<String[], String> change) {
      fields[field] = change.apply(fields.clone());
    }
  }

  @Override
  public void load(List<Row> rows) {
    rows.forEach(this::insert);
  }

  @Override
  public String @Nullable [] read(long key) {
    PlainRecord found = records.get(key);
    return found == null ? null : found.values();
  }

  @Override
  public void update(long key, int field, String value) {
    YcsbStore.existing(records, key).set(field, value);
  }

  @Override
  public void replace(Row row) {
    YcsbStore.existing(records, row.key()).setAll(row.fields());
  }

  @Override
  public void insert(Row row) {
    records.put(row.key(), new PlainRecord(row.fields()));
  }

  /** Unlike the stores, it shows each record as it is when the scan comes to it. */
  @Override
  public List<Row> scan(long from, int count) {
    return YcsbStore.scan(records, from, count, PlainRecord::values);
  }

  @Override
  public void readModifyWrite(long key, int field, Function<String[], String> change) {
    YcsbStore.existing(records, key).modify(field, change);
  }

  @Override
  public void close() {
    // Nothing is kept.
  }
}
