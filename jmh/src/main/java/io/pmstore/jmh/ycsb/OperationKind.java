package io.pmstore.jmh.ycsb;

import java.util.Arrays;
import java.util.List;

/** What an operation does, in the order of a mix. */
enum OperationKind {
  /** Reads all fields of a record. */
  READ(0, "read"),
  /** Writes one field of a record. */
  UPDATE(1, "update"),
  /** Adds a record. */
  INSERT(2, "insert"),
  /** Reads all fields of up to 100 records, in the order of their keys. */
  SCAN(3, "scan"),
  /** Reads all fields of a record and writes one of them, as one transaction. */
  READ_MODIFY_WRITE(4, "read-modify-write"),
  /** Writes all fields of a record. */
  REPLACE(5, "replace");

  private final int index;
  private final String label;

  OperationKind(int index, String label) {
    this.index = index;
    this.label = label;
  }

  /** Where its name is among {@link #labels}. */
  int index() {
    return index;
  }

  /** The names in the results. */
  static List<String> labels() {
    return Arrays.stream(values()).map(kind -> kind.label).toList();
  }
}
