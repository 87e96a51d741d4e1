package io.pmstore.jmh.ycsb.generators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.workload.TestSeed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The distributions are those that are published. */
final class GeneratorsTest {
  private static final int DRAWS = 1_000_000;
  private static final int ITEMS = 1000;
  private static final double THETA = 0.99;
  private static final long RANKS = 10_000_000_000L;
  private static final double WRONG_THETA = 0.95;

  /** A false alarm once in a hundred million runs, for the few degrees of freedom used here. */
  private static final double SIGMAS = 6;

  private final SplittableRandom random = new SplittableRandom(TestSeed.next("GeneratorsTest"));

  @Test
  void theFirstRanksHaveZipfsProbabilities() {
    double[] share = shares(new Zipfian());
    for (int rank = 1; rank <= 2; rank++) {
      assertTrue(deviation(share[rank - 1], zipf(rank, THETA)) < SIGMAS, "rank " + rank);
      assertTrue(
          deviation(share[rank - 1], zipf(rank, WRONG_THETA)) > SIGMAS, "the test has no force");
    }
  }

  /**
   * Beyond the first two the method approximates, the worst at the third rank: the probability of
   * one of the first ranks, however many, is Zipf's within 0.019.
   */
  @Test
  void allRanksAreCloseToZipfsLaw() {
    assertTrue(distance(shares(new Zipfian())) < 0.019, "too far from Zipf's law");
    assertTrue(distance(shares(new Zipfian(WRONG_THETA))) > 0.019, "the test has no force");
  }

  /** The largest difference between cumulated shares and Zipf's law. */
  private static double distance(double[] shares) {
    double distance = 0;
    double difference = 0;
    for (int rank = 1; rank <= ITEMS; rank++) {
      difference += shares[rank - 1] - zipf(rank, THETA);
      distance = Math.max(distance, Math.abs(difference));
    }
    return distance;
  }

  /**
   * The probability of a rank is where the published method's power function passes it; so
   * Pearson's statistic over all ranks is about their number.
   */
  @Test
  void allRanksAreAsGraysMethodHasThem() {
    assertTrue(chiSquare(shares(new Zipfian())) < SIGMAS, "too far from the method");
    assertTrue(chiSquare(shares(new Zipfian(WRONG_THETA))) > SIGMAS, "the test has no force");
  }

  /** Pearson's statistic against Gray's method, in standard deviations from its mean. */
  private static double chiSquare(double[] shares) {
    double sum = 0;
    double below = 0;
    for (int rank = 1; rank <= ITEMS; rank++) {
      double to = rank == 1 ? zipf(1, THETA) : below + zipf(2, THETA);
      if (rank > 2) {
        to = grayInverse(rank);
      }
      double expected = (to - below) * DRAWS;
      sum += Math.pow(shares[rank - 1] * DRAWS - expected, 2) / expected;
      below = to;
    }
    return (sum - (ITEMS - 1)) / Math.sqrt(2.0 * (ITEMS - 1));
  }

  /** The uniform number at which the method goes on to the next rank. */
  private static double grayInverse(int rank) {
    double zeta2 = 1 + Math.pow(0.5, THETA);
    double eta = (1 - Math.pow(2.0 / ITEMS, 1 - THETA)) / (1 - zeta2 / zeta(ITEMS, THETA));
    return (Math.pow((double) rank / ITEMS, 1 - THETA) - 1 + eta) / eta;
  }

  @Test
  void aGrowingNumberOfItemsIsDrawnFromAsIfItHadAlwaysBeenSo() {
    Zipfian growing = new Zipfian();
    for (long items : new long[] {1, 2, 3, 10, 500, 501, 5000, 40}) {
      long seed = random.nextLong();
      SplittableRandom ofGrowing = new SplittableRandom(seed);
      SplittableRandom ofFresh = new SplittableRandom(seed);
      Zipfian fresh = new Zipfian();
      for (int i = 0; i < 1000; i++) {
        long drawn = growing.next(ofGrowing, items);
        assertEquals(fresh.next(ofFresh, items), drawn);
        assertTrue(drawn >= 0 && drawn < items, () -> drawn + " of " + items);
      }
    }
  }

  @Test
  void theConstantZetaIsThatOfTheConstantRanks() {
    // Euler and Maclaurin: the sum is an integral, from where its first terms end.
    int first = 1_000_000;
    double rest = 1 - THETA;
    double sum =
        zeta(first, THETA)
            + (Math.pow(RANKS, rest) - Math.pow(first, rest)) / rest
            + (Math.pow(RANKS, -THETA) - Math.pow(first, -THETA)) / 2;
    assertEquals(sum, ScrambledZipfian.ZETA, 1e-6);
    assertEquals(zeta(ITEMS, THETA), new Zeta(THETA).of(ITEMS), 1e-9);
  }

