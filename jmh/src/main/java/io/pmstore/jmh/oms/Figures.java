package io.pmstore.jmh.oms;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Percentiles;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.oms.run.TargetRun;
import io.pmstore.oms.targets.DiskUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** The figures of a step's runs, as {@link FlowStep} says. */
final class Figures {
  private final OmsCase what;
  private final double reports;
  private final Map<Metric, List<Double>> samples = new LinkedHashMap<>();
  private final Histogram latencies = new Histogram(3);

  private record Metric(String name, String unit) {}

  /**
   * Begins without any.
   *
   * @param reports how many reports a run has
   */
  Figures(OmsCase what, int reports) {
    this.what = what;
    this.reports = reports;
  }

  /**
   * Adds a run.
   *
   * @param perSecond reports a second, in each slice of its time
   * @param written bytes that the device wrote, if there is one
   */
  void add(TargetRun.Outcome outcome, List<Double> perSecond, OptionalLong written) {
    perSecond.forEach(rate -> add("throughput", "reports/s", rate));
    addLatencies(outcome.measurement().latencies());
    if (!what.medium().equals(Subject.MEMORY)) {
      DiskUse disk = outcome.result().disk();
      long log = disk.redoLogBytes();
      add("disk", "bytes", withoutLog(disk) / reports);
      if (log >= 0) {
        add("log", "bytes", log / reports);
      }
      written.ifPresent(bytes -> add("written", "bytes", bytes / reports));
      add("reopen", "ms", outcome.result().reopenMillis());
    }
  }

  /** Bytes of a store without its log, or of everything where that cannot be told apart. */
  static double withoutLog(DiskUse disk) {
    return disk.bytes() - Math.max(0, disk.redoLogBytes());
  }

  private void addLatencies(Histogram run) {
    latencies.add(run);
    Percentiles.micros(run).forEach((metric, micros) -> add(metric, "us", micros));
  }

  private void add(String metric, String unit, double value) {
    samples.computeIfAbsent(new Metric(metric, unit), m -> new ArrayList<>()).add(value);
  }

  /** Keeps them. */
  void record(StepContext context) {
    Subject subject = what.subject();
    samples.forEach(
        (metric, values) ->
            context.record(new Measurement(subject, metric.name, metric.unit, values)));
    context.record(LatencyCurve.of(subject, latencies));
  }
}
