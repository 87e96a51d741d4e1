package io.pmstore.core.tx;

import io.pmstore.PmStoreException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
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
 * <p>An error of that thread, such as a lack of memory, does not end it while the engine can be
 * used: the thread tries again. If no thread can be started, the transaction itself waits until it
 * is durable.
 *
 * <p>Safe for use by any number of threads.
 */
final class RelaxedSync {
  private static final long NEVER = Long.MIN_VALUE;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Engine engine;
  private final ThreadFactory threads;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  // When the next sync begins, on the clock of System.nanoTime. Written under the lock.
  private volatile long deadlineNanos = NEVER;
  // All up to this position is durable. If it lags behind, one sync has nothing to do.
  private volatile long durable;
  // Guarded by the lock.
  private @Nullable Thread thread;
  private volatile boolean closed; // written under the lock

  RelaxedSync(Engine engine) {
    this(engine, Thread.ofPlatform().daemon().name("pmstore-sync").factory());
  }

  RelaxedSync(Engine engine, ThreadFactory threads) {
    this.engine = engine;
    this.threads = threads;
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
    if (isEarlier(deadline) && !plan(deadline)) {
      sync();
    }
  }

  /** Plans a sync, unless an earlier one is planned; returns false if there is no thread for it. */
  private boolean plan(long deadline) {
    lock.lock();
    try {
      if (isEarlier(deadline) && !closed) {
        startThread();
        deadlineNanos = deadline == NEVER ? deadline + 1 : deadline;
        changed.signal();
      }
      return true;
    } catch (OutOfMemoryError e) {
      log(
          System.Logger.Level.WARNING,
          "no thread can be started for relaxed transactions, so each waits until it is durable",
          e);
      return false;
    } finally {
      lock.unlock();
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
      Thread started = threads.newThread(this::run);
      started.start();
      thread = started;
    }
  }

  private void run() {
    boolean due = false;
    Throwable failure = null; // not logged yet
    while (!closed) {
      try {
        if (failure != null) {
          Throwable logged = failure;
          failure = null;
          log(
              System.Logger.Level.ERROR,
              "relaxed transactions were not made durable in time; it is tried again",
              logged);
        }
        due = due || awaitDeadline();
        if (due) {
          sync();
          due = false;
        }
      } catch (Throwable e) {
        if (!isUsable()) {
          log(
              System.Logger.Level.ERROR,
              "making relaxed transactions durable failed; the store refuses everything further",
              e);
          return;
        }
        failure = e;
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
  }

  /** Makes all durable that was committed before the call. */
  void sync() {
    long position = engine.position();
    if (position > durable) {
      engine.sync(position);
      durable = position;
    }
  }

  private boolean isUsable() {
    try {
      engine.checkUsable();
      return true;
    } catch (PmStoreException e) {
      return false; // every user of the store learns of it
    }
  }

  private static void log(System.Logger.Level level, String message, @Nullable Throwable thrown) {
    System.getLogger(RelaxedSync.class.getName()).log(level, message, thrown);
  }

  /** Waits for the next deadline and clears it; returns false when closed. */
  private boolean awaitDeadline() {
    try (var _ = lock.hold()) {
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
          log(
              System.Logger.Level.DEBUG,
              "nobody has a reason to interrupt this thread; it goes on",
              e);
        }
      }
      return false;
    }
  }

  /** Ends the thread. Closing the engine makes the rest durable. */
  void close() {
    Thread ending;
    try (var _ = lock.hold()) {
      closed = true;
      changed.signal();
      ending = thread;
    }
    if (ending != null) {
      Uninterruptibles.join(ending);
    }
  }
}