  @Test
  void scramblingKeepsHowOftenItemsAreChosen() {
    long seed = random.nextLong();
    ScrambledZipfian scrambled = new ScrambledZipfian(Long.MAX_VALUE); // without collisions
    Zipfian ranks = new Zipfian(THETA, RANKS, ScrambledZipfian.ZETA);
    assertEquals(
        sortedCounts(scrambled, new SplittableRandom(seed)),
        sortedCounts(ranks, new SplittableRandom(seed)));
  }

  private static List<Integer> sortedCounts(Chooser chooser, SplittableRandom random) {
    Map<Long, Integer> counts = new HashMap<>();
    for (int i = 0; i < DRAWS / 10; i++) {
      counts.merge(chooser.next(random, RANKS), 1, Integer::sum);
    }
    return counts.values().stream().sorted().toList();
  }

  @Test
  void scramblingSpreadsThePopularItemsOverAll() {
    double[] share = shares(new ScrambledZipfian(ITEMS));
    long[] sorted = Arrays.stream(share).mapToLong(one -> (long) (one * DRAWS)).sorted().toArray();
    double top = 1 / 26.469;
    int popular = (int) (Fnv64.hash(0) % ITEMS);
    assertEquals(sorted[ITEMS - 1] / (double) DRAWS, share[popular], 1e-9);
    assertTrue(share[popular] > top && share[popular] < top * 1.1, () -> "" + share[popular]);
    assertTrue(sorted[0] > 0, "an item is never chosen");
    // The hundred most popular items: in each tenth of the space about ten.
    int[] inTenth = new int[10];
    for (int item = 0; item < ITEMS; item++) {
      if (share[item] * DRAWS > sorted[ITEMS - 101]) {
        inTenth[item * 10 / ITEMS]++;
      }
    }
    double statistic =
        Arrays.stream(inTenth).mapToDouble(found -> Math.pow(found - 10, 2) / 10).sum();
    assertTrue(statistic < 30, () -> Arrays.toString(inTenth)); // 9 degrees of freedom: 0.04 %
  }

  @Test
  void latestIsZipfianFromTheNewestOn() {
    Latest latest = new Latest();
    Zipfian zipfian = new Zipfian();
    long seed = random.nextLong();
    SplittableRandom ofLatest = new SplittableRandom(seed);
    SplittableRandom ofZipfian = new SplittableRandom(seed);
    for (long items = 1; items < 3000; items++) {
      assertEquals(items - 1 - zipfian.next(ofZipfian, items), latest.next(ofLatest, items));
    }
    double[] share = shares(latest);
    assertTrue(deviation(share[ITEMS - 1], zipf(1, THETA)) < SIGMAS, "newest");
    assertTrue(deviation(share[ITEMS - 2], zipf(2, THETA)) < SIGMAS, "before it");
  }

  @Test
  void uniformIsUniform() {
    double statistic = 0;
    for (double share : shares(new Uniform())) {
      statistic += Math.pow(share * ITEMS - 1, 2) * DRAWS / ITEMS;
    }
    assertTrue(Math.abs(statistic - (ITEMS - 1)) < SIGMAS * Math.sqrt(2.0 * ITEMS), "uniform");
  }

  @Test
  void theHashIsFnv1a() {
    assertEquals(0xcbf29ce484222325L, fnv1a(new byte[0])); // the vectors of its authors
    assertEquals(0xaf63dc4c8601ec8cL, fnv1a("a".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(0x85944171f73967e8L, fnv1a("foobar".getBytes(StandardCharsets.US_ASCII)));
    for (int i = 0; i < 1000; i++) {
      long value = i < 10 ? i : random.nextLong();
      byte[] bytes =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
      assertEquals(Math.abs(fnv1a(bytes)), Fnv64.hash(value));
    }
  }

  private static long fnv1a(byte[] bytes) {
    long hash = 0xcbf29ce484222325L;
    for (byte one : bytes) {
      hash ^= Byte.toUnsignedLong(one);
      hash *= 1_099_511_628_211L;
    }
    return hash;
  }

  private double[] shares(Chooser chooser) {
    double[] counts = new double[ITEMS];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) chooser.next(random, ITEMS)]++;
    }
    return Arrays.stream(counts).map(count -> count / DRAWS).toArray();
  }

  /** How many standard deviations of its own a share is away from a probability. */
  private static double deviation(double share, double probability) {
    return Math.abs(share - probability) / Math.sqrt(probability * (1 - probability) / DRAWS);
  }

  private static double zipf(int rank, double theta) {
    return 1 / (Math.pow(rank, theta) * zeta(ITEMS, theta));
  }

  private static double zeta(int n, double theta) {
    double sum = 0;
    for (int i = n; i >= 1; i--) {
      sum += Math.pow(i, -theta);
    }
    return sum;
  }
}
