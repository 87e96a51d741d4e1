package io.pmstore.core.engine;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits that an interrupt does not end. They keep the interrupt flag. */
public final class Uninterruptibles {
  private Uninterruptibles() {}

  /** Waits until a thread has ended. Returns at once if it was never started. */
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

  /**
   * Waits for the result of a task.
   *
   * @throws ExecutionException if the task has thrown
   */
  public static <T> T get(Future<T> task) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
