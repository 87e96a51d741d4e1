package io.pmstore.jmh.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.bench.StepRecorder;
import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import java.util.List;

/** What a step has recorded. */
public record Recorded(Results results) {
  /** Runs a step of {@link Scale#SMOKE}. */
  public static Recorded run(Step step) throws Exception {
    try (TestDirectories directories = new TestDirectories()) {
      Results results =
          StepRecorder.run(
              step,
              Scale.SMOKE,
              1,
              directories.directory(Subject.FILE),
              directories.directory(Subject.PMEM));
      results
          .omissions()
          .forEach(one -> System.err.println("SKIPPED: " + one.step() + ": " + one.reason()));
      return new Recorded(results);
    }
  }

  /** Whether the step could not be done here. */
  public boolean omitted() {
    return !results.omissions().isEmpty();
  }

  /** The figure of a workload and a metric, which must be there, once. */
  public Measurement measurement(String workload, String metric) {
    List<Measurement> found =
        results.measurements().stream()
            .filter(one -> one.subject().workload().equals(workload) && one.metric().equals(metric))
            .toList();
    assertTrue(found.size() == 1, () -> workload + " " + metric + ": " + found);
    return found.getFirst();
  }

  /** The metrics of a workload. */
  public List<String> metrics(String workload) {
    return results.measurements().stream()
        .filter(one -> one.subject().workload().equals(workload))
        .map(Measurement::metric)
        .toList();
  }

  /** The distributions. */
  public List<LatencyCurve> curves() {
    return results.latencies();
  }
}
