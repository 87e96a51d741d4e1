package io.pmstore.jmh.ycsb.generators;

import java.util.SplittableRandom;

/** Chooses each item with the same probability. */
public final class Uniform implements Chooser {
  @Override
  public long next(SplittableRandom random, long items) {
    return random.nextLong(items);
  }
}
