package io.pmstore.model.probe;

import io.pmstore.model.memory.ProbedMemory.KnownCache;
import io.pmstore.model.profile.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Turns steps into named levels. */
final class LevelNames {
  /** A virtual machine has a part of the last cache only, so a smaller size matches too. */
  private static final double SMALLER_MAX = 16;

  private static final double LARGER_MAX = 1.6;
  private static final double PAGE = 4096;
  private static final double KIB = 1024;

  private LevelNames() {}

  static List<Level> levels(
      StepFit.Result fit, List<KnownCache> known, double largest, double latency) {
    List<Level> levels = new ArrayList<>();
    List<KnownCache> left = new ArrayList<>(known);
    double nanos = fit.base();
    int caches = 0;
    for (Step step : fit.steps()) {
      String name;
      if (step.kind() == Level.Kind.TLB) {
        name = "TLB of %,.0f pages".formatted(step.bytes() / PAGE);
      } else {
        KnownCache cache = matching(step, left);
        if (cache != null) {
          left.subList(0, left.indexOf(cache) + 1).clear();
          name = cache.name();
        } else if (known.isEmpty()) {
          name = "L%d cache".formatted(++caches);
        } else if (step.bytes() > known.getLast().bytes()) {
          name = "buffer of " + size(step.bytes());
        } else {
          name = "cache of " + size(step.bytes());
        }
      }
      levels.add(new Level(name, step.kind(), step.bytes(), nanos));
      nanos += step.nanos();
    }
    levels.add(new Level("memory", Level.Kind.MEMORY, largest, Math.max(nanos, latency)));
    return levels;
  }

  private static @Nullable KnownCache matching(Step step, List<KnownCache> caches) {
    KnownCache best = null;
    for (KnownCache cache : caches) {
      double ratio = step.bytes() / cache.bytes();
      if (ratio < LARGER_MAX && ratio > 1 / SMALLER_MAX) {
        if (best == null || distance(step, cache) < distance(step, best)) {
          best = cache;
        }
      }
    }
    return best;
  }

  private static double distance(Step step, KnownCache cache) {
    return Math.abs(Math.log(step.bytes() / cache.bytes()));
  }

  static String size(double bytes) {
    return bytes < KIB * KIB
        ? String.format(Locale.ROOT, "%.0f KiB", bytes / KIB)
        : String.format(Locale.ROOT, "%.1f MiB", bytes / KIB / KIB);
  }
}
