package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.crash.BankRun;
import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.crash.EngineOpener;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Path;

/** The runs of this engine in which the power is cut. */
final class TieredCrash {
  /** Opens engines on media that the test makes; header, pools and spills are on one. */
  static final EngineOpener OPENER =
      (medium, directory, threads) ->
          TieredOpener.open(
              directory,
              PmStoreOptions.defaults()
                  .storage(Storage.TIERED)
                  .tieredPoolSize(3 << 20), // a large change takes most of it
              real -> medium,
              1, // a base after every other spill
              threads);

  private static final int RECOVERY_ONE_IN = 48;

  private TieredCrash() {}

  /** Several threads, sessions and commits of all sizes: the large ones fill a pool. */
  static EngineRun commits(Path directory, Disk disk, long seed) {
    int momentOneIn = disk.model() == FaultModel.FILE ? 1 : 2;
    return commits(directory, disk, seed, new Effort(momentOneIn, 64, 1, 400));
  }

  static EngineRun commits(Path directory, Disk disk, long seed, Effort effort) {
    return new EngineRun(
        new EngineRun.Setup(OPENER, directory, seed, 3, 5, 6, false, effort, RECOVERY_ONE_IN),
        disk);
  }

  /** Tellers who transfer money in a heap, and an auditor. */
  static BankRun transfers(Path directory, Disk disk, long seed) {
    Effort effort = new Effort(disk.model() == FaultModel.FILE ? 2 : 4, 16, 1, 400);
    return new BankRun(
        new EngineRun.Setup(OPENER, directory, seed, 3, 3, 5, false, effort, 1), disk);
  }
}
