package io.pmstore.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment in this JVM, so that none can rot. */
final class BenchmarksTest {
  /** Those that cannot do without the native libraries of PMDK. */
  private static final String NATIVE = "\\.(Pmem\\w+\\.\\w+|llpl\\w*)$";

  private static final List<String> PROPERTIES =
      List.of(TemporaryDirectory.FILE, TemporaryDirectory.PMEM, "jmh.ignoreLock");

  @TempDir Path disk;
  private Path memory;

  @BeforeEach
  void chooseDirectories() throws IOException {
    Path shm = Path.of("/dev/shm");
    memory = Files.createTempDirectory(Files.isWritable(shm) ? shm : disk, "jmh-test-");
    System.setProperty(TemporaryDirectory.FILE, disk.toString());
    System.setProperty(TemporaryDirectory.PMEM, memory.toString());
    System.setProperty("jmh.ignoreLock", "true"); // another run on this machine is no matter here
  }

  @AfterEach
  void forgetDirectories() throws IOException {
    PROPERTIES.forEach(System::clearProperty);
    Files.delete(memory); // fails if a benchmark left something
  }

  @Test
  void benchmarksWithoutNativeLibraries() throws RunnerException {
    Set<String> expected = names(name -> !Pattern.compile(NATIVE).matcher(name).find());
    assertEquals(
        expected,
        run(
            new OptionsBuilder()
                .exclude(NATIVE)
                .param("storage", Storage.FILE.name())
                .param("form", "ENHANCED"))); // a JVM has a class as it is, or enhanced
  }

  @Test
  void benchmarksWithNativeLibraries() throws RunnerException, IOException {
    try {
      LlplPools.require(memory);
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      Assumptions.abort(e.getMessage());
    }
    Set<String> expected = names(name -> Pattern.compile(NATIVE).matcher(name).find());
    assertEquals(expected, run(new OptionsBuilder().include(NATIVE)));
  }

  /** The names of the benchmarks that the jar has. */
  private static Set<String> names(Predicate<String> wanted) {
    Set<String> names =
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
            .stream()
            .map(entry -> entry.getUsername())
            .filter(wanted)
            .collect(Collectors.toCollection(TreeSet::new));
    assertFalse(names.isEmpty(), "no benchmark was found");
    return names;
  }

  /** Runs benchmarks; returns the names of those that had a result. */
  private static Set<String> run(ChainedOptionsBuilder options) throws RunnerException {
    Set<String> run = new TreeSet<>();
    for (RunResult result :
        new Runner(
                options
                    .param("scatteredObjects", "64")
                    .param("bookSize", "2000")
                    .param("storedObjects", "0", "5000")
                    .param("recoveredObjects", "5000")
                    .param("logSegmentMib", "1")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(10))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run()) {
      double score = result.getPrimaryResult().getScore();
      String name = result.getParams().getBenchmark();
      assertTrue(score > 0, () -> name + " has a score of " + score);
      run.add(name);
    }
    return run;
  }
}
