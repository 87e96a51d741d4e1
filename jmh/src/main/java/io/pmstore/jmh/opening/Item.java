package io.pmstore.jmh.opening;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** One of the objects of a large store: three {@code long}s, and a reference to another one. */
@Persistent
public interface Item {
  long getBid();

  void setBid(long bid);

  long getAsk();

  void setAsk(long ask);

  long getLast();

  void setLast(long last);

  @Nullable Item getOlder();

  void setOlder(@Nullable Item older);
}
