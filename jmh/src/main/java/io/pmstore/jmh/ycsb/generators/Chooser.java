package io.pmstore.jmh.ycsb.generators;

import java.util.SplittableRandom;

/**
 * Chooses items of a growing sequence by some distribution. Used by one thread; its randomness is
 * all in the generator it is given.
 */
public interface Chooser {
  /**
   * Chooses an item.
   *
   * @param random what decides
   * @param items how many items there are, at least 1; the oldest is 0, the newest {@code items-1}
   * @return an item, at least 0; {@link ScrambledZipfian} may choose one that is not there yet
   */
  long next(SplittableRandom random, long items);
}
