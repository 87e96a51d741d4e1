package io.pmstore.jmh.ycsb;

import io.pmstore.Persistent;

/** A record, as a user of pmstore writes it. */
@Persistent
class UserRecord {
  private String field0 = "";
  private String field1 = "";
  private String field2 = "";
  private String field3 = "";
  private String field4 = "";
  private String field5 = "";
  private String field6 = "";
  private String field7 = "";
  private String field8 = "";
  private String field9 = "";

  /** All fields, in their order. */
  String[] values() {
    return new String[] {
      field0, field1, field2, field3, field4, field5, field6, field7, field8, field9
    };
  }

  /** Sets all fields. */
  void setValues(String[] values) {
    for (int i = 0; i < Row.FIELDS; i++) {
      set(i, values[i]);
    }
  }

  /** Sets the field of an index. */
  void set(int index, String value) {
    switch (index) {
      case 0 -> field0 = value;
      case 1 -> field1 = value;
      case 2 -> field2 = value;
      case 3 -> field3 = value;
      case 4 -> field4 = value;
      case 5 -> field5 = value;
      case 6 -> field6 = value;
      case 7 -> field7 = value;
      case 8 -> field8 = value;
      case 9 -> field9 = value;
      default -> throw new IndexOutOfBoundsException(index);
    }
  }
}
