package io.pmstore.jmh.tpcb;

import io.pmstore.Persistent;

/** A transaction that was done, in pmstore. */
@Persistent
class HistoryEntry {
  private int account;
  private int teller;
  private int branch;
  private long delta;
  private long timeMillis;
  private String filler = "";

  int getAccount() {
    return account;
  }

  void setAccount(int account) {
    this.account = account;
  }

  int getTeller() {
    return teller;
  }

  void setTeller(int teller) {
    this.teller = teller;
  }

  int getBranch() {
    return branch;
  }

  void setBranch(int branch) {
    this.branch = branch;
  }

  long getDelta() {
    return delta;
  }

  void setDelta(long delta) {
    this.delta = delta;
  }

  long getTimeMillis() {
    return timeMillis;
  }

  void setTimeMillis(long timeMillis) {
    this.timeMillis = timeMillis;
  }

  String getFiller() {
    return filler;
  }

  void setFiller(String filler) {
    this.filler = filler;
  }
}
