package io.pmstore.jmh.access;

import io.pmstore.PmStore;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;

/** Objects of an enhanced class. Nobody may use this class before the agent is there. */
final class EnhancedQuotes {
  final EnhancedQuote[] plain;
  final EnhancedQuote[] persistent;

  EnhancedQuotes(PmStore store, int count) {
    plain = new EnhancedQuote[count];
    persistent = new EnhancedQuote[count];
    for (int i = 0; i < count; i++) {
      plain[i] = new EnhancedQuote();
      persistent[i] = new EnhancedQuote();
      persistent[i].setBid(i);
    }
    store.transaction(
        () -> {
          for (EnhancedQuote quote : persistent) {
            EnhancedQuote _ = store.persist(quote);
          }
        });
    boolean arePlain =
        plain[0] instanceof EnhancedObject && !PersistentObject.isPersistent(plain[0]);
    if (!arePlain || !PersistentObject.isPersistent(persistent[0])) {
      throw new IllegalStateException("class EnhancedQuote was loaded before the agent");
    }
  }
}
