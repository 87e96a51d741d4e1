package io.pmstore.model.observe;

import java.util.Arrays;

/** A set of lines, emptied often. */
final class LineSet {
  private static final int CAPACITY = 64;

  private long[] table = new long[CAPACITY]; // line + 1; 0 is free
  private int size;

  /** Returns true if the line was not there. */
  boolean add(long line) {
    if (size * 2 >= table.length) {
      long[] old = table;
      table = new long[old.length * 2];
      size = 0;
      for (long entry : old) {
        if (entry != 0) {
          add(entry - 1);
        }
      }
    }
    int mask = table.length - 1;
    int at = (int) ((line * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    while (table[at] != 0) {
      if (table[at] == line + 1) {
        return false;
      }
      at = (at + 1) & mask;
    }
    table[at] = line + 1;
    size++;
    return true;
  }

  void clear() {
    if (size > 0) {
      Arrays.fill(table, 0);
      size = 0;
    }
  }
}
