package io.pmstore.core.tx;

import io.pmstore.core.engine.Backoff;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The transactions of a store that threads have used, and use again, as long as their threads live;
 * which of them run, and when these have ended. Safe for use by any number of threads.
 */
final class KnownTransactions {
  private final Supplier<Transaction> maker;
  private final Set<Transaction> all =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Map<Thread, Transaction> ofThreads =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * Starts without transactions.
   *
   * @param maker makes one for the calling thread
   */
  KnownTransactions(Supplier<Transaction> maker) {
    this.maker = maker;
  }

  /** Returns the transaction that this thread has used before, or a new one if that is active. */
  Transaction mine(ThreadSlot slot) {
    Transaction known = ofThreads.get(Thread.currentThread());
    if (known != null && !known.isActive()) {
      slot.setUsedLast(known);
      return known;
    }
    Transaction made = maker.get();
    all.add(made);
    if (known == null) {
      ofThreads.put(Thread.currentThread(), made);
      slot.setUsedLast(made);
    }
    return made;
  }

  /** Returns all that exist now. */
  List<Transaction> all() {
    synchronized (all) {
      return new ArrayList<>(all);
    }
  }

  /** Returns the number of those that run now. */
  int active() {
    return (int) all().stream().filter(View::isActive).count();
  }

  /** Waits for those that run now, if they meet a condition and as long as they do. */
  void awaitEnd(Predicate<Transaction> condition) {
    for (Transaction transaction : all()) {
      Backoff.until(() -> !transaction.isActive() || !condition.test(transaction));
    }
  }

  /** Remembers those that run now; returns a test that is true once each has ended or run again. */
  BooleanSupplier running() {
    List<Run> running = new ArrayList<>();
    for (Transaction transaction : all()) {
      long run = transaction.run();
      if (transaction.isActive()) {
        running.add(new Run(transaction, run));
      }
    }
    return () -> {
      running.removeIf(Run::hasEnded);
      return running.isEmpty();
    };
  }

  private record Run(Transaction transaction, long number) {
    boolean hasEnded() {
      return !transaction.isActive() || transaction.run() != number;
    }
  }
}
