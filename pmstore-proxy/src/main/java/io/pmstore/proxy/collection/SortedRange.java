package io.pmstore.proxy.collection;

import org.jspecify.annotations.Nullable;

/**
 * A range of the keys of a sorted collection, in their order.
 *
 * @param low where it begins; null for the first key
 * @param high where it ends; null for the last key
 */
record SortedRange(@Nullable Edge low, @Nullable Edge high) {
  static final SortedRange ALL = new SortedRange(null, null);

  /** Returns true for the range of all keys. */
  boolean isAll() {
    return low == null && high == null;
  }

  /**
   * An end of a range.
   *
   * @param key may be null if the order accepts null
   * @param inclusive whether the key is in the range
   */
  record Edge(@Nullable Object key, boolean inclusive) {}

  private static boolean isTooLow(SortedOrder order, @Nullable Object key, @Nullable Edge low) {
    if (low == null) {
      return false;
    }
    int comparison = order.compare(key, low.key);
    return comparison < 0 || (comparison == 0 && !low.inclusive);
  }

  private static boolean isTooHigh(SortedOrder order, @Nullable Object key, @Nullable Edge high) {
    if (high == null) {
      return false;
    }
    int comparison = order.compare(key, high.key);
    return comparison > 0 || (comparison == 0 && !high.inclusive);
  }

  /** Returns true if a key is in the range. */
  boolean contains(SortedOrder order, @Nullable Object key) {
    return !isTooLow(order, key, low) && !isTooHigh(order, key, high);
  }

  /**
   * Returns true if a range inside this one may end at an edge. An excluded end may be an end of
   * this range that is excluded too.
   */
  private boolean admits(SortedOrder order, Edge edge) {
    return edge.inclusive
        ? contains(order, edge.key)
        : (low == null || order.compare(edge.key, low.key) >= 0)
            && (high == null || order.compare(edge.key, high.key) <= 0);
  }

  /** Returns the keys of this range that are also at or behind an edge. */
  SortedRange from(SortedOrder order, Edge edge) {
    return isTooLow(order, edge.key, low) ? this : new SortedRange(edge, high);
  }

  /** Returns the keys of this range that are also at or before an edge. */
  SortedRange to(SortedOrder order, Edge edge) {
    return isTooHigh(order, edge.key, high) ? this : new SortedRange(low, edge);
  }

  /**
   * Returns a range inside this one, for a view of a view.
   *
   * @param from where it begins in the view's direction; null for where this one does
   * @param to where it ends in the view's direction; null for where this one does
   * @param ascending whether the view's direction is that of the order
   * @throws IllegalArgumentException if it would not be inside this one, or would end before it
   *     begins
   */
  SortedRange part(SortedOrder order, @Nullable Edge from, @Nullable Edge to, boolean ascending) {
    checkEnd(order, from);
    checkEnd(order, to);
    Edge newLow = ascending ? from : to;
    Edge newHigh = ascending ? to : from;
    if (newLow != null && newHigh != null && order.compare(newLow.key, newHigh.key) > 0) {
      throw new IllegalArgumentException(
          "the range would begin at %s, which is after its end, %s; exchange the two"
              .formatted(
                  ascending ? newLow.key : newHigh.key, ascending ? newHigh.key : newLow.key));
    }
    return new SortedRange(newLow == null ? low : newLow, newHigh == null ? high : newHigh);
  }

  private void checkEnd(SortedOrder order, @Nullable Edge edge) {
    if (edge == null) {
      return;
    }
    order.checkKey(edge.key);
    if (!admits(order, edge)) {
      throw new IllegalArgumentException(
          "the key %s is outside of %s; ask the collection itself for that range"
              .formatted(edge.key, this));
    }
  }

  @Override
  public String toString() {
    if (isAll()) {
      return "the range of all keys";
    }
    return "the range "
        + (low == null ? "(first" : (low.inclusive ? "[" : "(") + low.key)
        + ", "
        + (high == null ? "last)" : high.key + (high.inclusive ? "]" : ")"));
  }
}
