package io.pmstore.jmh.ycsb.generators;

/**
 * The sum of <i>1/i^theta</i> for <i>i</i> from 1 to <i>n</i>: what the weights of Zipf's law are
 * divided by. It is kept while <i>n</i> grows, so that only what is new is added.
 */
final class Zeta {
  private final double theta;
  private long n;
  private double sum;

  Zeta(double theta) {
    this.theta = theta;
  }

  /** The sum for a number of items; a number smaller than the last one begins anew. */
  double of(long items) {
    if (items < n) {
      n = 0;
      sum = 0;
    }
    for (; n < items; n++) {
      sum += 1 / Math.pow(n + 1.0, theta);
    }
    return sum;
  }
}
