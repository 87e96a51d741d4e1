package io.pmstore.oms.flow;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The securities that are traded: a few take most of the orders (Zipf's law with exponent 1), and
 * each has a price that walks up and down in ticks of 0.01.
 */
final class Market {
  /** Decimals of a tick. */
  static final int TICK_SCALE = 2;

  private static final int SYMBOLS = 400;
  private static final long TICKS_MIN = 200;
  private static final long TICKS_MAX = 20_000;

  private final RandomGenerator random;
  private final String[] symbols;
  private final long[] ticks = new long[SYMBOLS];
  private final double[] cumulative = new double[SYMBOLS];

  Market(RandomGenerator random) {
    this.random = random;
    Set<String> names = new LinkedHashSet<>();
    while (names.size() < SYMBOLS) {
      StringBuilder name = new StringBuilder();
      for (int i = 0; i < 4; i++) {
        name.append((char) ('A' + random.nextInt(26)));
      }
      names.add(name.append(3 + random.nextInt(2)).toString());
    }
    symbols = names.toArray(String[]::new);
    double sum = 0;
    for (int rank = 0; rank < SYMBOLS; rank++) {
      ticks[rank] = random.nextLong(TICKS_MIN, TICKS_MAX);
      sum += 1.0 / (rank + 1);
      cumulative[rank] = sum;
    }
  }

  /** Draws a security by its popularity. */
  int draw() {
    int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[SYMBOLS - 1]);
    return Math.min(found < 0 ? -found - 1 : found, SYMBOLS - 1);
  }

  String symbol(int security) {
    return symbols[security];
  }

  /** Moves the price of a security by at most two ticks and returns it, in ticks. */
  long walk(int security) {
    long next = ticks[security] + random.nextInt(5) - 2;
    ticks[security] = Math.clamp(next, TICKS_MIN / 2, TICKS_MAX * 2);
    return ticks[security];
  }
}
