package io.pmstore.jmh.access;

import io.pmstore.Persistent;
import io.pmstore.jmh.support.Quote;
import org.jspecify.annotations.Nullable;

/** A reference to a quote. */
@Persistent
public interface Link {
  @Nullable Quote getQuote();

  void setQuote(@Nullable Quote quote);
}
