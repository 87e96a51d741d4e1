package io.pmstore.jmh.results;

import java.util.List;

/**
 * One figure of a subject, with everything that was measured for it.
 *
 * @param metric {@code throughput}, {@code time}, {@code p50}, {@code p99}, {@code disk}, {@code
 *     log}, {@code written}, {@code reopen}, ...; throughput is better when larger, all others when
 *     smaller
 * @param unit of the samples: {@code reports/s}, {@code ops/s}, {@code ns}, {@code us}, {@code ms},
 *     {@code bytes}
 * @param samples repetitions of the same measurement, at least one, in the order they were made
 */
public record Measurement(Subject subject, String metric, String unit, List<Double> samples) {
  /** Copies the samples. */
  public Measurement {
    samples = List.copyOf(samples);
    if (samples.isEmpty()) {
      throw new IllegalArgumentException(subject + " has no sample of " + metric);
    }
  }

  /**
   * A figure that was measured once.
   *
   * @param value the only sample
   */
  public static Measurement of(Subject subject, String metric, String unit, double value) {
    return new Measurement(subject, metric, unit, List.of(value));
  }

  /** The mean of the samples. */
  public double mean() {
    return samples.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
