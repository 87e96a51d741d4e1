package io.pmstore.model.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.model.lookup.LookupExperiment.Row;
import io.pmstore.model.lookup.LookupModels.Prediction;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookupExperimentTest {
  private static final Profile PROFILE = ProfileFile.read("ddr4-2666-6-channels");

  @TempDir private Path directory;

  @Test
  void countsTheAccessesOfRealLookUps() throws Exception {
    List<Row> rows =
        new LookupExperiment(PROFILE, directory, "FILE", line -> {}).run(List.of(1_000L, 20_000L));
    Row small = rows.get(0);
    Row large = rows.get(1);
    assertTrue(small.nanos() > 0);
    // A map, a node at least, an entry; and not more than a map of this size can have.
    assertTrue(small.waits() >= 3 && small.waits() < 20, small::toString);
    assertTrue(large.waits() > small.waits(), large::toString);
    for (int i = 0; i < LookupExperiment.steps(PROFILE).size(); i++) {
      assertEquals(large.counted().get(i), large.simulated().get(i), 0.3, large.toString());
    }
    assertTrue(large.counted().get(0) > large.counted().get(1), large::toString);
    assertEquals(0, large.counted().get(2), "all of it is in the last cache");
  }

  /** Times that follow from the misses are predicted, also for sizes that were not fitted. */
  @Test
  void predictsWhatFollowsFromTheMisses() {
    List<Row> rows = new ArrayList<>();
    for (long size = 50_000; size < 7_000_000; size *= 2) {
      double misses = Math.log(size / 10_000.0);
      // L1, L2 and L3 of the profile: 4.0, 18.4 and 77 ns.
      double nanos = 150 + misses * (4.0 + 18.4 / 2 + 77 / 4.0);
      List<Double> each = List.of(misses, misses / 2, misses / 4);
      rows.add(new Row(size, nanos, nanos, 8, each, each));
    }
    Row small = new Row(1_000, 150, 150, 5, List.of(0.0, 0.0, 0.0), List.of(0.0, 0.0, 0.0));
    List<Prediction> predictions = new LookupModels(PROFILE, small, rows).predict();
    for (Prediction one : predictions) {
      assertEquals(one.measured(), one.fromCounters(), 0.01 * one.measured());
      assertEquals(one.measured(), one.fromCode(), 0.02 * one.measured());
    }
    assertTrue(predictions.stream().anyMatch(p -> !p.fitted()));
  }
}
