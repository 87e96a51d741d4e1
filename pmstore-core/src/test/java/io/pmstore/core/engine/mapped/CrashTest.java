package io.pmstore.core.engine.mapped;

import io.pmstore.Storage;
import io.pmstore.core.crash.CrashSimulator.Effort;
import io.pmstore.core.crash.Disk;
import io.pmstore.core.crash.EngineOpener;
import io.pmstore.core.crash.EngineRun;
import io.pmstore.core.crash.FaultModel;
import java.nio.file.Path;

/** What tests with simulated crashes of the mapped engine have in common. */
abstract class CrashTest extends StoreTest {
  /** Opens mapped engines on media that the test makes. */
  static final EngineOpener OPENER =
      (medium, directory, threads) ->
          StoreOpener.open(directory, small(Storage.FILE), real -> medium, threads);

  private static final int RECOVERY_ONE_IN = 48;

  private int runs;

  /** A directory for one run. */
  final Path runDirectory() {
    return directory("run" + runs++);
  }

  /** Prepares several threads, sessions and commits of all sizes. */
  final EngineRun prepare(Disk disk, long seed) {
    // Persistent memory has more moments: each store is one.
    return prepare(disk, seed, new Effort(disk.model() == FaultModel.FILE ? 1 : 2, 64, 1, 600));
  }

  final EngineRun prepare(Disk disk, long seed, Effort effort) {
    return new EngineRun(
        new EngineRun.Setup(OPENER, runDirectory(), seed, 3, 5, 5, false, effort, RECOVERY_ONE_IN),
        disk);
  }
}
