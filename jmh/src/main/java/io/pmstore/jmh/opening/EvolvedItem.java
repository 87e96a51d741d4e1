package io.pmstore.jmh.opening;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** What {@link Item} is in a later program: it has a property more. */
@Persistent
public interface EvolvedItem {
  long getBid();

  void setBid(long bid);

  long getAsk();

  void setAsk(long ask);

  long getLast();

  void setLast(long last);

  long getVolume();

  void setVolume(long volume);

  @Nullable Item getOlder();

  void setOlder(@Nullable Item older);
}
