package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.CrashBudget;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power cuts while the log grows, because commits fill it or because a commit is larger than it.
 */
class LogGrowthCrashTest extends CrashTest {
  @ParameterizedTest
  @EnumSource
  void aPowerCutWhileTheLogGrowsLosesNothingAcknowledged(FaultModel model) throws Exception {
    long seed = seed();
    long grown = 0;
    for (int i = 0; i < CrashBudget.runs(8); i++) {
      Disk disk = new Disk(model, Barriers.all());
      EngineRun run = CrashRuns.growingLog(runDirectory(), disk, seed + i);
      run.run();
      System.out.printf("%s, seed %d: %s%n", model, seed + i, run.simulator());
      grown += run.scheduler().trace().stream().filter(step -> step.contains(".new")).count();
    }
    assertTrue(grown > 0, "no segment was replaced");
  }
}
