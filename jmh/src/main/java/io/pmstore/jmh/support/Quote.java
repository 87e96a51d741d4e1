package io.pmstore.jmh.support;

import io.pmstore.Persistent;

/** What the benchmarks read and write: a bean with three properties. */
@Persistent
public class Quote {
  private long bid;
  private long ask;
  private long time;

  public long getBid() {
    return bid;
  }

  public void setBid(long bid) {
    this.bid = bid;
  }

  public long getAsk() {
    return ask;
  }

  public void setAsk(long ask) {
    this.ask = ask;
  }

  public long getTime() {
    return time;
  }

  public void setTime(long time) {
    this.time = time;
  }
}
