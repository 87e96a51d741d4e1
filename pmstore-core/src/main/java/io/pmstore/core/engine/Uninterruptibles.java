package io.pmstore.core.engine;

/** Waits that an interrupt does not end. */
public final class Uninterruptibles {
  private Uninterruptibles() {}

  /**
   * Waits until a thread has ended. Returns at once if it was never started. Keeps the interrupt
   * flag.
   */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
