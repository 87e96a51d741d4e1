package io.pmstore.core.heap;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The rule for writes outside transactions, each of which is a durable transaction of its own:
 * refuses them if the store's options say so, and warns once of each call site that makes many in a
 * row. Safe for use by any number of threads.
 */
public final class SingleWrites {
  /** So many writes within a second are a burst. */
  static final int BURST = 100;

  private static final long BURST_NANOS = 1_000_000_000;
  private static final int CALL_SITES_MAX = 100;

  private final boolean allowed;
  private final Consumer<String> warn;
  private final LongSupplier nanoTime;
  private final AtomicInteger count = new AtomicInteger();
  private volatile long counted; // when the count began
  private final Set<String> callSites = ConcurrentHashMap.newKeySet();

  /**
   * Creates the rule of a store.
   *
   * @param allowed false to refuse all of them
   */
  public SingleWrites(boolean allowed) {
    this(allowed, SingleWrites::log, System::nanoTime);
  }

  SingleWrites(boolean allowed, Consumer<String> warn, LongSupplier nanoTime) {
    this.allowed = allowed;
    this.warn = warn;
    this.nanoTime = nanoTime;
    this.counted = nanoTime.getAsLong();
  }

  /**
   * Counts a write that begins.
   *
   * @throws IllegalStateException if the store refuses them
   */
  void begin() {
    if (!allowed) {
      throw new IllegalStateException(
          "this write is outside a transaction, and the store was opened with"
              + " PmStoreOptions.writesOutsideTransactions(false); put it into"
              + " store.transaction(...)");
    }
    if (count.incrementAndGet() == BURST) {
      long now = nanoTime.getAsLong();
      long nanos = now - counted;
      if (nanos < BURST_NANOS && callSites.size() < CALL_SITES_MAX) {
        tell(nanos);
      }
      counted = now;
      count.set(0);
    }
  }

  private static void log(String warning) {
    System.getLogger(SingleWrites.class.getName()).log(System.Logger.Level.WARNING, warning);
  }

  private void tell(long nanos) {
    String callSite = CallSite.current();
    if (callSites.add(callSite)) {
      warn.accept(
          "%d writes outside transactions in %d ms, the last one at %s: each is a durable transaction of its own; put them into one store.transaction(...)"
              .formatted(BURST, nanos / 1_000_000, callSite));
    }
  }
}
