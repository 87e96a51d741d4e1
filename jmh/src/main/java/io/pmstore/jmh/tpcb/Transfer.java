package io.pmstore.jmh.tpcb;

import java.util.SplittableRandom;

/**
 * What a customer wants of a teller.
 *
 * @param account whose
 * @param teller who does it
 * @param branch the teller's
 * @param delta what is added to the balances
 */
record Transfer(int account, int teller, int branch, long delta) {
  /** The largest amount, either way. */
  static final int DELTA_MAX = 999_999;

  private static final int HUNDRED = 100;
  private static final int PERCENT_AT_HOME = 85;

  /**
   * Draws one as clauses 1.4 and 2.3 say: any teller; an account of the teller's branch in 85 of
   * 100 transactions, otherwise of any other branch, if there is one; any amount.
   */
  static Transfer next(SplittableRandom random, TpcbSize size) {
    int teller = random.nextInt(size.tellers());
    int home = size.branchOfTeller(teller);
    int branch = home;
    if (size.branches() > 1 && random.nextInt(HUNDRED) >= PERCENT_AT_HOME) {
      branch = (home + 1 + random.nextInt(size.branches() - 1)) % size.branches();
    }
    int account = branch * size.accountsPerBranch() + random.nextInt(size.accountsPerBranch());
    return new Transfer(account, teller, home, random.nextInt(-DELTA_MAX, DELTA_MAX + 1));
  }
}
