package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Kills a process (SIGKILL, at a random moment, opening included) that commits on several threads.
 * Then it opens the store, checks that every acknowledged commit is there and no other is half
 * there, and continues with the same store. -Dpmstore.kill.rounds sets the number of rounds.
 */
public abstract class EngineKillTest extends EngineFixture {
  private static final int KILLED = 128 + 9;

  /**
   * Changes the environment of the process that gets killed.
   *
   * @param environment what this process would give it
   */
  protected void environment(Map<String, String> environment) {}

  /** How often, unless the property says so. */
  protected int rounds() {
    return 4;
  }

  /** How often a process is killed that works in a heap, unless the property says so. */
  protected int heapRounds() {
    return 2;
  }

  /** The longest that a process may commit before it is killed, in milliseconds. */
  protected int commitsMs() {
    return 400;
  }

  @Test
  void aKillLosesNothingAcknowledgedAndLeavesNothingHalf() throws Exception {
    Random random = new Random(seed());
    Path directory = directory("store");
    long[] acknowledged = new long[KillWorkload.THREADS];
    long before = 0;
    int rounds = Integer.getInteger("pmstore.kill.rounds", rounds());
    for (int round = 1; round <= rounds; round++) {
      // Every fourth is killed while it starts, opens, recovers or makes the store.
      boolean early = round < rounds && random.nextInt(4) == 0;
      runAndKill(directory, EngineKillChild.WRITE_SETS, acknowledged, random, early);
      Engine engine = opened(directory);
      KillWorkload.Finding finding = new KillWorkload(engine).check(acknowledged);
      long sum = 0;
      for (long count : acknowledged) {
        sum += count;
      }
      String report =
          "%s, kill %d: acknowledged %d found %d lost %d partial %s"
              .formatted(
                  getClass().getSimpleName(),
                  round,
                  sum,
                  finding.found(),
                  finding.lost(),
                  finding.partial().isEmpty() ? "0" : finding.partial());
      System.out.println(report);
      assertEquals(0, finding.lost(), report);
      assertEquals("", finding.partial(), report);
      assertTrue(finding.found() >= before, report);
      // What a thread did not hear of any more is there or not; the next round goes on from it.
      before = finding.found();
      engine.close();
    }
    assertTrue(before > 0, "no round got as far as a commit");
  }

  /** Objects of more than a chunk too: what their commits leave in free space is no bitmap. */
  @Test
  void aKillLeavesTheSpaceOfAHeapSound() throws Exception {
    Random random = new Random(seed());
    Path directory = directory("store");
    long[] acknowledged = new long[HeapKillWorkload.THREADS];
    int rounds = Integer.getInteger("pmstore.kill.rounds", heapRounds());
    for (int round = 1; round <= rounds; round++) {
      runAndKill(directory, EngineKillChild.HEAP, acknowledged, random, false);
      Engine engine = opened(directory);
      HeapKillWorkload workload = new HeapKillWorkload(engine);
      workload.check(acknowledged);
      workload.probe(acknowledged);
      workload.close();
    }
  }

  /** Runs the process until it is killed, and keeps what it acknowledged. */
  private void runAndKill(
      Path directory, String workload, long[] acknowledged, Random random, boolean early)
      throws Exception {
    int delayMs = early ? 50 + random.nextInt(500) : random.nextInt(commitsMs());
    Process process = start(directory, workload);
    try {
      CompletableFuture<Void> started = new CompletableFuture<>();
      if (early) {
        started.complete(null);
      }
      // Not through the Process, which would also close the stream with the last acknowledgements.
      CompletableFuture<Boolean> killed =
          started.thenApplyAsync(
              v -> process.toHandle().destroyForcibly(),
              CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS));
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
        for (String line = wholeLine(lines); line != null; line = wholeLine(lines)) {
          started.complete(null);
          String[] words = line.split(" ", 3);
          acknowledged[Integer.parseInt(words[0])] = Long.parseLong(words[1]);
        }
      }
      int exit = process.waitFor();
      assertEquals(KILLED, exit, "the process ended by itself; its errors are above");
      assertTrue(killed.get());
    } finally {
      process.destroyForcibly().waitFor();
    }
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

  private Process start(Path directory, String workload) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    // What a killed process extracted there stays behind.
    command.add("-Djava.io.tmpdir=" + directory.getParent());
    command.add("-cp");
    // The tests may run with modules; their process does without.
    command.add(
        System.getProperty("java.class.path")
            + File.pathSeparator
            + System.getProperty("jdk.module.path", ""));
    command.add(EngineKillChild.class.getName());
    command.add(getClass().getName());
    command.add(directory.toString());
    command.add(workload);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    environment(builder.environment());
    return builder.start();
  }
}
