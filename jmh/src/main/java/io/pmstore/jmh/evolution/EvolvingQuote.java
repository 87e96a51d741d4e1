package io.pmstore.jmh.evolution;

import io.pmstore.Persistent;

/** A quote today. */
@Persistent
public interface EvolvingQuote {
  long getAsk();

  void setAsk(long ask);

  long getBid();

  void setBid(long bid);

  long getSize();

  void setSize(long size);
}
