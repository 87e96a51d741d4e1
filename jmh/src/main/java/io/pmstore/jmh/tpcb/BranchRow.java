package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;

/** What belongs to a branch. */
@Persistent
abstract class BranchRow extends BankRow {
  private int branch;

  int getBranch() {
    return branch;
  }

  void setBranch(int branch) {
    this.branch = branch;
  }
}
