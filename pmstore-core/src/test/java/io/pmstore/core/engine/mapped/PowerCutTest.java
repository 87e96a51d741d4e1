package io.pmstore.core.engine.mapped;

import io.pmstore.Storage;
import io.pmstore.core.crash.Barriers;
import io.pmstore.core.crash.Disk;
import io.pmstore.core.crash.EngineOpener;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.core.crash.FaultModel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The power is cut at every step of threads that commit. */
class PowerCutTest extends StoreTest {
  static final EngineOpener OPENER =
      (medium, directory, threads) ->
          StoreOpener.open(directory, small(Storage.FILE), real -> medium);

  @ParameterizedTest
  @EnumSource
  void aPowerCutAtAnyMomentLosesNothingAcknowledged(FaultModel model) throws Exception {
    long seed = seed();
    for (int i = 0; i < Integer.getInteger("rounds", 1); i++) {
    Barriers barriers = Barriers.all();
    EngineRun.Setup setup = new EngineRun.Setup(OPENER, directory("stores" + i), seed + i, 3, 3, 8, model == FaultModel.FILE ? 1 : 0.5);
    EngineRun run = new EngineRun(setup, new Disk(model, barriers));
    long t = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
    run.run();
    } finally {
    System.out.printf(
        "%s: %d images at %d moments, %d exhausted; %d steps, %d ms%n%s%n",
        model,
        run.simulator().images(),
        run.simulator().moments(),
        run.simulator().exhausted(),
        run.scheduler().steps(),
        (java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - t) / 1000000,
        String.join("\n", barriers.passed().keySet()));
        }
        }
  }
}
