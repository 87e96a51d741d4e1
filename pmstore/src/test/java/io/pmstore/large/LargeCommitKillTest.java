package io.pmstore.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.pmdk.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process commits transactions of more than the log can hold, one after the other, says so after
 * each, and is killed in the middle of a commit or soon after it. All of what it said is there, and
 * of the last one all or nothing. -Dpmstore.kill.rounds says how often.
 */
@Timeout(3600)
class LargeCommitKillTest {
  private static final int KILLED = 128 + 9;

  @TempDir Path temporary;

  private static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults().storage(storage).logSegmentSize(2 << 20);
  }

  /** The process that is killed. The arguments: the directory of a store, its storage. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) {
      try (PmStore store = PmStore.open(Path.of(args[0]), options(Storage.valueOf(args[1])))) {
        Depot depot = store.root(Depot.class);
        for (int i = LargeCommits.held(depot) + 1; true; i++) {
          LargeCommits.commit(store, depot, i, () -> System.out.println("committing"));
          System.out.println(i);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY", "LLPL"})
  void aKillLosesNothingAcknowledgedAndLeavesNothingHalf(Storage storage) throws Exception {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    System.out.println("LargeCommitKillTest: -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    Path directory = temporary.resolve("store");
    int before = 0;
    int unacknowledged = 0;
    int rounds = Integer.getInteger("pmstore.kill.rounds", 2);
    for (int round = 1; round <= rounds; round++) {
      int commits = (round == 1 ? 2 : 1) + random.nextInt(2); // one is acknowledged for certain
      int acknowledged = runAndKill(directory, storage, commits, random);
      long opening = System.nanoTime();
      try (PmStore store = PmStore.open(directory, options(storage))) {
        opening = System.nanoTime() - opening;
        int held = LargeCommits.held(store.root(Depot.class));
        String report =
            "%s, kill %d: acknowledged %d, held %d; opened in %d ms"
                .formatted(storage, round, acknowledged, held, opening / 1_000_000);
        System.out.println(report);
        assertTrue(held >= Math.max(before, acknowledged), report);
        assertTrue(held <= Math.max(before, acknowledged) + 1, report);
        unacknowledged += held > Math.max(before, acknowledged) ? 1 : 0;
        before = held;
      }
      if (round % 10 == 0 || round == rounds) {
        assertTrue(PmStore.verify(directory).isSound(), "round " + round);
      }
    }
    assertTrue(before > 0, "no round got as far as a commit");
    System.out.println(unacknowledged + " were there that were not acknowledged");
  }

  /**
   * Runs the process until it is killed, at one of its commits or soon after it began; returns the
   * last number that it said, or 0.
   */
  private static int runAndKill(Path directory, Storage storage, int commits, Random random)
      throws Exception {
    Process process = new Program(Writer.class, directory, storage).with("-Xmx128m").start();
    int acknowledged = 0;
    int left = commits;
    try {
      CompletableFuture<Void> committing = new CompletableFuture<>();
      CompletableFuture<Boolean> killed =
          committing.thenApplyAsync(
              v -> process.toHandle().destroyForcibly(),
              CompletableFuture.delayedExecutor(random.nextInt(100), TimeUnit.MILLISECONDS));
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
        for (String line = wholeLine(lines); line != null; line = wholeLine(lines)) {
          if (!line.equals("committing")) {
            acknowledged = Integer.parseInt(line);
          } else if (--left == 0) {
            committing.complete(null);
          }
        }
      }
      assertEquals(KILLED, process.waitFor(), "it ended by itself; its errors are above");
      assertTrue(killed.get());
    } finally {
      process.destroyForcibly().waitFor();
    }
    return acknowledged;
  }

  /** A line that ends with a line feed: a cut one acknowledges nothing. */
  private static String wholeLine(BufferedReader lines) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = lines.read(); c >= 0; c = lines.read()) {
      if (c == '\n') {
        return line.toString();
      }
      line.append((char) c);
    }
    return null;
  }
}
