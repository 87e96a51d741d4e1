package io.pmstore.cli.graph;

import java.util.Arrays;

/** A list of numbers without boxes. Not thread-safe. */
final class LongList {
  private long[] values = new long[1024];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(size, 2));
    }
    values[size++] = value;
  }

  long get(int index) {
    return values[index];
  }

  long removeLast() {
    return values[--size];
  }

  int size() {
    return size;
  }
}
