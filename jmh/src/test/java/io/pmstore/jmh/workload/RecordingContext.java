package io.pmstore.jmh.workload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a step and keeps what it records. */
public final class RecordingContext implements StepContext {
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<LatencyCurve> curves = new ArrayList<>();
  private final List<String> omissions = new ArrayList<>();
  private final TestDirectories directories;

  private RecordingContext(TestDirectories directories) {
    this.directories = directories;
  }

  /** Runs a step of {@link Scale#SMOKE}. */
  public static RecordingContext run(Step step) throws Exception {
    try (TestDirectories directories = new TestDirectories()) {
      RecordingContext context = new RecordingContext(directories);
      step.run(context);
      context.omissions.forEach(
          reason -> System.err.println("SKIPPED: " + step.name() + ": " + reason));
      return context;
    }
  }

  /** Whether the step could not be done here. */
  public boolean omitted() {
    return !omissions.isEmpty();
  }

  /** The figure of a workload and a metric, which must be there, once. */
  public Measurement measurement(String workload, String metric) {
    List<Measurement> found =
        measurements.stream()
            .filter(one -> one.subject().workload().equals(workload) && one.metric().equals(metric))
            .toList();
    assertTrue(found.size() == 1, () -> workload + " " + metric + ": " + found);
    return found.getFirst();
  }

  /** The metrics of a workload. */
  public List<String> metrics(String workload) {
    return measurements.stream()
        .filter(one -> one.subject().workload().equals(workload))
        .map(Measurement::metric)
        .toList();
  }

  /** The distributions. */
  public List<LatencyCurve> curves() {
    return curves;
  }

  @Override
  public Scale scale() {
    return Scale.SMOKE;
  }

  @Override
  public long seed() {
    return 1;
  }

  @Override
  public Path directory(String medium) throws IOException {
    return directories.directory(medium);
  }

  @Override
  public void record(Measurement measurement) {
    measurements.add(measurement);
  }

  @Override
  public void record(LatencyCurve latencies) {
    curves.add(latencies);
  }

  @Override
  public void omit(String reason) {
    omissions.add(reason);
  }
}
