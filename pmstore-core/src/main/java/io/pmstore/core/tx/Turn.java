package io.pmstore.core.tx;

import io.pmstore.core.engine.CompensatedWait;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.events.Recorder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The right of one thread to run a transaction while no other thread begins one. A transaction that
 * has conflicted several times takes it; threads get it in the order in which they asked.
 *
 * <p>A turn ends early if its holder has waited in the body for some time, or has run for very
 * long, because the holder may wait for a thread that waits here. The holder goes on without the
 * turn. If its transaction conflicts again, it gets another turn, with more time; after {@link
 * #EARLY_ENDS_MAX} such turns the transaction fails.
 *
 * <p>The threads that wait here watch the holder, one of them at a time. Safe for use by any number
 * of threads, virtual ones included.
 */
final class Turn {
  /** A transaction fails after so many turns that ended early and in a conflict. */
  static final int EARLY_ENDS_MAX = 3;

  private static final long[] WAITING_NANOS = {
    TimeUnit.MILLISECONDS.toNanos(100),
    TimeUnit.MILLISECONDS.toNanos(500),
    TimeUnit.SECONDS.toNanos(3)
  };
  private static final long[] RUNNING_NANOS = {
    TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(300)
  };
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final LongSupplier nanoTime;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private volatile @Nullable Holder holder; // written under the lock
  private long turns;
  private final Deque<Holder> takers = new ArrayDeque<>(); // those that wait for it, in order
  private @Nullable Thread watcher;

  /** A transaction with a turn, as the watching thread sees it. */
  interface Taker {
    /** Returns a number that changes while the body reads or writes. */
    int progress();

    /**
     * Returns true if the body has ended, so that the transaction waits for nothing but the store.
     */
    boolean isCommitting();

    /**
     * Tells the transaction that its turn has ended early.
     *
     * @param callSite where the transaction's thread was
     */
    void setTurnEnded(String callSite);
  }

  /** A transaction that has the turn or waits for it, and its thread. */
  private static final class Holder {
    final Thread thread = Thread.currentThread();
    final Taker transaction;
    final int earlyEnds; // of turns that the transaction had before
    int depth = 1;
    long began; // when this attempt began, in nanoseconds
    long waitsSince;
    int progress;

    Holder(Taker transaction, int earlyEnds) {
      this.transaction = transaction;
      this.earlyEnds = earlyEnds;
    }

    boolean isMine() {
      return thread.threadId() == Thread.currentThread().threadId();
    }
  }

  Turn(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Waits for the end of another thread's turn, if it has one now. */
  void await() {
    Holder current = holder;
    if (current != null && !current.isMine()) {
      awaitEnd();
    }
  }

  private void awaitEnd() {
    try (var _ = lock.hold()) {
      long turn = turns;
      while (holder != null && turns == turn) {
        awaitChange();
      }
    }
  }

  /**
   * Waits for the turn and takes it. One thread may take it several times, for transactions inside
   * each other.
   *
   * @param earlyEnds how many turns of the transaction have ended early
   */
  void take(Taker transaction, int earlyEnds) {
    try (var _ = lock.hold()) {
      Holder current = holder;
      if (current != null && current.isMine()) {
        current.depth++;
        return;
      }
      Holder taken = new Holder(transaction, earlyEnds);
      awaitTurn(taken);
      turns++;
      begin(taken);
      holder = taken;
    }
  }

  /** Waits until a taker is the first one that waits, and nobody has the turn. */
  private void awaitTurn(Holder taker) {
    takers.add(taker);
    try {
      while (holder != null || takers.peek() != taker) {
        awaitChange();
      }
    } finally {
      takers.remove(taker); // also after an error: those behind would wait for ever
      changed.signalAll(); // one has to watch the next holder, or is the next one itself
    }
  }

  private void begin(Holder current) {
    current.began = nanoTime.getAsLong();
    current.waitsSince = current.began;
  }

  /**
   * Restarts the clock of the turn for the next attempt at the transaction. Returns false if the
   * turn has ended early.
   */
  boolean attemptBegins() {
    try (var _ = lock.hold()) {
      Holder current = holder;
      if (current == null || !current.isMine()) {
        return false;
      }
      begin(current);
      return true;
    }
  }

  /** Gives back what {@link #take} took, unless the turn has ended early. */
  void release() {
    try (var _ = lock.hold()) {
      Holder current = holder;
      if (current != null && current.isMine() && --current.depth == 0) {
        end();
      }
    }
  }

  private void end() {
    holder = null;
    changed.signalAll();
  }

  // ---- the waiting threads

  /** Waits for a change; one of the waiting threads watches the holder meanwhile. */
  @SuppressWarnings("WaitNotInLoop") // all callers loop
  private void awaitChange() {
    if (watcher != null || holder == null) {
      changed.awaitUninterruptibly();
      return;
    }
    watcher = Thread.currentThread();
    boolean interrupted = Thread.interrupted();
    try {
      CompensatedWait.once(() -> changed.awaitNanos(LOOK_NANOS));
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      watcher = null;
      changed.signal(); // another one watches, if this one leaves
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    look();
  }

  /** Ends the turn if its holder has used up its time. */
  void look() {
    Holder current = holder;
    if (current == null || current.transaction.isCommitting()) {
      return;
    }
    long now = nanoTime.getAsLong();
    int progress = current.transaction.progress();
    boolean waits =
        switch (current.thread.getState()) {
          case BLOCKED, WAITING, TIMED_WAITING -> true;
          case NEW, RUNNABLE, TERMINATED -> false;
        };
    if (!waits || progress != current.progress) {
      current.progress = progress;
      current.waitsSince = now;
    }
    boolean runsLong = now - current.began >= RUNNING_NANOS[current.earlyEnds];
    if (!runsLong && now - current.waitsSince < WAITING_NANOS[current.earlyEnds]) {
      return;
    }
    StackTraceElement[] stack = current.thread.getStackTrace();
    if (!runsLong && CallSite.isInsideStore(stack)) {
      current.waitsSince = now;
      return;
    }
    String callSite = CallSite.describe(stack);
    current.transaction.setTurnEnded(callSite);
    Recorder.turnEnded(current.thread, callSite, waits, now - current.began);
    end();
  }
}
