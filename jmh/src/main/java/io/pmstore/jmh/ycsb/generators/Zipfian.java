package io.pmstore.jmh.ycsb.generators;

import java.util.SplittableRandom;

/**
 * Chooses the item of rank <i>i</i>, from 1 on, with a probability of <i>1/(i^theta zeta(n,
 * theta))</i>: item 0 most often, then item 1, ...
 *
 * <p>This is the method of Gray, Sundaresan, Englert, Baclawski and Weinberger, <i>Quickly
 * generating billion-record synthetic databases</i>, SIGMOD 1994, section 3.2, which YCSB uses too.
 * Its first two ranks have exactly Zipf's probabilities; the others follow a power function that
 * approximates them, so that no table is needed.
 */
public final class Zipfian implements Chooser {
  /** The skew in YCSB, between 0 (none) and 1. */
  public static final double THETA = 0.99;

  private final double theta;
  private final double alpha;
  private final double zeta2;
  private final Zeta zeta;
  private long items;
  private double zetaN;
  private double eta;

  /** Creates the distribution with YCSB's skew. */
  public Zipfian() {
    this(THETA);
  }

  Zipfian(double theta) {
    this.theta = theta;
    alpha = 1 / (1 - theta);
    zeta2 = new Zeta(theta).of(2);
    zeta = new Zeta(theta);
  }

  /** A distribution over a number of items that does not change, whose zeta is known. */
  Zipfian(double theta, long items, double zetaN) {
    this(theta);
    become(items, zetaN);
  }

  private void become(long n, double itsZeta) {
    items = n;
    zetaN = itsZeta;
    eta = (1 - Math.pow(2.0 / n, 1 - theta)) / (1 - zeta2 / itsZeta);
  }

  @Override
  public long next(SplittableRandom random, long n) {
    if (n != items) {
      become(n, zeta.of(n));
    }
    double u = random.nextDouble();
    double uz = u * zetaN;
    if (uz < 1) {
      return 0;
    }
    if (uz < zeta2) {
      return 1;
    }
    return Math.min(n - 1, (long) (n * Math.pow(eta * u - eta + 1, alpha)));
  }
}
