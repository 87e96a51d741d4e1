package io.pmstore.jmh.tpcb;

/**
 * How large the bank is. Branches, tellers and accounts are numbered from 0 on, those of a branch
 * one after the other.
 *
 * @param branches how many branches, at least 1
 * @param accountsPerBranch 100,000 in the standard; less where a run is to be short
 */
record TpcbSize(int branches, int accountsPerBranch) {
  static final int TELLERS_PER_BRANCH = 10;

  int tellers() {
    return branches * TELLERS_PER_BRANCH;
  }

  int accounts() {
    return branches * accountsPerBranch;
  }

  int branchOfTeller(int teller) {
    return teller / TELLERS_PER_BRANCH;
  }

  int branchOfAccount(int account) {
    return account / accountsPerBranch;
  }
}
