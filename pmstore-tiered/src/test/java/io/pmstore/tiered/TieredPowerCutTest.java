package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.CrashBudget;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads commit, pools rotate and are spilled, and sessions end in a close, a kill or a power cut.
 * At every step the test examines every image that a power cut could leave, or many of them.
 */
class TieredPowerCutTest {
  private static final int RUNS = 1;

  @TempDir Path temporary;

  static long seed() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("-Dpmstore.seed=" + seed);
    return seed;
  }

  @ParameterizedTest
  @EnumSource
  void aPowerCutAtAnyMomentLosesNothingAcknowledged(FaultModel model) throws Exception {
    long seed = seed();
    for (int i = 0; i < CrashBudget.runs(RUNS); i++) {
      Path directory = Files.createDirectory(temporary.resolve("run" + i));
      EngineRun run = TieredCrash.commits(directory, new Disk(model, Barriers.all()), seed + i);
      run.run();
      System.out.printf("%s, seed %d: %s%n", model, seed + i, run.simulator());
      assertTrue(run.simulator().images() > 100, "images: " + run.simulator());
      assertTrue(run.simulator().exhausted() > 5, "moments: " + run.simulator());
    }
  }
}
