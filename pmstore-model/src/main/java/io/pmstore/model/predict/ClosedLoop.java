package io.pmstore.model.predict;

/**
 * Threads that use the processors, wait for something that does not depend on each other's use of
 * them, and begin again: exact mean value analysis (Reiser, Lavenberg 1980) of a queue and a delay.
 * Several processors are one that is so many times as fast, and a delay for the rest.
 *
 * @param threads how many, at least 1
 * @param processors how many run at the same time
 * @param workNanos the processor's time of an operation
 * @param delayNanos the wait of an operation
 */
public record ClosedLoop(int threads, int processors, double workNanos, double delayNanos) {
  /** Checks the figures. */
  public ClosedLoop {
    if (threads < 1 || processors < 1 || !(workNanos > 0) || !(delayNanos >= 0)) {
      throw new IllegalArgumentException(
          "%d threads on %d processors, %s ns of work, %s ns of waiting"
              .formatted(threads, processors, workNanos, delayNanos));
    }
  }

  /** Returns the operations a second of all threads. */
  public double perSecond() {
    double demand = workNanos / processors;
    double delay = delayNanos + workNanos - demand;
    double queue = 0;
    double rate = 0;
    for (int n = 1; n <= threads; n++) {
      double response = demand * (1 + queue);
      rate = n / (delay + response);
      queue = rate * response;
    }
    return rate * 1e9;
  }
}
