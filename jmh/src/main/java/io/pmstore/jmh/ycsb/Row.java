package io.pmstore.jmh.ycsb;

import java.util.Arrays;

/** A record as it goes to a store and comes back. */
final class Row {
  /** How many fields a record has. */
  static final int FIELDS = 10;

  /** How many characters a field has. */
  static final int FIELD_LENGTH = 100;

  private final long key;
  private final String[] fields;

  /** Takes the fields over: the caller does not change them any more. */
  Row(long key, String[] fields) {
    this.key = key;
    this.fields = fields;
  }

  /** The key of the record. */
  long key() {
    return key;
  }

  /** The {@link #FIELDS} values; not to be changed. */
  String[] fields() {
    return fields;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Row other && key == other.key && Arrays.equals(fields, other.fields);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(key) + 31 * Arrays.hashCode(fields);
  }

  @Override
  public String toString() {
    return key + Arrays.toString(fields);
  }
}
