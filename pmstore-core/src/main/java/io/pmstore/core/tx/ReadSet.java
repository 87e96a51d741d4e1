package io.pmstore.core.tx;

import java.util.Arrays;

/**
 * The locks under which a transaction has read: a set of indexes with open addressing. Not safe for
 * use by several threads; reused from one transaction to the next.
 */
final class ReadSet {
  private static final int CAPACITY_MIN = 64;
  private static final int TABLE_KEPT_MAX = 256;

  private int[] table = new int[CAPACITY_MIN]; // index + 1; 0 is free
  private int[] list = new int[CAPACITY_MIN / 2];
  private int size;

  void add(int index) {
    int mask = table.length - 1;
    int i = index & mask;
    while (table[i] != 0) {
      if (table[i] == index + 1) {
        return;
      }
      i = (i + 1) & mask;
    }
    table[i] = index + 1;
    list[size++] = index;
    if (size == list.length) {
      expand();
    }
  }

  int size() {
    return size;
  }

  int get(int i) {
    return list[i];
  }

  void clear() {
    if (table.length > TABLE_KEPT_MAX && size < table.length >>> 3) {
      // Else every small transaction after a large one would pay for emptying its table.
      table = new int[CAPACITY_MIN];
      list = new int[CAPACITY_MIN / 2];
    } else if (size > 0) {
      Arrays.fill(table, 0);
    }
    size = 0;
  }

  private void expand() {
    list = Arrays.copyOf(list, size * 2);
    table = new int[list.length * 2];
    int mask = table.length - 1;
    for (int k = 0; k < size; k++) {
      int i = list[k] & mask;
      while (table[i] != 0) {
        i = (i + 1) & mask;
      }
      table[i] = list[k] + 1;
    }
  }
}
