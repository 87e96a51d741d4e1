package io.pmstore.core.log;

import io.pmstore.core.medium.IoAction;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: one sync for all threads that wait for one.
 *
 * <p>A thread that finds no sync running runs one itself, so a lone commit hands nothing to another
 * thread. A thread that arrives during a sync waits for its end, because that sync may not cover
 * its record. Then one of the waiting threads leads the next sync for all of them.
 *
 * <p>Syncs never overlap, and none runs after a failed one. Linux reports lost writes once, so a
 * sync beside or after the failed one would succeed although data is lost.
 */
public final class LogBarrier {
  /** How a thread's wait ends. */
  private enum End {
    /** It stopped waiting by itself. */
    GAVE_UP,
    /** Its sequence is durable, or no sync will run any more. */
    DONE,
    /** It leads the next sync. If it does not need to, it wakes another thread. */
    LEADS
  }

  /** A waiting thread. The waiters form a stack; the latest is on top. */
  private static final class Waiter extends AtomicReference<@Nullable End> {
    private static final long serialVersionUID = 1L;

    final transient Thread thread = Thread.currentThread();
    final long sequence;
    transient @Nullable Waiter next;

    Waiter(long sequence) {
      this.sequence = sequence;
    }

    /** Sets the end, unless it is set already. */
    boolean end(End how) {
      return compareAndSet(null, how);
    }
  }

  private final LongSupplier written;
  private final IoAction sync;
  private final AtomicBoolean running = new AtomicBoolean();
  private final AtomicReference<@Nullable Waiter> waiters = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile long durable; // written only by the thread that syncs
  private final LongAdder syncs = new LongAdder();

  /**
   * Creates the barrier.
   *
   * @param durable the last durable sequence
   * @param written returns the last sequence that is written together with all before it
   * @param sync makes everything written before it durable
   */
  public LogBarrier(long durable, LongSupplier written, IoAction sync) {
    this.durable = durable;
    this.written = written;
    this.sync = sync;
  }

  /** Returns the durable position: the last sequence known to be durable. */
  public long durable() {
    return durable;
  }

  /** Returns how many syncs have ended. */
  public long syncs() {
    return syncs.sum();
  }

  /**
   * Waits until a sequence that is written is durable. Interrupts do not end the wait.
   *
   * @throws IOException if this thread's sync or an earlier one failed
   */
  public void await(long sequence) throws IOException {
    boolean leads = false;
    try {
      while (sequence > durable) {
        Throwable failed = failure.get();
        if (failed != null) {
          throw new IOException("the log could not be synced: " + failed.getMessage(), failed);
        }
        if (running.compareAndSet(false, true)) {
          leads = false;
          lead();
        } else {
          leads = awaitEnd(sequence) == End.LEADS;
        }
      }
    } finally {
      if (leads) {
        wakeOthers();
      }
    }
  }

  /** Runs one sync, unless one has failed. */
  private void lead() throws IOException {
    try {
      if (failure.get() == null) {
        long target = written.getAsLong();
        assert running.get() && target >= durable : target;
        sync.run();
        durable = target;
        syncs.increment();
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      throw e;
    } finally {
      running.set(false);
      wakeOthers();
    }
  }

  /** Waits for the end of a sync. */
  private @Nullable End awaitEnd(long sequence) {
    Waiter waiter = new Waiter(sequence);
    push(waiter);
    boolean interrupted = false;
    // The leader clears `running` before it looks for waiters: a waiter that was pushed too late
    // for that sees it here.
    while (waiter.get() == null && running.get()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    waiter.end(End.GAVE_UP);
    return waiter.get();
  }

  private void push(Waiter waiter) {
    Waiter top;
    do {
      top = waiters.get();
      waiter.next = top;
    } while (!waiters.compareAndSet(top, waiter));
  }

  /** Wakes the threads whose sequence is durable, and one of the others to lead. */
  private void wakeOthers() {
    Waiter done = null;
    Waiter leader;
    do {
      leader = null;
      boolean all = failure.get() != null;
      Waiter waiter = waiters.getAndSet(null);
      while (waiter != null) {
        Waiter next = waiter.next;
        if (all || waiter.sequence <= durable) {
          waiter.next = done;
          done = waiter;
        } else if (waiter.get() == null) {
          if (leader != null) {
            push(leader);
          }
          leader = waiter; // the last one found is the one that has waited longest
        }
        waiter = next;
      }
      // All others are back on the stack: if this leader gave up waiting, another is found there.
    } while (leader != null && !leader.end(End.LEADS));
    // These first: they are likely to return with another commit before the leader's sync begins.
    for (; done != null; done = done.next) {
      if (done.end(End.DONE)) {
        LockSupport.unpark(done.thread);
      }
    }
    if (leader != null) {
      LockSupport.unpark(leader.thread);
    }
  }

  /**
   * Ends all syncing. Waits for a running sync; then every wait for a sequence that is not durable
   * fails.
   *
   * @param reason the cause of the exceptions
   */
  public void fail(Throwable reason) {
    failure.compareAndSet(null, reason);
    while (running.get()) {
      awaitEnd(Long.MAX_VALUE);
    }
    wakeOthers();
  }
}
