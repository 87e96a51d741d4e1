package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.pmstore.PmStore;
import io.pmstore.cli.market.Exchange;
import io.pmstore.cli.market.Market;
import io.pmstore.core.medium.Directories;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool in a process of its own, which has none of the classes of the stored objects. */
class ProcessTest {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int ROUNDS_MAX = 50;

  @TempDir Path temp;
  private List<String> options = List.of();

  private record Outcome(int code, String out, String err) {}

  private Outcome pm(String input, Object... args) throws Exception {
    Process process = start(args);
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    return outcome(process);
  }

  private Outcome outcome(Process process) throws Exception {
    return new Outcome(
        process.waitFor(),
        Files.readString(temp.resolve("out")),
        Files.readString(temp.resolve("err")));
  }

  private Process start(Object... args) throws Exception {
    String classPath =
        String.join(
            File.pathSeparator,
            Arrays.stream(
                    System.getProperty(
                            "surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .filter(entry -> !Files.exists(Path.of(entry, "io/pmstore/cli/market")))
                .toList());
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                "io.pmstore.cli.Pm"));
    command.addAll(1, options);
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return new ProcessBuilder(command)
        .redirectOutput(temp.resolve("out").toFile())
        .redirectError(temp.resolve("err").toFile())
        .start();
  }

  /** The parts of a round in which a signal is to end a command in the middle of its work. */
  private interface Round {
    /** Makes what the command needs, and removes what the last round left. */
    void prepare() throws Exception;

    /** Returns true if the command has begun its work. */
    boolean hasBegun() throws Exception;

    /** Returns true if the command has not finished its work. The signal has ended it. */
    boolean isUnfinished() throws Exception;
  }

  /**
   * Runs a command and sends it a signal when it has begun its work. The signal may still arrive
   * too early or too late: then this method tries again.
   *
   * @param signal {@link #SIGTERM} or {@link #SIGKILL}
   */
  private Outcome end(int signal, Round round, Object... args) throws Exception {
    for (int i = 0; i < ROUNDS_MAX; i++) {
      round.prepare();
      Process process = start(args);
      while (!round.hasBegun() && !process.waitFor(1, TimeUnit.MILLISECONDS)) {}
      if (signal == SIGKILL) {
        process.destroyForcibly();
      } else {
        process.destroy();
      }
      Outcome ended = outcome(process);
      if (ended.code() == 128 + signal && round.isUnfinished()) {
        return ended;
      }
      assertTrue(List.of(0, 128 + signal).contains(ended.code()), ended::toString);
    }
    return fail("in %d rounds no signal came in the middle of the work".formatted(ROUNDS_MAX));
  }

