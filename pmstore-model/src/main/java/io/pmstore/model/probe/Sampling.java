package io.pmstore.model.probe;

import io.pmstore.model.profile.Series;
import java.io.IOException;
import java.util.Arrays;

/**
 * Repeats a measurement until its interval is narrow. Other programs only ever make a measurement
 * slower, so the estimate is the lower quartile of the samples. Its interval of 95 % is that of the
 * order statistics, which assumes nothing of how the samples are distributed.
 *
 * @param samplesMin how many samples are taken at least, 8 or more
 * @param samplesMax how many at most
 * @param interval the wanted half width of the interval, as a part of the value
 */
public record Sampling(int samplesMin, int samplesMax, double interval) {
  private static final double QUANTILE = 0.25;
  private static final double Z = 1.96;

  /** One measurement. */
  @FunctionalInterface
  public interface Sample {
    /** Measures. */
    double take() throws IOException, InterruptedException;
  }

  /** Checks the figures. */
  public Sampling {
    if (samplesMin < 8 || samplesMax < samplesMin || !(interval > 0)) {
      throw new IllegalArgumentException(
          "%d to %d samples for an interval of %s".formatted(samplesMin, samplesMax, interval));
    }
  }

  /**
   * Measures.
   *
   * @param what is measured, for messages
   * @param x where on its curve
   * @param sample one measurement
   * @throws NoisyMachineException if the interval is still too wide after the last sample
   */
  public Series.Point measure(String what, double x, Sample sample)
      throws IOException, InterruptedException {
    double[] samples = new double[samplesMax];
    int count = 0;
    while (true) {
      samples[count++] = sample.take();
      if (count < samplesMin) {
        continue;
      }
      Series.Point point = estimate(x, Arrays.copyOf(samples, count));
      if (point.high() - point.low() <= 2 * interval * point.value()) {
        return point;
      }
      if (count == samplesMax) {
        throw new NoisyMachineException(what, point, count, interval);
      }
    }
  }

  static Series.Point estimate(double x, double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double spread = Z * Math.sqrt(n * QUANTILE * (1 - QUANTILE));
    int low = (int) Math.max(0, Math.floor(n * QUANTILE - spread));
    int high = (int) Math.min(n - 1, Math.ceil(n * QUANTILE + spread));
    return new Series.Point(x, sorted[(int) (n * QUANTILE)], sorted[low], sorted[high]);
  }
}
