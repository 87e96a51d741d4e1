package io.pmstore.model.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.model.lookup.LookupExperiment.Row;
import io.pmstore.model.lookup.LookupModels.Prediction;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookupExperimentTest {
  private static final Profile PROFILE = ProfileFile.read("ddr4-2666-6-channels");

  /** The same with a smaller memory, which is read in turns with the look-ups. */
  private static final Profile SMALL =
      new Profile(
          "small",
          PROFILE.kind(),
          PROFILE.sources(),
          PROFILE.machine(),
          PROFILE.method(),
          PROFILE.figures(),
          List.of(
              PROFILE.levels().get(0),
              PROFILE.levels().get(1),
              PROFILE.levels().get(2),
              new Level("memory", Level.Kind.MEMORY, 32 << 20, 101)),
          PROFILE.series());

  @TempDir private Path directory;

  @Test
  void countsTheAccessesOfRealLookUps() throws Exception {
    List<Row> rows =
        new LookupExperiment(SMALL, directory, "FILE", line -> {}).run(List.of(1_000L, 20_000L));
    Row small = rows.get(0);
    Row large = rows.get(1);
    assertTrue(small.nanos() > 0);
    // A map, a node at least, an entry; and not more than a map of this size can have.
    assertTrue(small.waits() >= 3 && small.waits() < 20, small::toString);
    assertTrue(large.waits() > small.waits(), large::toString);
    for (int i = 0; i < Capacities.ALL.size(); i++) {
      assertEquals(large.counted().get(i), large.simulated().get(i), 0.3, large.toString());
    }
    assertTrue(large.counted().get(0) > large.counted().get(4), large::toString);
    Level all = new Level("cache", Level.Kind.CACHE, 1 << 26, 1);
    assertEquals(0, Capacities.misses(large.counted(), all), "all of it fits");
    assertEquals(Level.Kind.MEMORY, large.levels().getLast().kind());
  }

  /** Times that follow from the misses are predicted, also for sizes that were not fitted. */
  @Test
  void predictsWhatFollowsFromTheMisses() {
    List<Row> rows = new ArrayList<>();
    for (long size = 50_000; size < 7_000_000; size *= 2) {
      double misses = Math.log(size / 10_000.0);
      // L1, L2 and L3 of the profile: 4.0, 18.4 and 77 ns; the same misses in all.
      double nanos = 150 + misses * (4.0 + 18.4 + 77);
      rows.add(row(size, nanos, misses));
    }
    Row small = row(1_000, 150, 0);
    List<Prediction> predictions = new LookupModels(PROFILE, small, rows).predict();
    for (Prediction one : predictions) {
      assertEquals(one.measured(), one.fromCounters(), 0.01 * one.measured());
      assertEquals(one.measured(), one.fromCode(), 0.02 * one.measured());
    }
    assertTrue(predictions.stream().anyMatch(p -> !p.fitted()));
  }

  private static Row row(long size, double nanos, double misses) {
    List<Double> each = Collections.nCopies(Capacities.ALL.size(), misses);
    return new Row(size, nanos, nanos, 101, PROFILE.levels(), 8, each, each);
  }
}
