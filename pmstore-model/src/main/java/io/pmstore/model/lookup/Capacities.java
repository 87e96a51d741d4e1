package io.pmstore.model.lookup;

import io.pmstore.model.profile.Level;
import java.util.ArrayList;
import java.util.List;

/** The capacities of caches and TLBs for which misses are counted, and what lies between them. */
final class Capacities {
  private static final int PAGE = 4096;
  private static final long CACHE_MIN = 16 << 10;
  private static final long CACHE_MAX = 128 << 20;
  private static final long PAGES_MIN = 32;
  private static final long PAGES_MAX = 128 << 10;

  /** All of them: the caches first, both from the smallest on. */
  static final List<Level> ALL = all();

  private Capacities() {}

  private static List<Level> all() {
    List<Level> all = new ArrayList<>();
    for (long bytes = CACHE_MIN; bytes <= CACHE_MAX; bytes *= 2) {
      all.add(new Level("cache", Level.Kind.CACHE, bytes, 1));
    }
    for (long pages = PAGES_MIN; pages <= PAGES_MAX; pages *= 2) {
      all.add(new Level("TLB", Level.Kind.TLB, (double) pages * PAGE, 1));
    }
    return List.copyOf(all);
  }

  /**
   * Returns the misses of a capacity: interpolated over its logarithm.
   *
   * @param misses of {@link #ALL}
   */
  static double misses(List<Double> misses, Level wanted) {
    int below = -1;
    for (int i = 0; i < ALL.size(); i++) {
      Level one = ALL.get(i);
      if (one.kind() != wanted.kind()) {
        continue;
      }
      if (one.bytes() >= wanted.bytes()) {
        if (below < 0) {
          return misses.get(i);
        }
        double part =
            Math.log(wanted.bytes() / ALL.get(below).bytes())
                / Math.log(one.bytes() / ALL.get(below).bytes());
        return misses.get(below) + part * (misses.get(i) - misses.get(below));
      }
      below = i;
    }
    return misses.get(below);
  }
}
