package io.pmstore.core.tx;

import io.pmstore.core.engine.Backoff;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The transactions that run again after a conflict. Work of the store that can wait lets them
 * commit first: a transaction that has read thousands of objects depends on so many locks that it
 * would conflict with each commit of the collector. Safe for use by any number of threads.
 */
final class Repeats {
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LongSupplier nanoTime;
  private final Set<Object> running = ConcurrentHashMap.newKeySet();
  private volatile long busyUntil; // nobody waits before

  Repeats(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.busyUntil = nanoTime.getAsLong();
  }

  /** Notes that a transaction runs again. Returns what {@link #end} gets when it has ended. */
  Object begin() {
    Object repeat = new Object();
    running.add(repeat);
    return repeat;
  }

  void end(Object repeat) {
    running.remove(repeat);
  }

  /**
   * Waits until those transactions have ended that run again now. One that takes longer than the
   * patience is not waited for any more: its body may wait for the caller. After a wait nobody
   * waits for a third of its time, so that the caller gets a quarter of all time at least.
   *
   * @param patienceNanos how long to wait at most
   */
  void await(long patienceNanos) {
    long began = nanoTime.getAsLong();
    if (running.isEmpty() || began - busyUntil < 0) {
      return;
    }
    Set<Object> awaited = Set.copyOf(running);
    Backoff.until(
        () ->
            Collections.disjoint(running, awaited)
                || nanoTime.getAsLong() - began >= patienceNanos);
    running.removeAll(awaited);
    long ended = nanoTime.getAsLong();
    busyUntil = ended + (ended - began) / 3;
  }
}
