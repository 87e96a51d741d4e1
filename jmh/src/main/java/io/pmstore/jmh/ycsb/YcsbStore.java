package io.pmstore.jmh.ycsb;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table of records. Each method is a transaction of its own; one that writes is durable when it
 * returns, as far as the store was opened so. May be used by as many threads as it was opened for.
 */
interface YcsbStore extends AutoCloseable {
  /** Adds many records at once. None of their keys is there. */
  void load(List<Row> rows) throws Exception;

  /** Reads all fields of a record, as they were at one moment; null if it is not there. */
  String @Nullable [] read(long key) throws Exception;

  /**
   * Writes one field of a record.
   *
   * @throws IllegalStateException if it is not there
   */
  void update(long key, int field, String value) throws Exception;

  /**
   * Writes all fields of a record.
   *
   * @param row the key of the record, and its new fields
   * @throws IllegalStateException if it is not there
   */
  void replace(Row row) throws Exception;

  /** Adds a record, whose key is not there. */
  void insert(Row row) throws Exception;

  /**
   * Reads all fields of records in the order of their keys, as they were at one moment.
   *
   * @param from the smallest key
   * @param count at most how many
   * @throws UnsupportedOperationException if the store was opened without order
   */
  List<Row> scan(long from, int count) throws Exception;

  /**
   * Reads all fields of a record and writes one, with no other change of it between.
   *
   * @param change makes the new value of what was read; may be called more than once
   * @throws IllegalStateException if the record is not there
   */
  void readModifyWrite(long key, int field, Function<String[], String> change) throws Exception;

  @Override
  void close() throws SQLException;

  /** Returns the exception for a record that does not exist. */
  static IllegalStateException absent(long key) {
    return new IllegalStateException("there is no record " + key);
  }

  /** The record of a key in a map, which must be there. */
  static <R> R existing(Map<Long, R> records, long key) {
    R found = records.get(key);
    if (found == null) {
      throw absent(key);
    }
    return found;
  }

  /** Some records of a map from a key on, which must be a sorted one. */
  static <R> List<Row> scan(
      Map<Long, R> records, long from, int count, Function<R, String[]> values) {
    if (!(records instanceof NavigableMap<Long, R> sorted)) {
      throw new UnsupportedOperationException("opened without order");
    }
    List<Row> found = new ArrayList<>(count);
    for (Map.Entry<Long, R> entry : sorted.tailMap(from, true).entrySet()) {
      if (found.size() == count) {
        break;
      }
      found.add(new Row(entry.getKey(), values.apply(entry.getValue())));
    }
    return found;
  }
}
