package io.pmstore.pmdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The traps of PMDK and LLPL: programs that walk into each of them and come out. They run in JVMs
 * of their own, which a trap would end.
 */
class LlplTrapsTest {
  private static final int DIED = 9;

  @TempDir Path directory;

  @BeforeEach
  void available() {
    try {
      Bank.open(directory.resolve("available")).close();
    } catch (PmStoreException e) {
      if (!e.getMessage().contains("libpmem")) {
        throw e;
      }
      System.out.println("SKIPPED: LLPL: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  private void runs(String program) {
    new Program(TrapPrograms.class, program, directory.resolve("store")).run();
  }

  @Test
  void whoCatchesAnExceptionInATransactionGoesOn() {
    runs("exceptions");
  }

  @Test
  void aFullPoolRefusesWhatNeedsRoomAndGoesOn() {
    runs("full");
  }

  @Test
  void aTransactionTooLargeForTheUndoLogChangesNothing() {
    runs("tooLarge");
  }

  @Test
  void aTransactionCannotUseTwoStores() {
    runs("twoStores");
  }

  @Test
  void aTransactionInsideOneOfLlplsOwnIsByItself() {
    runs("ownTransaction");
  }

  @Test
  void virtualThreadsThatWaitInTransactionsShareNone() {
    new Program(TrapPrograms.class, "virtualThreads", directory.resolve("store"))
        .with("-Djdk.virtualThreadScheduler.parallelism=2")
        .run();
  }

  @Test
  void whatIsUsedAfterCloseOrDuringItSaysSo() {
    runs("close");
  }

  /** A store that was closed, or whose process died in the middle of a transaction. */
  private Path store(boolean died) {
    Path store = directory.resolve("store");
    new Program(TrapPrograms.class, "die", store).run(DIED);
    if (!died) {
      Bank.open(store).close();
    }
    return store;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDamagedPoolIsRefusedAndCrashesNothing(boolean died) {
    List<String> lines =
        new Program(DamageProgram.class, store(died), directory.resolve("copy"))
            .with("-Dpmstore.llpl.trial.seconds=10")
            .run();
    Map<String, String> outcomes = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", 2);
      if (words[0].matches("[a-z]+:[-0-9a-z:]+")) {
        outcomes.put(words[0], words[1]);
      }
    }
    String all = String.join("\n", lines);
    assertTrue(outcomes.size() >= 10, all);
    outcomes.forEach(
        (damage, outcome) -> {
          switch (damage.substring(0, damage.indexOf(':'))) {
            case "cut", "lane", "undo", "chunks" ->
                assertTrue(
                    outcome.matches("refused: .*restore (it|the store) from a backup.*"), all);
            case "objects" -> assertFalse(outcome.equals("unnoticed"), all);
            case "chunk", "any" -> assertTrue(died || outcome.startsWith("refused: "), all);
            default -> assertEquals("value", damage.substring(0, damage.indexOf(':')), all);
          }
        });
  }

  @Test
  void aPoolIsTriedApartWhenItWasNotClosedOrIsVerified() {
    new Program(TrapPrograms.class, "trials", store(true)).run();
  }

  @Test
  void whereNoTrialCanBeRunThePoolIsOpenedWithAWarning() {
    List<String> lines = new Program(TrapPrograms.class, "noTrial", store(true)).run();
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("is opened without a trial")),
        () -> "" + lines);
  }

  /** PMDK's lock on a pool, as a process has it that was killed and is not gone yet. */
  private static Process locked(Path pool, int seconds) throws IOException {
    Process holder;
    try {
      holder =
          new ProcessBuilder("flock", "-x", pool.toString(), "sh", "-c", "echo; sleep " + seconds)
              .start();
    } catch (IOException e) {
      System.out.println("SKIPPED: no flock: " + e.getMessage());
      return abort(e.getMessage());
    }
    assertEquals('\n', holder.getInputStream().read());
    return holder;
  }

  @Test
  void aTrialWaitsForOneWhoseProgramWasKilled() throws IOException {
    Path store = store(true);
    locked(DamageProgram.pool(store), 2);
    List<String> lines = new Program(OpenProgram.class, store, "LLPL").run();
    assertEquals(2, lines.stream().filter("opened"::equals).count(), () -> "" + lines);
  }

  @Test
  void aTrialThatDoesNotEndIsEnded() throws IOException {
    Path store = store(true);
    Process holder = locked(DamageProgram.pool(store), 60);
    try {
      List<String> lines =
          new Program(OpenProgram.class, store, "LLPL")
              .with("-Dpmstore.llpl.trial.seconds=2")
              .run();
      assertTrue(
          lines.getLast().contains("did not come to an end within 2 seconds"), () -> "" + lines);
    } finally {
      holder.descendants().forEach(ProcessHandle::destroyForcibly);
      holder.destroyForcibly();
    }
  }

  @Test
  void aTrialChangesNothingAndLeavesNothing() throws IOException {
    Path store = store(true);
    Path pool = DamageProgram.pool(store);
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    Path before = Files.copy(pool, directory.resolve("before"));
    // What the trial fails at, after a recovery and more: all of it in its own memory.
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(8), DamageProgram.CHUNKS);
    }
    Path damaged = Files.copy(pool, directory.resolve("damaged"));
    List<String> lines =
        new Program(OpenProgram.class, store, "LLPL").with("-Djava.io.tmpdir=" + temporary).run();
    assertTrue(lines.getLast().contains("is damaged"), () -> "" + lines);
    assertEquals(-1, Files.mismatch(pool, damaged));
    try (var files = Files.list(temporary)) {
      assertEquals(List.of(), files.toList());
    }
    // Mended, it opens with all that was committed.
    Files.copy(before, pool, StandardCopyOption.REPLACE_EXISTING);
    try (PmStore opened = Bank.open(store)) {
      Bank bank = Bank.of(opened);
      assertEquals(10 * Bank.Account.BEGINNING, opened.snapshot(bank::sum));
      assertEquals(2000, bank.getNotes().size());
    }
  }
}
