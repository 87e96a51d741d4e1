package io.pmstore.jmh.results;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * Where a mean, or a ratio of means, is to be expected with a confidence of 95 %: the percentile
 * bootstrap (Efron 1979) of 10,000 resamples. The same samples have the same interval each time.
 *
 * <p>It assumes nothing of how the samples are distributed. Of few samples it is somewhat too
 * narrow: of five it holds the true mean in about five cases of six.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record ConfidenceInterval(double low, double high) {
  private static final int RESAMPLES = 10_000;
  private static final double OUTSIDE = 0.025; // on each side
  private static final long SEED = 1979;

  /**
   * The interval of the mean.
   *
   * @param samples independent measurements of the same
   * @return the interval; empty if there are fewer than two samples, which tell nothing of their
   *     spread
   */
  public static Optional<ConfidenceInterval> ofMean(List<Double> samples) {
    if (samples.size() < 2) {
      return Optional.empty();
    }
    Resampling resampling = new Resampling(samples, new SplittableRandom(SEED));
    return Optional.of(of(resampling::mean));
  }

  /**
   * The interval of the quotient of two means, whose samples were made independently of each other.
   *
   * @param dividend samples, of which the mean is divided
   * @param divisor samples of the mean to divide by, all positive
   * @return the interval; empty if there are fewer than two of either
   */
  public static Optional<ConfidenceInterval> ofRatio(List<Double> dividend, List<Double> divisor) {
    if (dividend.size() < 2 || divisor.size() < 2) {
      return Optional.empty();
    }
    SplittableRandom random = new SplittableRandom(SEED);
    Resampling above = new Resampling(dividend, random);
    Resampling below = new Resampling(divisor, random);
    return Optional.of(of(() -> above.mean() / below.mean()));
  }

  private static ConfidenceInterval of(DoubleSupplier resample) {
    double[] drawn = new double[RESAMPLES];
    Arrays.setAll(drawn, i -> resample.getAsDouble());
    Arrays.sort(drawn);
    int outside = (int) (RESAMPLES * OUTSIDE);
    return new ConfidenceInterval(drawn[outside], drawn[RESAMPLES - 1 - outside]);
  }

  /** Draws as many of the samples as there are, each time with repetition. */
  private static final class Resampling {
    private final double[] samples;
    private final SplittableRandom random;

    Resampling(List<Double> samples, SplittableRandom random) {
      this.samples = samples.stream().mapToDouble(Double::doubleValue).toArray();
      this.random = random;
    }

    double mean() {
      double sum = 0;
      for (int i = 0; i < samples.length; i++) {
        sum += samples[random.nextInt(samples.length)];
      }
      return sum / samples.length;
    }
  }
}
