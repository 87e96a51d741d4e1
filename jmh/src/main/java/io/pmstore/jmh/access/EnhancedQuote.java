package io.pmstore.jmh.access;

import io.pmstore.Persistent;

/**
 * What {@link EnhancedBenchmark} reads and writes: a bean that is enhanced when it is loaded, or
 * not.
 */
@Persistent
public class EnhancedQuote {
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
