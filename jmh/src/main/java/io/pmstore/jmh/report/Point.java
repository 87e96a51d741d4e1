package io.pmstore.jmh.report;

import io.pmstore.jmh.results.ConfidenceInterval;
import io.pmstore.jmh.results.Measurement;
import java.util.Optional;

/**
 * A value in a plot.
 *
 * @param category where on the x axis
 * @param series which target, or structure, it belongs to
 * @param value on the y axis
 * @param interval its confidence interval, if it has one
 */
record Point(String category, String series, double value, Optional<ConfidenceInterval> interval) {
  /** A figure, as it was measured. */
  static Point of(String category, String series, Measurement measurement) {
    return new Point(
        category, series, measurement.mean(), ConfidenceInterval.ofMean(measurement.samples()));
  }
}
