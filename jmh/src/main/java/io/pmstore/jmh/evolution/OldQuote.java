package io.pmstore.jmh.evolution;

import io.pmstore.Persistent;

/** What {@link EvolvingQuote} was when the quotes were stored: a property less, one narrower. */
@Persistent
public interface OldQuote {
  long getBid();

  void setBid(long bid);

  int getSize();

  void setSize(int size);
}
