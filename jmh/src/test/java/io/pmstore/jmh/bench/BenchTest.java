package io.pmstore.jmh.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.ResultFiles;
import io.pmstore.jmh.results.Results;
import io.pmstore.oms.run.JvmCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line, with steps in JVMs of their own. */
final class BenchTest {
  private final StringWriter err = new StringWriter();
  private final StringWriter printed = new StringWriter();
  private final List<Results> reported = new ArrayList<>();

  @TempDir Path directory;
  private Path file;
  private Path pmem;
  private Path out;

  @BeforeEach
  void makeDirectories() throws IOException {
    file = Files.createDirectory(directory.resolve("file"));
    pmem = Files.createDirectory(directory.resolve("pmem"));
    out = directory.resolve("out");
  }

  private int execute(Duration grace, String... args) {
    CommandLine line =
        Bench.commandLine(
            List.of(new TinySuite()),
            TinySuite.class,
            (results, where) -> {
              assertEquals(out, where);
              reported.add(results);
            },
            grace);
    return line.setErr(new PrintWriter(err)).setOut(new PrintWriter(printed)).execute(args);
  }

  private int run(Duration grace, String... args) {
    List<String> all =
        Stream.concat(
                Stream.of(
                    "--out", out.toString(), "--file", file.toString(), "--pmem", pmem.toString()),
                Stream.of(args))
            .toList();
    return execute(grace, all.toArray(String[]::new));
  }

  private Results results() {
    return ResultFiles.readJson(out.resolve("results.json"));
  }

  private void assertNothingLeft() throws IOException {
    for (Path where : List.of(file, pmem)) {
      try (Stream<Path> left = Files.list(where)) {
        assertEquals(List.of(), left.toList());
      }
    }
    assertFalse(Files.exists(out.resolve("fragment.json")));
  }

  @Test
  void goodAndOmittedStepsMakeAGoodRun() throws IOException {
    int exit =
        run(Duration.ofMinutes(2), "--steps", "good|omitted", "--seed", "42", "--rounds", "2");
    assertEquals(0, exit, err::toString);
    Results results = results();
    assertEquals(
        List.of(
            new Measurement(TinySuite.subject("seed"), "time", "ns", List.of(42.0, 42.0)),
            new Measurement(TinySuite.subject("force"), "time", "ns", List.of(1.0, 1.0))),
        results.measurements());
    assertEquals(
        List.of(new Omission("tiny/omitted", "this machine has no such thing")),
        results.omissions());
    assertEquals("42", results.run().get("seed"));
    assertEquals("quick", results.run().get("scale"));
    assertTrue(results.run().get("command").contains("--steps 'good|omitted' --seed 42"));
    assertEquals(List.of(results), reported);
    assertEquals(3, Files.readAllLines(out.resolve("results.csv")).size());
    try (Stream<Path> logs = Files.list(out.resolve("logs"))) {
      assertEquals(List.of(), logs.toList());
    }
    assertNothingLeft();
  }

  @Test
  void aStepThatFailsIsToldAndTheRunGoesOn() throws IOException {
    assertEquals(
        1, run(Duration.ofMinutes(2), "--steps", "silent|throwing|exiting|looking|omitted"));
    assertEquals(
        List.of(
            new Omission("tiny/omitted", "this machine has no such thing"),
            new Omission("tiny/silent", "failed: tiny/silent ended without a measurement"),
            new Omission("tiny/throwing", "failed: the wheel came off"),
            new Omission(
                "tiny/exiting", "failed: its JVM ended with exit code 7 and left no results"),
            new Omission("tiny/looking", "beside its directory: []")),
        results().omissions());
    assertEquals(List.of(), results().measurements());
    String log = Files.readString(out.resolve("logs/tiny_throwing.log"));
    assertTrue(log.contains("at io.pmstore.jmh.bench.TinySuite.fail"), log);
    assertEquals(1, reported.size());
    assertNothingLeft();
  }

  @Test
  void aStepThatHangsIsEnded() throws IOException {
    assertEquals(1, run(Duration.ofSeconds(1), "--steps", "hanging"));
    assertEquals(
        List.of(new Omission("tiny/hanging", "failed: not done after 2 s, and was ended")),
        results().omissions());
    assertNothingLeft();
  }

  @Test
  void pmdkIsNotForcedForAStepThatSyncs() {
    assertEquals(0, run(Duration.ofMinutes(2), "--steps", "unforced"));
    assertEquals(
        List.of(new Omission("tiny/unforced", "PMEM_IS_PMEM_FORCE=null")), results().omissions());
  }

