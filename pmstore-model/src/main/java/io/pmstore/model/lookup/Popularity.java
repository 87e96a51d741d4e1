package io.pmstore.model.lookup;

import io.pmstore.model.profile.Level;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often each line and page is touched when every key is looked up once. That is a fact
 * of the code and the format, without any cache or time. The misses follow by the approximation of
 * Che, Tung and Wang (2002): a unit that a share q of all look-ups touches is in a cache with the
 * probability 1 - exp(-q T), where T is such that the cache is just full.
 */
final class Popularity extends LineAccesses {
  private static final int PAGE_SHIFT = 6; // lines of a page
  private static final int LINE = 64;
  private static final int PAGE = 4096;
  private static final int ROUNDS = 200;

  private final long heapLines;
  private final Units lines;
  private final Units pages;
  private long waits;
  private int lastPage = -1;

  /** How often units are touched and waited for. */
  private static final class Units {
    final int[] touched;
    final int[] waited;
    private @Nullable Map<Integer, long[]> known; // once all look-ups are counted

    Units(long count) {
      touched = new int[Math.toIntExact(count)];
      waited = new int[Math.toIntExact(count)];
    }

    void touch(int unit, boolean waits) {
      touched[unit]++;
      if (waits) {
        waited[unit]++;
      }
    }

    /** How many units are touched so often, and how often these are waited for. */
    Map<Integer, long[]> byTouches() {
      Map<Integer, long[]> groups = known;
      if (groups != null) {
        return groups;
      }
      groups = new TreeMap<>();
      for (int i = 0; i < touched.length; i++) {
        if (touched[i] > 0) {
          long[] group = groups.computeIfAbsent(touched[i], n -> new long[2]);
          group[0]++;
          group[1] += waited[i];
        }
      }
      known = groups;
      return groups;
    }
  }

  /**
   * Begins.
   *
   * @param heapBytes the size of the heap
   * @param versions how many versions there are
   */
  Popularity(long heapBytes, int versions) {
    heapLines = heapBytes / LINE;
    long all = heapLines + (long) versions * Long.BYTES / LINE + 1;
    lines = new Units(all);
    pages = new Units(all / (1 << PAGE_SHIFT) + 2);
  }

  @Override
  void touch(long line, boolean waiting) {
    long at = line < VERSIONS ? line : heapLines + (line - VERSIONS);
    if (at >= lines.touched.length) {
      throw new IllegalStateException(
          "line %d is outside a heap of %d lines and its versions".formatted(line, heapLines));
    }
    lines.touch((int) at, waiting);
    int page = (int) (at >>> PAGE_SHIFT);
    if (page != lastPage) { // else its translation was needed just before
      pages.touch(page, waiting);
      lastPage = page;
    }
    if (waiting) {
      waits++;
    }
  }

  /** Returns how many lines were waited for. */
  long waits() {
    return waits;
  }

  /**
   * Returns how many lines a look-up waits for that a cache does not have.
   *
   * @param lookups how many look-ups were counted
   */
  double misses(Level step, long lookups) {
    boolean isTlb = step.kind() == Level.Kind.TLB;
    Map<Integer, long[]> groups = (isTlb ? pages : lines).byTouches();
    double capacity = step.bytes() / (isTlb ? PAGE : LINE);
    double units = groups.values().stream().mapToDouble(group -> group[0]).sum();
    if (units <= capacity) {
      return 0;
    }
    double low = 0;
    double high = 1;
    while (cached(groups, high, lookups) < capacity) {
      high *= 2;
    }
    for (int i = 0; i < ROUNDS && high - low > 1e-6 * high; i++) {
      double middle = (low + high) / 2;
      if (cached(groups, middle, lookups) < capacity) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double misses = 0;
    for (Map.Entry<Integer, long[]> group : groups.entrySet()) {
      double q = (double) group.getKey() / lookups;
      misses += (double) group.getValue()[1] / lookups * Math.exp(-q * high);
    }
    return misses;
  }

  private static double cached(Map<Integer, long[]> groups, double time, long lookups) {
    double cached = 0;
    for (Map.Entry<Integer, long[]> group : groups.entrySet()) {
      double q = (double) group.getKey() / lookups;
      cached += group.getValue()[0] * -Math.expm1(-q * time);
    }
    return cached;
  }
}
