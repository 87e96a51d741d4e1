package io.pmstore.jmh.results;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Which percentiles of latencies are recorded, and how they are called. */
public final class Percentiles {
  private static final double NANOS_PER_MICRO = 1e3;

  private Percentiles() {}

  /**
   * The percentiles of a histogram.
   *
   * @param nanos latencies in nanoseconds
   * @return microseconds by the names of the metrics: {@code p50}, {@code p99}, {@code p99.9}
   */
  public static Map<String, Double> micros(Histogram nanos) {
    Map<String, Double> micros = new LinkedHashMap<>();
    micros.put("p50", nanos.getValueAtPercentile(50) / NANOS_PER_MICRO);
    micros.put("p99", nanos.getValueAtPercentile(99) / NANOS_PER_MICRO);
    micros.put("p99.9", nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
    return micros;
  }
}
