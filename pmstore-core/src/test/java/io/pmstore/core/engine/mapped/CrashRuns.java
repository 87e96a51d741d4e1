package io.pmstore.core.engine.mapped;

import io.pmstore.core.crash.BankRun;
import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.crash.EngineOpener;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.core.crash.UpgradeRun;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Path;

/** The runs of the mapped engine in which the power is cut. */
final class CrashRuns {
  private static final EngineOpener OPENER = TestStores.opener();
  private static final int RECOVERY_ONE_IN = 48;

  private CrashRuns() {}

  /** Several threads, sessions and commits of all sizes. */
  static EngineRun commits(Path directory, Disk disk, long seed) {
    // Persistent memory has more moments: each store is one.
    int momentOneIn = disk.model() == FaultModel.FILE ? 1 : 2;
    return commits(directory, disk, seed, new Effort(momentOneIn, 64, 1, 600));
  }

  static EngineRun commits(Path directory, Disk disk, long seed, Effort effort) {
    return new EngineRun(
        new EngineRun.Setup(OPENER, directory, seed, 3, 5, 5, false, effort, RECOVERY_ONE_IN),
        disk);
  }

  /** Records of one size: a segment that was used before has others at the same places. */
  static EngineRun equalRecords(Path directory, Disk disk, long seed) {
    Effort effort = new Effort(2, 16, 2, 300);
    return new EngineRun(
        new EngineRun.Setup(OPENER, directory, seed, 2, 2, 8, true, effort, 6), disk);
  }

  /** A log that starts small, and grows while commits fill it, and for large ones. */
  static EngineRun growingLog(Path directory, Disk disk, long seed) {
    Effort effort = new Effort(disk.model() == FaultModel.FILE ? 8 : 48, 16, 1, 200);
    return new EngineRun(
        new EngineRun.Setup(
            TestStores.opener(2 << 20), directory, seed, 2, 2, 6, false, effort, 48),
        disk);
  }

  /** Tellers who transfer money in a heap, and an auditor. */
  static BankRun transfers(Path directory, Disk disk, long seed) {
    Effort effort = new Effort(disk.model() == FaultModel.FILE ? 2 : 4, 16, 1, 400);
    return new BankRun(
        new EngineRun.Setup(OPENER, directory, seed, 3, 3, 5, false, effort, 1), disk);
  }

  /** Objects that are upgraded, a shape a session. */
  static UpgradeRun upgrades(Path directory, Disk disk, long seed) {
    Effort effort = new Effort(disk.model() == FaultModel.FILE ? 2 : 4, 16, 1, 400);
    return new UpgradeRun(
        new EngineRun.Setup(OPENER, directory, seed, 3, 4, 5, false, effort, 1), disk);
  }
}
