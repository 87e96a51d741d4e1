package io.pmstore.raft;

import io.pmstore.core.engine.CompensatedWait;
import io.pmstore.core.engine.Mutex;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * Wakes the threads that wait for a change in this process. Thread-safe.
 *
 * <p>Ratis runs tasks in the common pool. So a thread that waits there must let the pool run
 * another thread.
 */
final class Signal {
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final AtomicLong changes = new AtomicLong();

  /** Call this after each change that a condition of {@link #await} depends on. */
  void changed() {
    try (var _ = lock.hold()) {
      changes.incrementAndGet();
      changed.signalAll();
    }
  }

  /**
   * Waits until a condition holds.
   *
   * @return false if it does not hold when the time is over
   */
  boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
    boolean[] holds = new boolean[1];
    CompensatedWait.once(() -> holds[0] = awaitHere(condition, nanos));
    return holds[0];
  }

  private boolean awaitHere(BooleanSupplier condition, long nanos) throws InterruptedException {
    long left = nanos;
    lock.lockInterruptibly();
    try {
      while (!condition.getAsBoolean()) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next change, or for a time. */
  void awaitNext(long nanos) throws InterruptedException {
    long before = changes.get();
    await(() -> changes.get() != before, nanos);
  }
}
