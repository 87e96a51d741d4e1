package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.cli.market.Market;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool in a process of its own, which has none of the classes of the stored objects. */
class ProcessTest {
  @TempDir Path temp;

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
    for (Object arg : args) {
      command.add(arg.toString());
    }
    return new ProcessBuilder(command)
        .redirectOutput(temp.resolve("out").toFile())
        .redirectError(temp.resolve("err").toFile())
        .start();
  }

  /** A file that has its name is whole: what is killed leaves none. */
  @Test
  void anExportThatIsKilledLeavesNoFile() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 20_000);
    }
    Path target = Files.createDirectory(temp.resolve("exports"));
    Process process = start("export", dir, "-o", target.resolve("export.json"));
    await(process, () -> sizes(target) > 0);
    process.destroy(); // SIGTERM
    Outcome killed = outcome(process);
    assertEquals(128 + 15, killed.code(), killed.err());
    try (Stream<Path> left = Files.list(target)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** Neither beside a directory that it would create nor in one that exists. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anImportThatIsKilledLeavesNothing(boolean exists) throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 20_000);
    }
    Path file = temp.resolve("export.json");
    Cli.ok("export", dir, "-o", file);
    Path parent = Files.createDirectory(temp.resolve("imports"));
    Path target = exists ? Files.createDirectory(parent.resolve("store")) : parent.resolve("store");
    Process process = start("import", target, file);
    Path where = exists ? target : parent;
    await(process, () -> holdsUnfinishedHeap(where));
    process.destroy(); // SIGTERM
    Outcome killed = outcome(process);
    assertEquals(128 + 15, killed.code(), killed.err());
    assertEquals("", killed.err());
    try (Stream<Path> left = Files.list(where)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** What a killed backup leaves is no store, and the same command replaces it. */
  @Test
  void aBackupThatIsKilledIsMadeAgain() throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 20_000);
    }
    Path target = temp.resolve("backup");
    Process process = start("backup", dir, target);
    await(process, () -> Files.exists(target.resolve("heap.backup")));
    process.destroyForcibly();
    assertEquals(128 + 9, outcome(process).code());
    Outcome looked = pm("", "info", target);
    assertEquals(3, looked.code(), looked.out());
    assertTrue(looked.err().contains("unfinished backup"), looked.err());
    assertEquals(0, pm("", "backup", dir, target).code());
    assertEquals(0, pm("", "verify", target).code());
  }

  /** It frees in transactions: what was freed stays free, and the next run goes on. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCompactionThatIsEndedLosesNothing(boolean forcibly) throws Exception {
    Path dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 20_000);
    }
    String before = Cli.ok("classes", dir);
    FileTime closed = Files.getLastModifiedTime(dir.resolve("heap"));
    Process process = start("compact", dir, "--gc");
    await(process, () -> !Files.getLastModifiedTime(dir.resolve("heap")).equals(closed));
    if (forcibly) {
      process.destroyForcibly();
    } else {
      process.destroy();
    }
    assertEquals(128 + (forcibly ? 9 : 15), outcome(process).code());
    assertEquals(0, pm("", "verify", dir).code());
    assertEquals(before, Cli.ok("classes", dir));
    assertEquals(0, pm("", "compact", dir, "--gc").code());
  }

  /** Waits until a condition holds; fails if the process ends before. */
  private static void await(Process process, Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      assertFalse(process.waitFor(1, TimeUnit.MILLISECONDS), "the process has ended before");
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
