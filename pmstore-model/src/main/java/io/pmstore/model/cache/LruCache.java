package io.pmstore.model.cache;

import java.util.Arrays;

/**
 * A set-associative cache of numbered units (lines, or pages for a TLB) that evicts the least
 * recently used one. It holds the numbers only. Not thread-safe.
 */
public final class LruCache {
  private final int ways;
  private final int sets;
  private final long[] units; // of each set, the most recently used first; -1 is empty
  private long hits;
  private long misses;

  /**
   * Creates an empty cache.
   *
   * @param capacity in units, at least 1; rounded down to a multiple of the ways
   * @param ways how many places a unit can be in, at least 1
   */
  public LruCache(int capacity, int ways) {
    if (capacity < 1 || ways < 1) {
      throw new IllegalArgumentException(
          "a cache of %d units in %d ways: both are at least 1".formatted(capacity, ways));
    }
    this.ways = Math.min(ways, capacity);
    this.sets = capacity / this.ways;
    this.units = new long[sets * this.ways];
    Arrays.fill(units, -1);
  }

  /**
   * Uses a unit, and keeps it.
   *
   * @param unit its number, 0 or more
   * @return true if it was there
   */
  public boolean use(long unit) {
    // Spread as processors do for their last level, so that strides do not meet in one set.
    int first = (int) Long.remainderUnsigned(sets == 1 ? 0 : spread(unit), sets) * ways;
    int at = first;
    int last = first + ways - 1;
    while (at < last && units[at] != unit) {
      at++;
    }
    boolean hit = units[at] == unit;
    System.arraycopy(units, first, units, first + 1, at - first);
    units[first] = unit;
    if (hit) {
      hits++;
    } else {
      misses++;
    }
    return hit;
  }

  private static long spread(long unit) {
    return ((unit ^ (unit >>> 17)) * 0x9E3779B97F4A7C15L) >>> 20;
  }

  /** Returns how many uses found their unit. */
  public long hits() {
    return hits;
  }

  /** Returns how many uses did not find their unit. */
  public long misses() {
    return misses;
  }
}