  private Path filled() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 20_000);
    }
    return dir;
  }

  private static void assertIsEmpty(Path directory) throws Exception {
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** A file that has its name is whole: what is killed leaves none. */
  @Test
  void anExportThatIsKilledLeavesNoFile() throws Exception {
    Path dir = filled();
    Path target = Files.createDirectory(temp.resolve("exports"));
    Path file = target.resolve("export.json");
    Round round =
        new Round() {
          @Override
          public void prepare() throws Exception {
            Files.deleteIfExists(file);
          }

          @Override
          public boolean hasBegun() throws Exception {
            return sizes(target) > 0;
          }

          @Override
          public boolean isUnfinished() {
            return !Files.exists(file);
          }
        };
    Outcome killed = end(SIGTERM, round, "export", dir, "-o", file);
    assertEquals("", killed.err());
    assertIsEmpty(target);
  }

  /** Neither beside a directory that it would create nor in one that exists. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anImportThatIsKilledLeavesNothing(boolean exists) throws Exception {
    Path file = temp.resolve("export.json");
    Cli.ok("export", filled(), "-o", file);
    Path parent = Files.createDirectory(temp.resolve("imports"));
    Path target = parent.resolve("store");
    Path where = exists ? target : parent;
    Round round =
        new Round() {
          @Override
          public void prepare() throws Exception {
            Directories.delete(target);
            if (exists) {
              Files.createDirectory(target);
            }
          }

          @Override
          public boolean hasBegun() throws Exception {
            return holdsUnfinishedHeap(where);
          }

          @Override
          public boolean isUnfinished() {
            return !Files.exists(target.resolve("heap"));
          }
        };
    Outcome killed = end(SIGTERM, round, "import", target, file);
    assertEquals("", killed.err());
    assertIsEmpty(where);
  }

  /** What a killed backup leaves is no store, and the same command replaces it. */
  @Test
  void aBackupThatIsKilledIsMadeAgain() throws Exception {
    Path dir = filled();
    Path target = temp.resolve("backup");
    Path unfinished = target.resolve("heap.backup");
    Round round =
        new Round() {
          @Override
          public void prepare() throws Exception {
            Directories.delete(target);
          }

          @Override
          public boolean hasBegun() {
            return Files.exists(unfinished);
          }

          @Override
          public boolean isUnfinished() {
            return Files.exists(unfinished);
          }
        };
    Outcome _ = end(SIGKILL, round, "backup", dir, target);
    Outcome looked = pm("", "info", target);
    assertEquals(3, looked.code(), looked.out());
    assertTrue(looked.err().contains("unfinished backup"), looked.err());
    assertEquals(0, pm("", "backup", dir, target).code());
    assertEquals(0, pm("", "verify", target).code());
  }

  /** It frees in transactions: what was freed stays free, and the next run goes on. */
  @ParameterizedTest
  @ValueSource(ints = {SIGTERM, SIGKILL})
  void aCompactionThatIsEndedLosesNothing(int signal) throws Exception {
    Path original = temp.resolve("original");
    try (PmStore store = PmStore.open(original, Market.options().gcInBackground(false))) {
      Market.fill(store, 1_000);
      Market.fillLarge(store, 200_000);
      store.root(Exchange.class).getKinds().getValues().clear();
    }
    long garbage = garbage(original);
    Path compacted = StoreFiles.copy(original, temp.resolve("compacted"));
    Cli.ok("compact", compacted, "--gc");
    Path dir = temp.resolve("store");
    Round round =
        new Round() {
          private long copied;

          @Override
          public void prepare() throws Exception {
            Directories.delete(dir);
            StoreFiles.copy(original, dir);
            copied = logWritten(dir);
          }

          @Override
          public boolean hasBegun() throws Exception {
            return logWritten(dir) > copied;
          }

          @Override
          public boolean isUnfinished() {
            long left = garbage(dir);
            return 0 < left && left < garbage;
          }
        };
    Outcome _ = end(signal, round, "compact", dir, "--gc");
    assertEquals(0, pm("", "verify", dir).code());
    assertEquals(0, pm("", "compact", dir, "--gc").code());
    assertEquals(0, garbage(dir));
    assertEquals(Cli.ok("classes", compacted), Cli.ok("classes", dir));
  }

  private static long garbage(Path directory) {
    return PmStore.verify(directory, Market.options()).garbageObjects();
  }

  /** Returns when a process last wrote to the log of a store, in milliseconds. */
  private static long logWritten(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("log-"))
          .mapToLong(file -> file.toFile().lastModified())
          .max()
          .orElseThrow();
    }
  }

  private static boolean holdsUnfinishedHeap(Path directory) throws Exception {
    try (Stream<Path> made = Files.list(directory)) {
      return made.anyMatch(path -> Files.exists(path.resolve("heap")));
    }
  }

  private static long sizes(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aStoreIsShownAndCopiedWithoutItsClasses() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 40);
    }
    Outcome shown = pm("", "show", dir, "exchange.orders[7]", "--depth", 3);
    assertEquals(0, shown.code(), shown.err());
    assertEquals("", shown.err());
    assertEquals(Cli.ok("show", dir, "exchange.orders[7]", "--depth", 3), shown.out());
    options = List.of("-Duser.language=ar", "-Duser.country=EG"); // with digits of their own
    assertEquals(shown, pm("", "show", dir, "exchange.orders[7]", "--depth", 3));
    options = List.of();

    Path file = temp.resolve("export.json");
    assertEquals(0, pm("", "export", dir, "-o", file).code());
    Path copy = temp.resolve("copy");
    Outcome imported = pm("", "import", copy, file);
    assertEquals(0, imported.code(), imported.err());
    assertTrue(Cli.ok("show", copy, "exchange.orders[7].price").endsWith("BigDecimal  7.50\n"));

    Outcome shell =
        pm("show exchange.name\nfind Order --count\nshow exchange.nothing\nexit\n", "shell", dir);
    assertTrue(shell.out().contains("\"XNAS\""), shell.out() + shell.err());
    assertTrue(shell.out().contains("40"), shell.out());
    assertTrue(shell.out().contains("has no .nothing"), shell.out());
  }
}
