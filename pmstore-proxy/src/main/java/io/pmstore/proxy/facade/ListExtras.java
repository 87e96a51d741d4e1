package io.pmstore.proxy.facade;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The methods that the JDK's lists add to {@code List}. */
final class ListExtras {
  private ListExtras() {}

  static void ensureCapacity(List<@Nullable Object> list, int capacity) {
    // A persistent list grows by nodes.
  }

  static void trimToSize(List<@Nullable Object> list) {
    // A persistent list has no spare capacity.
  }

  /**
   * Throws what the JDK's classes throw for bounds in the wrong order, which differs from {@code
   * List}.
   */
  static List<@Nullable Object> subList(List<@Nullable Object> list, int from, int to) {
    if (from >= 0 && to <= list.size() && from > to) {
      throw new IllegalArgumentException(
          "a sublist from %s to %s; expected an end that is not before the beginning"
              .formatted(from, to));
    }
    return list.subList(from, to);
  }

  static void removeRange(List<@Nullable Object> list, int from, int to) {
    list.subList(from, to).clear();
  }
}
