package io.pmstore.jmh.workload;

/** The seed of the random tests: {@code -Dpmstore.seed=N} replays a failure. */
public final class TestSeed {
  private TestSeed() {}

  /** Draws or repeats the seed, and prints it. */
  public static long next(String test) {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    System.out.println(test + ": replay with -Dpmstore.seed=" + seed);
    return seed;
  }
}
