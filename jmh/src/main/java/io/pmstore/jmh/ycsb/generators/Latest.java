package io.pmstore.jmh.ycsb.generators;

import java.util.SplittableRandom;

/** Chooses items with zipfian frequencies: the newest most often, then the one before it, ... */
public final class Latest implements Chooser {
  private final Zipfian ages = new Zipfian();

  @Override
  public long next(SplittableRandom random, long items) {
    return items - 1 - ages.next(random, items);
  }
}
