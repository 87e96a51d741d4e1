package io.pmstore.jmh.tpcb;

/**
 * What a bank adds up to.
 *
 * @param accounts the sum of the balances of all accounts
 * @param tellers the sum of the balances of all tellers
 * @param branches the sum of the balances of all branches
 * @param deltas the sum of the amounts in the history
 * @param history how many entries the history has
 */
record Totals(long accounts, long tellers, long branches, long deltas, long history) {
  /** Totals of a bank where everything is as acknowledged transactions have left it. */
  static Totals of(long deltas, long transactions) {
    return new Totals(deltas, deltas, deltas, deltas, transactions);
  }

  /**
   * Compares with what they should be.
   *
   * @param when part of the message
   * @throws IllegalStateException if they differ
   */
  void check(Totals expected, String when) {
    if (!equals(expected)) {
      throw new IllegalStateException(
          "the bank is inconsistent %s: found %s, expected %s".formatted(when, this, expected));
    }
  }
}
