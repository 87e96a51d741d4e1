package io.pmstore.jmh.results;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How the latencies of a subject are distributed.
 *
 * @param points in rising order
 */
public record LatencyCurve(Subject subject, List<Point> points) {
  private static final int STEPS_PER_HALVING = 5;
  private static final double NANOS_PER_MICRO = 1e3;

  /**
   * A point of the curve.
   *
   * @param percentile how many of 100 operations took at most as long
   * @param micros how long, in microseconds
   */
  public record Point(double percentile, double micros) {}

  /** Copies the points. */
  public LatencyCurve {
    points = List.copyOf(points);
  }

  /**
   * The curve of a histogram.
   *
   * @param nanos latencies in nanoseconds
   * @return the curve, with points closer to each other the closer they are to 100 %
   */
  public static LatencyCurve of(Subject subject, Histogram nanos) {
    List<Point> points = new ArrayList<>();
    for (HistogramIterationValue value : nanos.percentiles(STEPS_PER_HALVING)) {
      points.add(
          new Point(
              value.getPercentileLevelIteratedTo(), value.getValueIteratedTo() / NANOS_PER_MICRO));
    }
    return new LatencyCurve(subject, points);
  }
}
