package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.crash.BankRun;
import io.pmstore.core.crash.CrashBudget;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transactions of several threads under one scheduler. After each power cut the heap holds a prefix
 * of one serial order of all transactions, and no garbage.
 */
class BankCrashTest extends CrashTest {
  private static final int RUNS = 2;
  private static final int RUNS_WITHOUT_CUTS = 20;

  private BankRun bank(FaultModel model, long seed) {
    return CrashRuns.transfers(runDirectory(), new Disk(model, Barriers.all()), seed);
  }

  @ParameterizedTest
  @EnumSource
  void aPowerCutLeavesWhatFirstTransactionsLeave(FaultModel model) throws Exception {
    long seed = seed();
    for (int i = 0; i < CrashBudget.runs(RUNS); i++) {
      BankRun run = bank(model, seed + i);
      run.run();
      System.out.printf("%s, seed %d: %s%n", model, seed + i, run.simulator());
      assertTrue(run.simulator().images() > 50, "images: " + run.simulator());
    }
  }

  @Test
  void transactionsAreSerializableInManyInterleavings() throws Exception {
    long seed = seed();
    for (int i = 0; i < CrashBudget.runs(RUNS_WITHOUT_CUTS); i++) {
      for (FaultModel model : FaultModel.values()) {
        bank(model, seed + i).runOnly();
      }
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
    BankRun run = bank(model, seed);
    run.runOnly();
    return run.scheduler().trace();
  }
}
