package io.pmstore.gc;

import java.util.Random;

/** The seed of a random test: a new one each time, or the one of {@code -Dpmstore.seed}. */
public final class Seed {
  private Seed() {}

  /** A generator for one test; the seed is printed, to replay a failure. */
  public static Random random(String test) {
    Long given = Long.getLong("pmstore.seed");
    long seed = given != null ? given : System.nanoTime();
    System.out.println(test + ": replay with -Dpmstore.seed=" + seed);
    return new Random(seed);
  }
}
