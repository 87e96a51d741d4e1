package io.pmstore.core.engine;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits ever longer for a condition that another thread is about to make true: spins, then parks.
 * For one wait of one thread.
 */
public final class Backoff {
  private static final int SPINS = 200;
  private static final long PARK_NANOS_MAX = 200_000;

  private int rounds;
  private long parkNanos = 2_000;

  /** Creates the backoff of a wait that begins. */
  public Backoff() {}

  /** Lets some time pass; to be called between two looks at the condition. */
  @SuppressWarnings("ThreadPriorityCheck") // no hint for a virtual thread: it gives up its carrier
  public void pause() {
    rounds++;
    if (rounds <= SPINS) {
      Thread.onSpinWait();
    } else if (Thread.currentThread().isInterrupted()) {
      // Parking would return at once: a virtual thread would keep its carrier, perhaps from the one
      // that is waited for.
      Thread.yield();
    } else {
      LockSupport.parkNanos(parkNanos);
      parkNanos = Math.min(parkNanos * 2, PARK_NANOS_MAX);
    }
  }
}
