package io.pmstore.jmh.ycsb;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The root of a store: its records by key, in the map that the workload needs. */
@Persistent(root = "usertable")
class UserTable {
  private Map<Long, UserRecord> records = new HashMap<>();
  private NavigableMap<Long, UserRecord> sorted = new TreeMap<>();

  Map<Long, UserRecord> getRecords() {
    return records;
  }

  NavigableMap<Long, UserRecord> getSorted() {
    return sorted;
  }
}
