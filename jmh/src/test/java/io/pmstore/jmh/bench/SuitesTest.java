package io.pmstore.jmh.bench;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every step of every suite for a moment in this JVM, so that none can rot. */
final class SuitesTest {
  /**
   * What may be nothing: a log that is deleted at the end, bytes that were not yet written, and
   * what ended within a moment, if an operation took longer. That one ended its percentiles show.
   */
  private static final Set<String> ZERO_IS_RIGHT =
      Set.of("log", "written", "files", "throughput", "idle throughput");

  private static final Set<String> MEDIA = Set.of("file", "pmem", "memory");
  private static final Set<String> DURABILITIES = Set.of("sync", "relaxed", "none");

  /** What a machine may lack. */
  private static final Pattern REQUIREMENT = Pattern.compile("libpmem|LLPL|PostgreSQL");

  private static final List<String> PROPERTIES =
      List.of(TemporaryDirectory.FILE, TemporaryDirectory.PMEM, "jmh.ignoreLock");

  @TempDir Path file;
  private Path pmem;

  @BeforeEach
  void chooseDirectories() throws IOException {
    Path shm = Path.of("/dev/shm");
    pmem = Files.createTempDirectory(Files.isWritable(shm) ? shm : file, "suites-test-");
    System.setProperty(TemporaryDirectory.FILE, file.toString());
    System.setProperty(TemporaryDirectory.PMEM, pmem.toString());
    System.setProperty("jmh.ignoreLock", "true"); // another run on this machine is no matter here
  }

  @AfterEach
  void forgetDirectories() throws IOException {
    PROPERTIES.forEach(System::clearProperty);
    Files.delete(pmem); // fails if a step left something
    try (Stream<Path> left = Files.list(file)) {
      assertEquals(List.of(), left.toList());
    }
  }

  static Stream<Suite> suites() {
    return Suites.all().stream();
  }

  @ParameterizedTest
  @MethodSource("suites")
  void everyStepWorks(Suite suite) {
    assertAll(suite.steps(Scale.SMOKE).stream().map(step -> () -> check(suite, step)));
  }

  private void check(Suite suite, Step step) throws Exception {
    Results results = StepRecorder.run(step, Scale.SMOKE, 42, file, pmem);
    for (Omission omission : results.omissions()) {
      System.err.println("*** " + omission.step() + " IS OMITTED: " + omission.reason());
      assertTrue(REQUIREMENT.matcher(omission.reason()).find(), omission::toString);
    }
    for (Measurement measurement : results.measurements()) {
      check(suite, measurement.subject());
      for (double sample : measurement.samples()) {
        assertTrue(
            Double.isFinite(sample)
                && (sample > 0 || (sample == 0 && ZERO_IS_RIGHT.contains(measurement.metric()))),
            () -> step.name() + " recorded " + measurement);
      }
    }
    for (LatencyCurve curve : results.latencies()) {
      check(suite, curve.subject());
      assertFalse(curve.points().isEmpty(), step.name());
    }
  }

  private static void check(Suite suite, Subject subject) {
    assertTrue(subject.suite().startsWith(suite.name()), subject::toString);
    assertTrue(MEDIA.contains(subject.medium()), subject::toString);
    assertTrue(DURABILITIES.contains(subject.durability()), subject::toString);
    assertTrue(subject.threads() >= 1, subject::toString);
  }

  /** A step is found by its name in another process. */
  @ParameterizedTest
  @EnumSource(Scale.class)
  void namesAreDifferentAndStayTheSame(Scale scale) {
    Set<String> names = new HashSet<>();
    for (Suite suite : Suites.all()) {
      List<String> once = suite.steps(scale).stream().map(Step::name).toList();
      assertFalse(once.isEmpty(), suite.name());
      assertEquals(once, suite.steps(scale).stream().map(Step::name).toList());
      once.forEach(name -> assertTrue(names.add(name), "two steps have the name " + name));
    }
  }

  @Test
  void aQuickRunTakesAQuarterOfAnHour() {
    long seconds =
        Suites.all().stream()
                .flatMap(suite -> suite.steps(Scale.QUICK).stream())
                .mapToLong(step -> step.estimate().toMillis())
                .sum()
            / 1_000;
    assertTrue(seconds <= 1_010, "the steps of a quick run are expected to take " + seconds + " s");
  }
}
