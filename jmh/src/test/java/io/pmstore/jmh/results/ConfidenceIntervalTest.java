package io.pmstore.jmh.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ConfidenceIntervalTest {
  private static final double NORMAL = 1.959964; // standard errors on each side, for 95 %

  private static List<Double> drawn(Random random, int count, double mean) {
    List<Double> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      samples.add(mean + random.nextGaussian());
    }
    return samples;
  }

  @Test
  void isTheNormalOneForManySamples() {
    List<Double> samples = drawn(new Random(1), 2000, 10);
    double mean = samples.stream().mapToDouble(d -> d).average().orElseThrow();
    double deviation =
        Math.sqrt(
            samples.stream().mapToDouble(d -> (d - mean) * (d - mean)).average().orElseThrow());
    double half = NORMAL * deviation / Math.sqrt(samples.size());
    ConfidenceInterval interval = ConfidenceInterval.ofMean(samples).orElseThrow();
    assertEquals(mean - half, interval.low(), half / 20);
    assertEquals(mean + half, interval.high(), half / 20);
  }

  @Test
  void holdsTheTrueMeanNineteenTimesOfTwenty() {
    Random random = new Random(95);
    int runs = 600;
    int held = 0;
    for (int run = 0; run < runs; run++) {
      ConfidenceInterval interval = ConfidenceInterval.ofMean(drawn(random, 40, 3)).orElseThrow();
      held += interval.low() <= 3 && 3 <= interval.high() ? 1 : 0;
    }
    assertEquals(0.945, held / (double) runs, 0.02);
  }

  /** All 27 resamples of 1, 2, 6 are known: 1/27 has the mean 1, and 1/27 the mean 6. */
  @Test
  void isThatOfAllResamplesWhereTheyCanBeCounted() {
    assertEquals(
        Optional.of(new ConfidenceInterval(1, 6)),
        ConfidenceInterval.ofMean(List.of(1.0, 2.0, 6.0)));
  }

  @Test
  void oneSampleHasNone() {
    assertEquals(Optional.empty(), ConfidenceInterval.ofMean(List.of(7.0)));
    assertEquals(Optional.empty(), ConfidenceInterval.ofRatio(List.of(7.0, 8.0), List.of(1.0)));
    assertEquals(Optional.empty(), ConfidenceInterval.ofRatio(List.of(7.0), List.of(1.0, 2.0)));
  }

  @Test
  void ofARatioIsThatOfTheDividendWhereTheDivisorIsSure() {
    List<Double> samples = drawn(new Random(2), 500, 10);
    ConfidenceInterval mean = ConfidenceInterval.ofMean(samples).orElseThrow();
    ConfidenceInterval ratio = ConfidenceInterval.ofRatio(samples, List.of(2.0, 2.0)).orElseThrow();
    assertEquals(mean.low() / 2, ratio.low(), 0.01);
    assertEquals(mean.high() / 2, ratio.high(), 0.01);
    assertTrue(
        ConfidenceInterval.ofRatio(samples, List.of(1.0, 3.0)).orElseThrow().high() > ratio.high());
  }

  @Test
  void isTheSameEachTime() {
    List<Double> samples = drawn(new Random(3), 5, 10);
    assertEquals(ConfidenceInterval.ofMean(samples), ConfidenceInterval.ofMean(samples));
  }
}
