package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.CrashBudget;
import io.pmstore.core.crash.UpgradeRun;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Power cuts while objects are upgraded: each object is wholly as before or as after. */
class UpgradeCrashTest extends CrashTest {
  private static final int RUNS = 2;

  @ParameterizedTest
  @EnumSource
  void aPowerCutLeavesObjectsWhollyOldOrNew(FaultModel model) throws Exception {
    long seed = seed();
    long moved = 0;
    for (int i = 0; i < CrashBudget.runs(RUNS) || moved == 0; i++) {
      UpgradeRun run =
          CrashRuns.upgrades(runDirectory(), new Disk(model, Barriers.all()), seed + i);
      run.run();
      System.out.printf("%s, seed %d: %s%n", model, seed + i, run.simulator());
      assertTrue(run.simulator().images() > 50, "images: " + run.simulator());
      moved += run.moved();
    }
  }
}
