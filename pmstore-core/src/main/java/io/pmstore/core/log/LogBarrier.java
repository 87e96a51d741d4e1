package io.pmstore.core.log;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: one sync for all that wait for one.
 *
 * <p>Who finds no sync running does it itself (a lone commit hands nothing to anyone); who comes
 * while one runs waits for its end, since it may have missed that one's start, and then one of
 * those who wait leads the next, for all of them.
 *
 * <p>Syncs never overlap, and after a failed one there is none: Linux reports lost writes once, so
 * a sync that ran beside or after the failed one would succeed with data lost.
 */
public final class LogBarrier {
  /** Makes durable all that was written before the call. */
  @FunctionalInterface
  public interface Sync {
    /**
     * Makes it durable.
     *
     * @throws IOException if that failed
     */
    void run() throws IOException;
  }

  /** What becomes of a thread that waits. */
  private enum End {
    /** It stopped waiting by itself. */
    GAVE_UP,
    /** It has what it waits for, or there will be no sync. */
    DONE,
    /** It is the one who leads the next sync; if it need not, it wakes another one. */
    LEADS
  }

  /** A thread that waits; in a stack, the last one to come first. */
  private static final class Waiter extends AtomicReference<@Nullable End> {
    private static final long serialVersionUID = 1L;

    final transient Thread thread = Thread.currentThread();
    final long sequence;
    transient @Nullable Waiter next;

    Waiter(long sequence) {
      this.sequence = sequence;
    }

    /** Decides what becomes of it, unless that is decided. */
    boolean end(End how) {
      return compareAndSet(null, how);
    }
  }

  private final LongSupplier written;
  private final Sync sync;
  private final AtomicBoolean running = new AtomicBoolean();
  private final AtomicReference<@Nullable Waiter> waiters = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile long durable; // changed by who runs a sync

  /**
   * Creates the barrier.
   *
   * @param durable the last sequence that is durable
   * @param written tells the last sequence that is written, with all before it
   * @param sync makes durable what was written
   */
  public LogBarrier(long durable, LongSupplier written, Sync sync) {
    this.durable = durable;
    this.written = written;
    this.sync = sync;
  }

  /**
   * The last sequence that is known to be durable.
   *
   * @return the sequence
   */
  public long durable() {
    return durable;
  }

  /**
   * Waits until a sequence is durable, uninterruptibly.
   *
   * @param sequence that is written
   * @throws IOException if a sync failed, this thread's own or an earlier one
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

  /** Runs one sync, unless there may be none any more. */
  private void lead() throws IOException {
    try {
      if (failure.get() == null) {
        long target = written.getAsLong();
        sync.run();
        durable = target;
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
    // A sync ends before those who wait are looked for: who came too late for that sees it here.
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

  /** Wakes those who wait for nothing any more, and one of the others. */
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
          leader = waiter; // in the end the one who has waited longest
        }
        waiter = next;
      }
      // All others are back on the stack: if the leader does not lead, it finds them there.
    } while (leader != null && !leader.end(End.LEADS));
    // Likely to be back with another commit before the leader's sync begins.
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
   * Ends all syncing: waits for one that runs, then makes everyone fail whose sequence is not
   * durable.
   *
   * @param reason why
   */
  public void fail(Throwable reason) {
    failure.compareAndSet(null, reason);
    while (running.get()) {
      awaitEnd(Long.MAX_VALUE);
    }
    wakeOthers();
  }
}
