package io.pmstore.oms.kill;

import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * When the child is killed: some time after it began to open the store, or some time after a number
 * of acknowledgements.
 *
 * @param acknowledgements how many are awaited; 0 to kill around the opening
 * @param delayNanos how long after that, in nanoseconds
 */
record KillMoment(int acknowledgements, long delayNanos) {
  private static final int ONE_IN_OPENING = 5;
  private static final long OPENING_NANOS_MAX = 400_000_000;
  private static final long RUNNING_NANOS_MAX = 2_000_000;

  /**
   * Draws a moment: one in five around the opening, the others evenly over a number of
   * acknowledgements.
   */
  static KillMoment draw(RandomGenerator random, int acknowledgementsMax) {
    return random.nextInt(ONE_IN_OPENING) == 0
        ? new KillMoment(0, random.nextLong(OPENING_NANOS_MAX))
        : new KillMoment(
            1 + random.nextInt(acknowledgementsMax), random.nextLong(RUNNING_NANOS_MAX));
  }

  /** Lets the delay pass. */
  void await() {
    long end = System.nanoTime() + delayNanos;
    for (long left = delayNanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
