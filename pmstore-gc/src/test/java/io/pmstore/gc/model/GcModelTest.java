package io.pmstore.gc.model;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.pmstore.Storage;
import io.pmstore.gc.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads change a graph of objects at random, keep and drop Java references and read snapshots,
 * while another thread collects the store all the time. After each round everything reachable is
 * whole, and a collection frees everything else.
 */
class GcModelTest {
  private static final int MINUTES = Integer.getInteger("pmstore.gc.minutes", 0);
  private static final int ROUNDS = Integer.getInteger("pmstore.gc.rounds", 4);

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY", "LLPL", "TIERED"})
  void whatIsReachableIsWholeAndAllElseIsFreed(Storage storage) {
    assertTimeoutPreemptively(Duration.ofMinutes(10 + 2 * MINUTES), () -> run(storage));
  }

  private void run(Storage storage) throws Exception {
    Random random = Seed.random("GcModelTest");
    try (ModelRun run = new ModelRun(directory.resolve("store"), storage, random)) {
      if (MINUTES > 0) {
        run.run(TimeUnit.MINUTES.toNanos(MINUTES));
      } else {
        for (int rounds = storage == Storage.FILE ? 2 * ROUNDS : ROUNDS; rounds > 0; rounds--) {
          run.round();
        }
      }
      run.finish();
    }
  }
}