  /** What has been measured stays, all else goes. Control-C is another signal of the kind. */
  @Test
  void anInterruptedRunKeepsWhatItHas() throws Exception {
    List<String> command =
        JvmCommand.of(
            TinyBench.class,
            List.of(
                "--steps",
                "good|hanging",
                "--out",
                out.toString(),
                "--file",
                file.toString(),
                "--pmem",
                pmem.toString()));
    Path printedByBench = directory.resolve("printed");
    Process bench =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printedByBench.toFile())
            .start();
    Optional<ProcessHandle> step = Optional.empty();
    try {
      step = ProcessHandle.of(pidOfHangingStep(bench));
      assertTrue(step.isPresent());
      bench.destroy();
      assertEquals(143, bench.waitFor(), () -> read(printedByBench));
      assertFalse(step.orElseThrow().isAlive());
    } finally {
      step.ifPresent(ProcessHandle::destroyForcibly);
      bench.destroyForcibly();
    }
    assertEquals(
        Set.of("seed", "force"),
        results().measurements().stream()
            .map(measurement -> measurement.subject().target())
            .collect(Collectors.toSet()));
    assertEquals(List.of(), results().omissions());
    for (Path where : List.of(file, pmem)) {
      try (Stream<Path> left = Files.list(where)) {
        assertEquals(List.of(), left.toList());
      }
    }
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the step runs. */
  private long pidOfHangingStep(Process bench) throws Exception {
    while (bench.isAlive()) {
      try (Stream<Path> files = Files.find(file, 3, (path, a) -> path.endsWith("pid"))) {
        String pid = files.findFirst().map(BenchTest::read).orElse("");
        if (pid.endsWith("\n")) {
          return Long.parseLong(pid.strip());
        }
      } catch (UncheckedIOException e) {
        // The directory of the step before was deleted meanwhile; look again.
        assertTrue(e.getCause() instanceof NoSuchFileException, e::toString);
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("the driver ended before the step");
  }

  @Test
  void whatCannotBeWrittenIsToldInOneLine() throws IOException {
    Path plain = Files.writeString(directory.resolve("plain"), "");
    out = plain.resolve("out");
    assertEquals(1, run(Duration.ZERO, "--steps", "good"));
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains(plain.toString()), err::toString);
  }

  @Test
  void theReportIsWrittenAgain() throws IOException {
    Files.createDirectories(out);
    Results results = new Results(Map.of("a", "b"), List.of(), List.of(), List.of());
    ResultFiles.writeJson(results, out.resolve("results.json"));
    assertEquals(0, execute(Duration.ZERO, "report", out.toString()));
    assertEquals(List.of(results), reported);
    Files.writeString(out.resolve("results.json"), "[]");
    assertEquals(1, execute(Duration.ZERO, "report", out.toString()));
    assertEquals(1, err.toString().lines().count(), err::toString);
  }

  @Test
  void stepsAreListed() {
    assertEquals(0, execute(Duration.ZERO, "full", "--list", "--steps", "good|om"));
    assertEquals(
        List.of("   0.2 s  tiny/good", "   0.2 s  tiny/omitted", "2 steps, about 0:00 in all"),
        printed.toString().lines().toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "slow; the scale is quick or full, not 'slow'",
        "quick full; Unmatched argument",
        "--suites oms; there is no suite 'oms'; the suites are tiny",
        "--steps x{; --steps is no regular expression",
        "--steps nothing; no step has a name that --steps 'nothing' finds",
        "--rounds 0; --rounds must be from 1 to",
        "--seed x; 'x'",
        "--file /nowhere; --file: /nowhere is no directory",
        "--pmem /nowhere; --pmem: /nowhere is no directory",
        "--pmem /proc/version; is no directory",
        "report /nowhere; there is no /nowhere/results.json",
        "report; DIR",
        "--wrong; --wrong",
      })
  void wrongArgumentsAreToldInOneLine(String args, String message) {
    assertEquals(2, execute(Duration.ZERO, args.split(" ")));
    assertTrue(err.toString().lines().findFirst().orElseThrow().contains(message), err::toString);
    assertEquals(2, err.toString().lines().count(), err::toString);
  }

  @Test
  void resultsAreNotReplaced() throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("results.json"), "");
    assertEquals(2, run(Duration.ZERO, "--steps", "good"));
    assertTrue(err.toString().contains("has results already"), err::toString);
  }

  @Test
  void theCommandOfARunDoesNotSayWhereItsResultsWent() {
    assertEquals(
        "./bench quick --suites=oms '--steps=a|b'",
        Bench.command(
            List.of("quick", "--out=/a/b", "--suites=oms", "--out", "/c/d", "--steps=a|b")));
  }
}
