package io.pmstore.jmh.intset;

import java.util.SplittableRandom;

/**
 * The operations of the study: half of them look-ups, a quarter insertions, a quarter removals, of
 * keys that are uniform over twice as many as are in the set. So about half of the keys are there,
 * and the size stays.
 */
final class Mix {
  private static final double NANOS = 1e9;
  private static final int BETWEEN_LOOKS = 64; // operations, so that the clock costs nothing
  private static final int KIND_SHIFT = 62; // the highest two bits of a random number

  private final IntSet set;
  private final long keyMask;
  private final SplittableRandom random;
  private long hits;

  /**
   * Prepares.
   *
   * @param set with {@code size} keys
   * @param size a power of two
   * @param random of which keys and operations are made
   */
  Mix(IntSet set, int size, SplittableRandom random) {
    this.set = set;
    this.keyMask = 2L * size - 1;
    this.random = random;
  }

  /**
   * Keys to begin with: half of all, in random order.
   *
   * @param size a power of two
   * @param random of which they are made
   * @return as many, all different
   */
  static long[] keys(int size, SplittableRandom random) {
    long[] all = new long[2 * size];
    for (int i = 0; i < all.length; i++) {
      int other = random.nextInt(i + 1);
      all[i] = all[other];
      all[other] = i;
    }
    return java.util.Arrays.copyOf(all, size);
  }

  /**
   * Works for some time.
   *
   * @param nanos how long, at least; in nanoseconds
   * @return operations per second
   */
  double run(long nanos) {
    long start = System.nanoTime();
    long operations = 0;
    long passed;
    do {
      for (int i = 0; i < BETWEEN_LOOKS; i++) {
        hits += operation(random.nextLong()) ? 1 : 0;
      }
      operations += BETWEEN_LOOKS;
      passed = System.nanoTime() - start;
    } while (passed < nanos);
    return operations * NANOS / passed;
  }

  private boolean operation(long bits) {
    long key = bits & keyMask;
    return switch ((int) (bits >>> KIND_SHIFT)) {
      case 0 -> set.add(key);
      case 1 -> set.remove(key);
      default -> set.contains(key);
    };
  }

  /** How many operations found, added or removed their key: about half. */
  long hits() {
    return hits;
  }
}
