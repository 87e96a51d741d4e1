package io.pmstore.model.lookup;

import io.pmstore.model.cache.LruCache;
import io.pmstore.model.profile.Level;
import java.util.List;

/** Simulates the caches and TLBs of a profile: the counters of the first model. */
final class SimulatedMisses extends LineAccesses {
  private static final int WAYS = 16;
  private static final int LINE = 64;
  private static final int PAGE = 4096;
  private static final int LINES_SHIFT = 6; // lines of a page

  private final List<Level> steps;
  private final LruCache[] caches;
  private final long[] misses;
  private long waits;
  private boolean counts;

  /**
   * Begins with empty caches.
   *
   * @param steps the levels of a profile without the memory
   */
  SimulatedMisses(List<Level> steps) {
    this.steps = List.copyOf(steps);
    misses = new long[steps.size()];
    caches =
        steps.stream()
            .map(
                step ->
                    new LruCache(
                        (int) (step.bytes() / (step.kind() == Level.Kind.TLB ? PAGE : LINE)), WAYS))
            .toArray(LruCache[]::new);
  }

  /** Begins to count; before, caches are only filled. */
  void count() {
    counts = true;
  }

  @Override
  void touch(long line, boolean waiting) {
    for (int i = 0; i < caches.length; i++) {
      boolean isTlb = steps.get(i).kind() == Level.Kind.TLB;
      boolean hit = caches[i].use(isTlb ? line >>> LINES_SHIFT : line);
      if (!hit && waiting && counts) {
        misses[i]++;
      }
    }
    if (waiting && counts) {
      waits++;
    }
  }

  /** Returns how many lines were waited for. */
  long waits() {
    return waits;
  }

  /** Returns how many of them each step's cache did not have. */
  long[] misses() {
    return misses.clone();
  }
}
