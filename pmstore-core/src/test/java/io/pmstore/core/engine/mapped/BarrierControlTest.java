package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.Barriers;
import io.pmstore.core.crash.CrashSimulator.PowerCutFailure;
import io.pmstore.core.crash.Disk;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.core.crash.FaultModel;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulator's own check: without any one of the program's barriers it finds something lost or
 * damaged. A barrier of which that is not so is of no use, or the simulator is blind.
 */
class BarrierControlTest extends CrashTest {
  private static final int RUNS_TO_FIND_BARRIERS = 6;
  private static final int RUNS_MAX = 40;

  // What a method does beyond what these callers need: the header that is written next is synced.
  private static final List<String> MORE_THAN_NEEDED =
      List.of("allocate heap.new", "allocate log-*");

  @ParameterizedTest
  @EnumSource
  void everyBarrierIsMissed(FaultModel model) throws Exception {
    // Not a new seed each time: which of the runs shows a fault is a matter of luck.
    long seed = Long.getLong("pmstore.seed", 1);
    SortedSet<String> sites = new TreeSet<>();
    for (int i = 0; i < RUNS_TO_FIND_BARRIERS; i++) {
      Barriers barriers = Barriers.all();
      prepare(new Disk(model, barriers), seed + i).runOnly();
      sites.addAll(barriers.passed().keySet());
    }
    sites.removeIf(site -> MORE_THAN_NEEDED.stream().anyMatch(site::startsWith));
    assertTrue(sites.size() > 8, () -> "barriers found: " + sites);
    List<String> notMissed = new ArrayList<>();
    for (String site : sites) {
      if (!isMissed(model, site, seed)) {
        notMissed.add(site);
      }
    }
    assertEquals(List.of(), notMissed, "nothing is lost without these barriers");
  }

  private boolean isMissed(FaultModel model, String site, long seed) throws Exception {
    for (int i = 0; i < RUNS_MAX; i++) {
      EngineRun run = prepare(new Disk(model, Barriers.without(site)), seed + i);
      try {
        run.run();
      } catch (PowerCutFailure e) {
        System.out.printf("%s: without %s, run %d: %s%n", model, site, i, run.simulator());
        return true;
      }
    }
    return false;
  }
}
