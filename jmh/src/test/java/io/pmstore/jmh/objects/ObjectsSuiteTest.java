package io.pmstore.jmh.objects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.jmh.bench.StepRecorder;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** JMH's results as figures. */
final class ObjectsSuiteTest {
  @TempDir Path directory;

  @AfterEach
  void forgetProperties() {
    List.of(TemporaryDirectory.FILE, TemporaryDirectory.PMEM, "jmh.ignoreLock")
        .forEach(System::clearProperty);
  }

  @Test
  void aBenchmarkIsASubjectWithTheScoresOfItsIterations() throws Exception {
    System.setProperty(TemporaryDirectory.FILE, directory.toString());
    System.setProperty("jmh.ignoreLock", "true");
    Step getter = new ObjectsSuite().steps(Scale.SMOKE).getFirst();
    Results results = StepRecorder.run(getter, Scale.SMOKE, 1, directory, directory);
    assertEquals(
        Set.of(
            new Subject("objects", "Getter", "plainField", "memory", "none", 1, 1),
            new Subject("objects", "Getter", "getterOutside", "file", "none", 1, 1)),
        results.measurements().stream().map(Measurement::subject).collect(Collectors.toSet()));
    for (Measurement measurement : results.measurements()) {
      assertEquals("time", measurement.metric());
      assertEquals("ns", measurement.unit());
      assertEquals(2, measurement.samples().size());
      assertNotEquals(measurement.samples().getFirst(), measurement.samples().getLast());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Getter.plainField, PERSISTENT_MEMORY, memory",
    "Getter.getterOutside, FILE, file",
    "Opening.openAndRead, PERSISTENT_MEMORY, pmem",
    "FileCommit.barrier, , file",
    "PmemCommit.barrier, , pmem",
    "Setter.rawSegment, , file",
    "Recovery.readLogCold, , file",
    "Metrics.counting, , file",
  })
  void theMediumIsThatOfTheStorage(String rung, String storage, String medium) {
    assertEquals(medium, JmhFigures.medium(rung, storage));
    if (storage != null) {
      assertTrue(Arrays.stream(Storage.values()).anyMatch(s -> s.name().equals(storage)));
    }
  }

  /** A benchmark that no step runs would be missing in the report. */
  @Test
  void aFullRunHasEveryClassOfBenchmarks() {
    Set<String> classes = new TreeSet<>();
    BenchmarkList.defaultList()
        .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
        .forEach(entry -> classes.add(entry.getUserClassQName()));
    Set<String> steps = new TreeSet<>();
    classes.forEach(
        name -> steps.add("objects/" + JmhPlan.nameOf(name.substring(name.lastIndexOf('.') + 1))));
    assertEquals(
        steps,
        new ObjectsSuite()
            .steps(Scale.FULL).stream()
                .map(Step::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** A rung that was renamed would silently be left out of a quick run. */
  @Test
  void theRungsOfAQuickRunAreThere() {
    for (JmhPlan plan : ObjectsSuite.quick()) {
      Set<String> methods =
          Arrays.stream(plan.benchmark().getMethods())
              .filter(method -> method.isAnnotationPresent(Benchmark.class))
              .map(method -> method.getName())
              .collect(Collectors.toSet());
      assertFalse(methods.isEmpty());
      for (String rung : plan.rungs().split("\\|", -1)) {
        assertTrue(methods.contains(rung), () -> plan.name() + " has no " + rung);
      }
    }
  }
}
