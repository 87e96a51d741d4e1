package io.pmstore.jmh.ycsb;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The table of records in SQL, and its statements. */
final class YcsbSql {
  private static final String COLUMNS = columns("field%d");

  static final String INSERT =
      "INSERT INTO usertable (id, " + COLUMNS + ") VALUES (?, " + columns("?") + ")";
  static final String READ = "SELECT " + COLUMNS + " FROM usertable WHERE id = ?";
  static final String SCAN =
      "SELECT " + COLUMNS + ", id FROM usertable WHERE id >= ? ORDER BY id LIMIT ?";
  static final List<String> UPDATES =
      IntStream.range(0, Row.FIELDS)
          .mapToObj("UPDATE usertable SET field%d = ? WHERE id = ?"::formatted)
          .toList();

  static final String REPLACE = "UPDATE usertable SET " + columns("field%d = ?") + " WHERE id = ?";

  private YcsbSql() {}

  /** The statement that makes the table, with a type for the key. */
  static String createTable(String keyType, String ending) {
    return "CREATE TABLE IF NOT EXISTS usertable (id "
        + keyType
        + " PRIMARY KEY, "
        + columns("field%d TEXT NOT NULL")
        + ")"
        + ending;
  }

  private static String columns(String form) {
    return IntStream.range(0, Row.FIELDS)
        .mapToObj(form::formatted)
        .collect(Collectors.joining(", "));
  }

  static int insert(PreparedStatement insert, Row row) throws SQLException {
    bind(insert, row);
    return insert.executeUpdate();
  }

  private static void bind(PreparedStatement insert, Row row) throws SQLException {
    insert.setLong(1, row.key());
    for (int i = 0; i < Row.FIELDS; i++) {
      insert.setString(i + 2, row.fields()[i]);
    }
  }

  static int[] insertAll(PreparedStatement insert, List<Row> rows) throws SQLException {
    for (Row row : rows) {
      bind(insert, row);
      insert.addBatch();
    }
    return insert.executeBatch();
  }

  static long update(PreparedStatement update, long key, String value) throws SQLException {
    update.setString(1, value);
    return updateOne(update, 2, key);
  }

  /** Updates the record whose key is the last parameter. Returns the key. */
  private static long updateOne(PreparedStatement update, int parameter, long key)
      throws SQLException {
    update.setLong(parameter, key);
    if (update.executeUpdate() != 1) {
      throw YcsbStore.absent(key);
    }
    return key;
  }

  static long replace(PreparedStatement replace, Row row) throws SQLException {
    for (int i = 0; i < Row.FIELDS; i++) {
      replace.setString(i + 1, row.fields()[i]);
    }
    return updateOne(replace, Row.FIELDS + 1, row.key());
  }

  static String @Nullable [] read(PreparedStatement read, long key) throws SQLException {
    read.setLong(1, key);
    try (ResultSet row = read.executeQuery()) {
      return row.next() ? fields(row) : null;
    }
  }

  /** Reads a record that must be there. */
  static String[] readExisting(PreparedStatement read, long key) throws SQLException {
    String[] found = read(read, key);
    if (found == null) {
      throw YcsbStore.absent(key);
    }
    return found;
  }

  static List<Row> scan(PreparedStatement scan, long from, int count) throws SQLException {
    scan.setLong(1, from);
    scan.setInt(2, count);
    List<Row> found = new ArrayList<>(count);
    try (ResultSet row = scan.executeQuery()) {
      while (row.next()) {
        found.add(new Row(row.getLong(Row.FIELDS + 1), fields(row)));
      }
    }
    return found;
  }

  private static String[] fields(ResultSet row) throws SQLException {
    String[] fields = new String[Row.FIELDS];
    for (int i = 0; i < Row.FIELDS; i++) {
      fields[i] = row.getString(i + 1);
    }
    return fields;
  }
}
