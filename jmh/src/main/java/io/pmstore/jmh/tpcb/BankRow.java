package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;

/** What accounts, tellers and branches of a bank in pmstore have. */
@Persistent
abstract class BankRow {
  private long balance;
  private String filler = "";

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
