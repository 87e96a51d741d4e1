package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.CrashBudget;
import io.pmstore.core.crash.CrashSimulator.PowerCutFailure;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads commit, and sessions end in a close, a kill or a power cut. At every step the test
 * examines every image that a power cut could leave, or many of them.
 */
class PowerCutTest extends CrashTest {
  private static final int RUNS = 2;

  private EngineRun commits(FaultModel model, long seed) {
    return CrashRuns.commits(runDirectory(), new Disk(model, Barriers.all()), seed);
  }

  @ParameterizedTest
  @EnumSource
  void aPowerCutAtAnyMomentLosesNothingAcknowledged(FaultModel model) throws Exception {
    long seed = seed();
    for (int i = 0; i < CrashBudget.runs(RUNS); i++) {
      EngineRun run = commits(model, seed + i);
      run.run();
      System.out.printf("%s, seed %d: %s%n", model, seed + i, run.simulator());
      assertTrue(run.simulator().images() > 100, "images: " + run.simulator());
      assertTrue(run.simulator().exhausted() > 5, "moments: " + run.simulator());
    }
  }

  /**
   * Records of one size at the end of a segment: what a power cut leaves of the next segment must
   * not be taken for what the next process writes there.
   */
  @Test
  void recordsFromBeforeAPowerCutStayDead() throws Exception {
    long seed = seed();
    for (int i = 0; i < CrashBudget.runs(RUNS); i++) {
      Disk disk = new Disk(FaultModel.FILE, Barriers.all());
      EngineRun run = CrashRuns.equalRecords(runDirectory(), disk, seed + i);
      run.run();
      System.out.printf("seed %d: %s%n", seed + i, run.simulator());
    }
  }

  @Test
  void aRunIsReplayedFromItsSeed() throws Exception {
    long seed = seed();
    for (FaultModel model : FaultModel.values()) {
      List<String> first = trace(model, seed);
      assertTrue(first.size() > 1000, () -> "trace of " + first.size());
      assertEquals(first, trace(model, seed));
    }
  }

  private List<String> trace(FaultModel model, long seed) throws Exception {
    EngineRun run = commits(model, seed);
    run.runOnly();
    return run.scheduler().trace();
  }

  @Test
  void aPageWrittenBeforeItsLogRecordIsCaught() {
    EngineRun run = commits(FaultModel.FILE, seed());
    run.breakWriteAhead();
    assertThrows(PowerCutFailure.class, run::run);
  }
}
