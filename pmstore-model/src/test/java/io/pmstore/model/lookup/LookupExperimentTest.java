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
  private static final double LOOKUP = 90; // ns
  private static final double LINE = 12;

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
        new LookupExperiment(SMALL, directory, "FILE", line -> {}).run(List.of(1_000L, 20_000L), 2);
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
    assertEquals(Level.Kind.MEMORY, large.probes().getLast().getLast().kind());
  }

  /**
   * Times that follow from the lines and their misses are predicted, also for sizes that were not
   * fitted, although each probe is off by up to a third.
   */
  @Test
  void predictsWhatFollowsFromTheMisses() {
    List<Row> small = new ArrayList<>();
    for (long size : LookupModels.SMALL) {
      small.add(row(size, 0, small.size()));
    }
    List<Row> rows = new ArrayList<>();
    for (long size = 50_000; size < 7_000_000; size *= 2) {
      rows.add(row(size, Math.log(size / 10_000.0), rows.size()));
    }
    LookupModels models = new LookupModels(PROFILE, small, rows);
    assertEquals(LOOKUP, models.processor().lookup(), 1e-3);
    assertEquals(LINE, models.processor().line(), 1e-3);
    List<Prediction> predictions = models.predict();
    for (Prediction one : predictions) {
      assertEquals(one.measured(), one.fromCounters(), 0.03 * one.measured());
      assertEquals(one.measured(), one.fromCode(), 0.04 * one.measured());
    }
    assertTrue(predictions.stream().anyMatch(p -> !p.fitted()));
  }

  /** Makes a row of which all levels have the same misses, and a probe that is off. */
  private static Row row(long size, double misses, int number) {
    double lines = 2 + Math.log((double) size) / 2;
    // L1, L2 and L3 of the profile: 4.0, 18.4 and 77 ns.
    double nanos = LOOKUP + LINE * lines + misses * (4.0 + 18.4 + 77);
    double off = 1 + (number % 3 - 1) / 3.0;
    List<Level> levels =
        PROFILE.levels().stream()
            .map(level -> new Level(level.name(), level.kind(), level.bytes(), level.nanos() * off))
            .toList();
    List<Double> each = Collections.nCopies(Capacities.ALL.size(), misses);
    return new Row(size, nanos, nanos, 101, List.of(levels), lines, each, each);
  }
}
