package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
 * The simulator's own check: without any one of the program's barriers, it finds data lost or
 * damaged. A barrier without which it finds nothing is of no use, or the simulator is blind.
 */
class BarrierControlTest extends StoreTest {
  private static final int RUNS_MAX = Integer.getInteger("runs", 6);

  @ParameterizedTest
  @EnumSource
  void everyBarrierIsMissed(FaultModel model) throws Exception {
    long seed = seed();
    SortedSet<String> sites = new TreeSet<>();
    for (int i = 0; i < RUNS_MAX; i++) {
      Barriers barriers = Barriers.all();
      run(model, barriers, seed + i, 0, "whole" + i);
      sites.addAll(barriers.passed().keySet());
    }
    System.out.println(sites.size() + " sites");
    List<String> notMissed = new ArrayList<>();
    for (String site : sites) {
      String found = null;
      long t = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      int i;
      for (i = 0; i < RUNS_MAX && found == null; i++) {
        found = run(model, Barriers.without(site), seed + i, 1, "without-" + sites.headSet(site).size() + "-" + i);
      }
      t = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - t;
      System.out.printf("%s: run %d, %d ms: %s%n", site, i, t / 1000000, found);
      if (found == null) {
        notMissed.add(site);
      }
    }
    assertEquals(List.of(), notMissed, "barriers that are not missed");
  }

  /** Returns what was found to be wrong, or null. */
  private String run(FaultModel model, Barriers barriers, long seed, double images, String name)
      throws Exception {
    EngineRun run =
        new EngineRun(
            new EngineRun.Setup(PowerCutTest.OPENER, directory(name), seed, 3, 3, 8, images),
            new Disk(model, barriers));
    try {
      run.run();
      return null;
    } catch (PowerCutFailure e) {
      return run.simulator().images() + " images; " + e.getMessage();
    }
  }
}
