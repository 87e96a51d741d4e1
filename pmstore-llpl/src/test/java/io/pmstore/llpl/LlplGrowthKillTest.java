package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Kills a process whose pool grows all the time (SIGKILL, at a random moment, its making and its
 * opening included), opens the pool and goes on with it. -Dpmstore.kill.rounds says how often.
 */
class LlplGrowthKillTest extends EngineFixture {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;
  private static final int EXTENTS_MAX = 56;

  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected LlplEngine open(Path directory) {
    return openToGrow(directory);
  }

  private static LlplEngine openToGrow(Path directory) {
    return LlplEngine.open(directory, PmStoreOptions.defaults().llplPoolSize(1 << 30));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }

  /** The process that gets killed: it has grown by an extent, and used it, before it says so. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      LlplEngine engine = openToGrow(Path.of(args[0]));
      for (long n = engine.memory().getLong(START) + 1; n <= EXTENTS_MAX; n++) {
        engine.grow(n * EXTENT);
        WriteSet writes = new WriteSet();
        writes.putLong(START, n);
        writes.putLong(n * EXTENT - 8, n);
        writes.put(START + 8, new byte[1 << 20], 0, 1 << 20); // through PMDK's undo log
        engine.commit(writes);
        System.out.println(n);
      }
      Thread.currentThread().join();
    }
  }

  @Test
  void aKillWhileThePoolGrowsLosesNothing() throws Exception {
    Random random = new Random(seed());
    int rounds = Integer.getInteger("pmstore.kill.rounds", 4);
    int stores = 0;
    long acknowledged = EXTENTS_MAX;
    long grown = 0;
    Path directory = directory("none");
    for (int round = 1; round <= rounds; round++) {
      if (acknowledged == EXTENTS_MAX) {
        directory = directory("store" + ++stores);
        acknowledged = 0;
      }
      long before = acknowledged;
      acknowledged = Math.max(before, runAndKill(directory, random.nextInt(400)));
      grown += acknowledged - before;
      try (Engine engine = opened(directory)) {
        acknowledged = check(engine, acknowledged);
      }
    }
    assertTrue(grown > 0, "no round got as far as growing");
  }

  private static long check(Engine engine, long acknowledged) {
    long found = engine.memory().getLong(START);
    String what = "acknowledged %d, found %d".formatted(acknowledged, found);
    System.out.println("LlplGrowthKillTest: " + what);
    assertTrue(found == acknowledged || found == acknowledged + 1, what);
    long extents = engine.memory().size() / EXTENT;
    assertTrue(extents == Math.max(1, found) || extents == found + 1, what + " in " + extents);
    for (long n = 1; n <= extents; n++) {
      assertEquals(n > found ? 0 : n, engine.memory().getLong(n * EXTENT - 8), what);
    }
    return found;
  }

  /** Runs the process until it is killed. Every other is killed as it comes to growing. */
  private static long runAndKill(Path directory, int delayMs)
      throws IOException, InterruptedException {
    Process process = new ChildJvm(Child.class, directory).start();
    long acknowledged = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      CompletableFuture<Void> started = new CompletableFuture<>();
      if (delayMs % 4 == 0) {
        started.complete(null);
      }
      CompletableFuture<Boolean> killed =
          started.thenApplyAsync(
              v -> process.toHandle().destroyForcibly(),
              CompletableFuture.delayedExecutor(
                  delayMs % 4 == 0 ? 200 + delayMs : delayMs, TimeUnit.MILLISECONDS));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged = Math.max(acknowledged, Long.parseLong(line)); // the last may be cut
        started.complete(null);
      }
      assertTrue(killed.join());
      assertEquals(128 + 9, process.waitFor(), "the process ended by itself");
    } finally {
      process.destroyForcibly().waitFor();
    }
    return acknowledged;
  }
}
