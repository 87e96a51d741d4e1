package io.pmstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static LatencyHistogram of(long... nanos) {
    long[] counts = new long[LatencyHistogram.BUCKETS];
    for (long each : nanos) {
      counts[LatencyHistogram.bucket(each)]++;
    }
    return new LatencyHistogram(
        counts, Arrays.stream(nanos).sum(), Arrays.stream(nanos).max().orElse(0));
  }

  @Test
  void bucketsFollowOnEachOtherAndAreNarrow() {
    assertEquals(0, LatencyHistogram.bucket(-1));
    for (int bucket = 0; bucket < LatencyHistogram.BUCKETS - 1; bucket++) {
      long bound = LatencyHistogram.boundNanos(bucket);
      assertEquals(bucket, LatencyHistogram.bucket(bound), "the bound is in its bucket");
      assertEquals(bucket + 1, LatencyHistogram.bucket(bound + 1), "the next is in the next");
      long first = bucket == 0 ? 0 : LatencyHistogram.boundNanos(bucket - 1) + 1;
      assertTrue(bound - first <= first / 8, () -> first + " to " + bound);
    }
    assertTrue(
        LatencyHistogram.boundNanos(LatencyHistogram.BUCKETS - 1) > TimeUnit.HOURS.toNanos(1));
    assertEquals(LatencyHistogram.BUCKETS - 1, LatencyHistogram.bucket(Long.MAX_VALUE));
  }

  @Test
  void percentilesAreThoseOfTheSortedValuesUpToAnEighth() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    System.out.println("LatencyHistogramTest: -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      long[] values = new long[1 + random.nextInt(1000)];
      Arrays.setAll(values, i -> random.nextLong(1L << random.nextInt(1, 40)));
      LatencyHistogram histogram = of(values);
      Arrays.sort(values);
      assertEquals(values.length, histogram.count());
      for (double percent : new double[] {0, 50, 90, 99, 100}) {
        int rank = Math.max(1, (int) Math.ceil(values.length * percent / 100));
        long exact = values[rank - 1];
        long found = histogram.percentileNanos(percent);
        assertTrue(found >= exact && found <= exact + exact / 8, () -> exact + ", not " + found);
      }
      assertEquals(values[values.length - 1], histogram.maxNanos());
      assertEquals(values.length, histogram.countUpTo(Long.MAX_VALUE));
    }
  }

  @Test
  void whatCameSinceIsTheDifference() {
    LatencyHistogram earlier = of(100, 5_000_000);
    LatencyHistogram since = of(100, 5_000_000, 200, 300).since(earlier);
    assertEquals(2, since.count());
    assertEquals(500, since.sumNanos());
    assertTrue(since.maxNanos() >= 300 && since.maxNanos() < 340, since::toString);
    assertEquals(0, since.since(since).count());
    assertEquals(0, since.since(since).percentileNanos(99));
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> LatencyHistogram.empty().percentileNanos(101));
    assertThrows(
        IllegalArgumentException.class, () -> LatencyHistogram.empty().percentileNanos(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new LatencyHistogram(new long[3], 0, 0));
  }
}
