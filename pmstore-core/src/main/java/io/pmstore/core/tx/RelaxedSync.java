package io.pmstore.core.tx;

import io.pmstore.PmStoreException;
import io.pmstore.core.engine.Engine;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes transactions durable that were acknowledged before, each within the bound of its {@link
 * io.pmstore.Durability}. It owns the thread that does this, which starts with the first such
 * transaction.
 *
 * <p>There is one deadline, the earliest. The sync at that time covers all transactions that are
 * not durable, so later deadlines need no sync of their own. Without such transactions the thread
 * sleeps.
 *
 * <p>Safe for use by any number of threads.
 */
final class RelaxedSync {
  private static final long NEVER = Long.MIN_VALUE;

  private final Engine engine;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // When the next sync begins, on the clock of System.nanoTime. Written under the lock.
  private volatile long deadlineNanos = NEVER;
  // All up to this position is durable. If it lags behind, one sync has nothing to do.
  private volatile long durable;
  // Guarded by the lock.
  private @Nullable Thread thread;
  private boolean closed;

  RelaxedSync(Engine engine) {
    this.engine = engine;
  }

  /**
   * Plans the sync of a transaction that is acknowledged now.
   *
   * @param position up to which the engine has to be durable when the bound is over
   */
  void acknowledged(long position, Duration bound) {
    if (position <= durable) {
      return;
    }
    // Half of the bound is left for the sync itself.
    long deadline = System.nanoTime() + bound.toNanos() / 2;
    // The sync of an earlier deadline has not yet read the engine's position, so it covers this.
    if (isEarlier(deadline)) {
      lock.lock();
      try {
        if (isEarlier(deadline) && !closed) {
          deadlineNanos = deadline == NEVER ? deadline + 1 : deadline;
          changed.signal();
          startThread();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean isEarlier(long deadline) {
    long planned = deadlineNanos;
    return planned == NEVER || deadline - planned < 0;
  }

  /**
   * Records that all up to a position is durable, which spares the next sync its work. Does nothing
   * if none is planned: threads would only take the field's cache line from each other.
   */
  void synced(long position) {
    if (deadlineNanos != NEVER && position > durable) {
      durable = position; // a lower one that another thread writes meanwhile does no harm
    }
  }

  private void startThread() {
    if (thread == null) {
      thread = Thread.ofPlatform().daemon().name("pmstore-sync").start(this::run);
    }
  }

  private void run() {
    try {
      while (awaitDeadline()) {
        long position = engine.position(); // read after the deadline was cleared
        if (position > durable) {
          engine.sync(position);
          durable = position;
        }
      }
    } catch (PmStoreException e) {
      // The engine refuses everything from now on, so every user of the store learns of it.
      System.getLogger(RelaxedSync.class.getName())
          .log(
              System.Logger.Level.ERROR,
              "making relaxed transactions durable failed; the store refuses everything further",
              e);
    }
  }

  /** Waits for the next deadline and clears it; returns false when closed. */
  private boolean awaitDeadline() {
    lock.lock();
    try {
      while (!closed) {
        if (deadlineNanos == NEVER) {
          changed.awaitUninterruptibly();
          continue;
        }
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
          deadlineNanos = NEVER;
          return true;
        }
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException e) {
          System.getLogger(RelaxedSync.class.getName())
              .log(
                  System.Logger.Level.DEBUG,
                  "nobody has a reason to interrupt this thread; it goes on",
                  e);
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. Closing the engine makes the rest durable. */
  void close() {
    Thread ending;
    lock.lock();
    try {
      closed = true;
      changed.signal();
      ending = thread;
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (ending != null && ending.isAlive()) {
      try {
        ending.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
