package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.BankRun;
import io.pmstore.core.crash.CrashBudget;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tellers transfer money between accounts. After each power cut the sums hold: the heap has what a
 * prefix of one serial order of all transactions leaves, and no garbage.
 */
class TieredBankCrashTest {
  private static final int RUNS = 2;

  @TempDir Path temporary;

  @ParameterizedTest
  @EnumSource
  void aPowerCutLeavesWhatFirstTransactionsLeave(FaultModel model) throws Exception {
    long seed = TieredPowerCutTest.seed();
    for (int i = 0; i < CrashBudget.runs(RUNS); i++) {
      Path directory = Files.createDirectory(temporary.resolve("run" + i));
      BankRun run = TieredCrash.transfers(directory, new Disk(model, Barriers.all()), seed + i);
      run.run();
      System.out.printf("%s, seed %d: %s%n", model, seed + i, run.simulator());
      assertTrue(run.simulator().images() > 50, "images: " + run.simulator());
    }
  }
}
