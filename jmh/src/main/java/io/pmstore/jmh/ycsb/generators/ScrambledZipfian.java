package io.pmstore.jmh.ycsb.generators;

import java.util.SplittableRandom;

/**
 * Chooses items with zipfian frequencies, but spreads the popular ones over all of them: the rank
 * is hashed, and the hash taken modulo the number of items. As in YCSB the ranks are those of a
 * zipfian distribution over {@value #RANKS} items, whatever the number of items is; its zeta, which
 * would take minutes to add up, is a constant.
 *
 * <p>So that inserted items become part of what is chosen without any item losing its popularity,
 * the number of items is fixed, as in YCSB, at what it is expected to become. An item that is not
 * there yet may be chosen; the caller then chooses again.
 */
public final class ScrambledZipfian implements Chooser {
  /** How many ranks there are. */
  static final long RANKS = 10_000_000_000L;

  /** Zeta of {@link #RANKS} and {@link Zipfian#THETA}. */
  static final double ZETA = 26.46902820178302;

  private final long space;
  private final Zipfian ranks = new Zipfian(Zipfian.THETA, RANKS, ZETA);

  /**
   * Creates the distribution.
   *
   * @param space how many items there are expected to be in the end, at least 1
   */
  public ScrambledZipfian(long space) {
    this.space = space;
  }

  @Override
  public long next(SplittableRandom random, long items) {
    return Fnv64.hash(ranks.next(random, RANKS)) % space;
  }
}
