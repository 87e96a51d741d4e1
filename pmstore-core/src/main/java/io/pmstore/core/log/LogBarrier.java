package io.pmstore.core.log;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final LongSupplier written;
  private final Sync sync;
  private boolean running;
  private volatile long durable;
  private @Nullable Throwable failure;

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
    if (sequence <= durable) {
      return;
    }
    lock.lock();
    try {
      while (sequence > durable) {
        if (failure != null) {
          throw new IOException("the log could not be synced: " + failure.getMessage(), failure);
        }
        if (running) {
          ended.awaitUninterruptibly();
        } else {
          lead();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs one sync, giving up the lock meanwhile. */
  private void lead() throws IOException {
    running = true;
    lock.unlock();
    long target = 0;
    Throwable thrown = null;
    try {
      target = written.getAsLong();
      sync.run();
    } catch (Throwable e) {
      thrown = e;
      throw e;
    } finally {
      lock.lock();
      running = false;
      if (thrown == null) {
        durable = Math.max(durable, target);
      } else if (failure == null) {
        failure = thrown;
      }
      ended.signalAll();
    }
  }

  /**
   * Ends all syncing: waits for one that runs, then makes everyone fail whose sequence is not
   * durable.
   *
   * @param reason why
   */
  public void fail(Throwable reason) {
    lock.lock();
    try {
      if (failure == null) {
        failure = reason;
      }
      while (running) {
        ended.awaitUninterruptibly();
      }
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
