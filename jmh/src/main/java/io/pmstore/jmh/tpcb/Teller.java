package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;

/** A teller of a bank in pmstore. */
@Persistent
class Teller {
  private int branch;
  private long balance;
  private String filler = "";

  int getBranch() {
    return branch;
  }

  void setBranch(int branch) {
    this.branch = branch;
  }

  long getBalance() {
    return balance;
  }

  void setBalance(long balance) {
    this.balance = balance;
  }

  String getFiller() {
    return filler;
  }

  void setFiller(String filler) {
    this.filler = filler;
  }
}
