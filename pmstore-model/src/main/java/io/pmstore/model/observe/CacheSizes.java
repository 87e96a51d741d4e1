package io.pmstore.model.observe;

import io.pmstore.model.cache.LruCache;
import io.pmstore.model.predict.Workload.Misses;
import io.pmstore.model.profile.Level;
import java.util.ArrayList;
import java.util.List;

/** Caches and TLBs of growing sizes beside each other, which all see the same lines. */
final class CacheSizes {
  private static final int LINE_SHIFT = 6;
  private static final int PAGE_SHIFT = 6; // lines of a page
  private static final int WAYS = 16;
  private static final long SMALLEST = 16 << 10;
  private static final int SIZES = 8;
  private static final int PAGES_MIN = 64;
  private static final int PAGE = 4096;

  private final List<Long> bytes = new ArrayList<>();
  private final List<LruCache> caches = new ArrayList<>();
  private final List<LruCache> tlbs = new ArrayList<>();
  private final int kinds;
  private final long[][] missed; // of each kind of operation, by cache and then TLB

  CacheSizes(int kinds) {
    this.kinds = kinds;
    for (int i = 0; i < SIZES; i++) {
      long size = SMALLEST << (2 * i);
      bytes.add(size);
      caches.add(new LruCache((int) (size >>> LINE_SHIFT), WAYS));
      if (i < SIZES / 2 + 1) {
        tlbs.add(new LruCache(PAGES_MIN << (2 * i), WAYS));
      }
    }
    missed = new long[kinds][SIZES + tlbs.size()];
  }

  /**
   * A line is used.
   *
   * @param kind of the operation; below 0 to count nothing
   * @param waits whether the operation waits for it
   */
  void use(long line, int kind, boolean waits) {
    boolean counts = kind >= 0 && kind < kinds && waits;
    for (int i = 0; i < SIZES; i++) {
      if (!caches.get(i).use(line) && counts) {
        missed[kind][i]++;
      }
    }
    for (int i = 0; i < tlbs.size(); i++) {
      if (!tlbs.get(i).use(line >>> PAGE_SHIFT) && counts) {
        missed[kind][SIZES + i]++;
      }
    }
  }

  List<Misses> misses(int kind, double operations) {
    List<Misses> all = new ArrayList<>();
    for (int i = 0; i < SIZES; i++) {
      all.add(new Misses(Level.Kind.CACHE, bytes.get(i), missed[kind][i] / operations));
    }
    for (int i = 0; i < tlbs.size(); i++) {
      all.add(
          new Misses(
              Level.Kind.TLB,
              (double) (PAGES_MIN << (2 * i)) * PAGE,
              missed[kind][SIZES + i] / operations));
    }
    return all;
  }
}
