package io.pmstore.core.space;

import java.util.Arrays;

/** A stack of unboxed {@code long} values. Not thread-safe. */
final class LongStack {
  private long[] values = new long[8];
  private int size;

  void push(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  long pop() {
    return values[--size];
  }

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }
}
