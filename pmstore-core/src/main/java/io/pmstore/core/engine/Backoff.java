package io.pmstore.core.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that another thread is about to make true, ever longer: spins, then parks.
 * One instance serves one wait of one thread.
 */
public final class Backoff {
  private static final int SPINS = 200;
  private static final long PARK_NANOS_MAX = 200_000;

  private int rounds;
  private long parkNanos = 2_000;

  public Backoff() {}

  /** Waits until a condition is true, whose test neither throws nor waits. */
  public static void until(BooleanSupplier condition) {
    Backoff backoff = new Backoff();
    while (!condition.getAsBoolean()) {
      backoff.pause();
    }
  }

  /** Pauses; called between two tests of the condition. Keeps the interrupt flag. */
  public void pause() {
    rounds++;
    if (rounds <= SPINS) {
      Thread.onSpinWait();
      return;
    }
    // An interrupted thread does not park. A virtual one would then occupy its carrier, perhaps
    // the one that the awaited thread needs. Thread.yield would not help: the scheduler may
    // continue the same thread.
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      LockSupport.parkNanos(1); // takes the permit that the interrupt left
    }
    park();
    parkNanos = Math.min(parkNanos * 2, PARK_NANOS_MAX);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void park() {
    if (parkNanos < PARK_NANOS_MAX) {
      LockSupport.parkNanos(parkNanos);
      return;
    }
    try {
      CompensatedWait.once(() -> LockSupport.parkNanos(parkNanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
