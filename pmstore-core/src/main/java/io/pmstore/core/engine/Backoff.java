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

  /** Lets some time pass; to be called between two looks at the condition. Interrupts stay. */
  public void pause() {
    rounds++;
    if (rounds <= SPINS) {
      Thread.onSpinWait();
      return;
    }
    // Interrupted, a thread does not park: a virtual one would keep its carrier, perhaps from the
    // one that is waited for. To yield would not do: the scheduler may let the same one go on.
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      LockSupport.parkNanos(1); // takes the permit that the interrupt has left
    }
    LockSupport.parkNanos(parkNanos);
    parkNanos = Math.min(parkNanos * 2, PARK_NANOS_MAX);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
