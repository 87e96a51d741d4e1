package io.pmstore.jmh.workload;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Percentiles;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.StepContext;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a run measured.
 *
 * @param throughput operations per second in each slice of the run
 * @param latencies of each kind of operation, in nanoseconds, those included that returned after
 *     the end of the last slice
 */
public record RunFigures(List<Double> throughput, List<KindFigures> latencies) {
  /**
   * How long the operations of one kind took.
   *
   * @param kind the name of the kind
   * @param nanos their latencies; empty if there were none
   */
  public record KindFigures(String kind, Histogram nanos) {}

  /** The latencies of all operations in nanoseconds, in a new histogram. */
  public Histogram allLatencies() {
    Histogram all = new Histogram(latencies.getFirst().nanos());
    latencies.forEach(one -> all.add(one.nanos()));
    return all;
  }

  /** How many operations were done, those included that returned after the end. */
  public long operations() {
    return latencies.stream().mapToLong(one -> one.nanos().getTotalCount()).sum();
  }

  /**
   * Keeps the figures: throughput, a sample for each slice; {@link Percentiles} of all operations
   * and, if there is more than one kind, of each; the curve of all operations.
   *
   * @param context where to
   */
  public void record(StepContext context, Subject subject, String unit) {
    context.record(new Measurement(subject, "throughput", unit, throughput));
    Histogram all = allLatencies();
    recordPercentiles(context, subject, "", all);
    List<KindFigures> done =
        latencies.stream().filter(one -> one.nanos().getTotalCount() > 0).toList();
    if (done.size() > 1) {
      done.forEach(one -> recordPercentiles(context, subject, " " + one.kind(), one.nanos()));
    }
    context.record(LatencyCurve.of(subject, all));
  }

  private static void recordPercentiles(
      StepContext context, Subject subject, String ending, Histogram nanos) {
    Percentiles.micros(nanos)
        .forEach(
            (metric, micros) ->
                context.record(Measurement.of(subject, metric + ending, "us", micros)));
  }
}
