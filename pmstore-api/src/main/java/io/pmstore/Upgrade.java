package io.pmstore;

import java.time.Duration;

/**
 * A run through a whole store, in the background, that rewrites every object of an older shape in
 * the shape that its class has now. Started by {@link PmStore#upgrade}. Safe for use by any number
 * of threads.
 */
public interface Upgrade {
  /**
   * How much of the store it has gone through.
   *
   * @return from 0 to 1; 1 only when it is done
   */
  double progress();

  /**
   * How many objects it has rewritten.
   *
   * @return their number so far
   */
  long upgraded();

  /**
   * Says whether it has ended: gone through everything, failed, or been cancelled.
   *
   * @return true if it does nothing more
   */
  boolean isDone();

  /**
   * Waits for its end. When this returns, every object that the store had when the run was started
   * has the shape of its class, durably, and the store remembers that: {@link Removed}, {@link
   * FormerNames} and {@link Migration} that only those objects needed are needed no more.
   *
   * @throws PmStoreException if it failed, with the cause: what a migration function threw, say, or
   *     a class that was not found; or if it was cancelled. What was upgraded before stays so
   * @throws StoreClosedException if the store was closed before it was done
   * @throws InterruptedException if the waiting thread was interrupted; the run goes on
   */
  void await() throws InterruptedException;

  /**
   * Waits for its end, but not longer than a time.
   *
   * @param timeout the longest time to wait
   * @return whether it has come to its end, as {@link #await()} says; false if the time was over
   *     first
   * @throws PmStoreException as {@link #await()} does
   * @throws InterruptedException if the waiting thread was interrupted; the run goes on
   */
  boolean await(Duration timeout) throws InterruptedException;

  /** Ends it after the objects that it is rewriting. Those stay upgraded; another run goes on. */
  void cancel();
}
