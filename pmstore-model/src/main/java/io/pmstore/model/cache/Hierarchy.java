package io.pmstore.model.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Caches behind each other and TLBs behind each other, as one core sees them. A line that a cache
 * does not have is looked for in the next one, and then kept in all. Not thread-safe.
 */
public final class Hierarchy {
  /** The size of a line in bytes. */
  public static final int LINE = 64;

  /** The size of a page in bytes. */
  public static final int PAGE = 4096;

  private static final int CACHE_WAYS = 16;
  private static final int TLB_WAYS = 8;

  private final LruCache[] caches;
  private final LruCache[] tlbs;

  /**
   * Creates empty caches.
   *
   * @param cacheBytes the capacities, smallest first
   * @param tlbPages how many pages each TLB has translations of, smallest first
   */
  public Hierarchy(List<Long> cacheBytes, List<Integer> tlbPages) {
    caches =
        cacheBytes.stream()
            .map(bytes -> new LruCache((int) (bytes / LINE), CACHE_WAYS))
            .toArray(LruCache[]::new);
    tlbs = tlbPages.stream().map(p -> new LruCache(p, TLB_WAYS)).toArray(LruCache[]::new);
  }

  /**
   * Reads or writes a line.
   *
   * @param address of a byte in it
   * @return how many caches did not have it: 0 for a hit in the first
   */
  public int access(long address) {
    return missing(caches, address / LINE);
  }

  /**
   * Translates an address.
   *
   * @return how many TLBs did not have its page
   */
  public int translate(long address) {
    return missing(tlbs, address / PAGE);
  }

  private static int missing(LruCache[] levels, long unit) {
    int missing = 0;
    for (LruCache level : levels) {
      if (level.use(unit)) {
        return missing;
      }
      missing++;
    }
    return missing;
  }

  /** Returns how many lines each cache did not have, the smallest first. */
  public List<Long> cacheMisses() {
    return misses(caches);
  }

  /** Returns how many pages each TLB did not have, the smallest first. */
  public List<Long> tlbMisses() {
    return misses(tlbs);
  }

  private static List<Long> misses(LruCache[] levels) {
    List<Long> misses = new ArrayList<>();
    for (LruCache level : levels) {
      misses.add(level.misses());
    }
    return misses;
  }

  /** Sets all counters to 0. What is cached stays. */
  public void resetCounters() {
    Arrays.stream(caches).forEach(LruCache::resetCounters);
    Arrays.stream(tlbs).forEach(LruCache::resetCounters);
  }
}
