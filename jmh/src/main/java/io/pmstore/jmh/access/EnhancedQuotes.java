package io.pmstore.jmh.access;

import io.pmstore.PmStore;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;

/** Objects of a class that may be enhanced. Nobody may use this class before the agent is there. */
final class EnhancedQuotes {
  final EnhancedQuote[] plain;
  final EnhancedQuote[] persistent;

  EnhancedQuotes(PmStore store, int count, boolean areEnhanced) {
    plain = new EnhancedQuote[count];
    persistent = new EnhancedQuote[count];
    for (int i = 0; i < count; i++) {
      plain[i] = new EnhancedQuote();
    }
    store.transaction(
        () -> {
          for (int i = 0; i < count; i++) {
            persistent[i] = store.create(EnhancedQuote.class);
            persistent[i].setBid(i);
          }
        });
    if (EnhancedObject.class.isAssignableFrom(EnhancedQuote.class) != areEnhanced) {
      throw new IllegalStateException("class EnhancedQuote was loaded before the agent");
    }
    if (PersistentObject.isPersistent(plain[0]) || !PersistentObject.isPersistent(persistent[0])) {
      throw new IllegalStateException("the objects are not what they should be");
    }
  }
}
