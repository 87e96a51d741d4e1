package io.pmstore;

import java.time.Duration;

/**
 * A background run through a whole store that rewrites every object of an older shape in the
 * present shape of its class. {@link PmStore#upgrade} starts it. Safe for use by any number of
 * threads.
 */
public interface Upgrade {
  /**
   * Returns how much of the store the run has gone through.
   *
   * @return from 0 to 1; 1 only when it is done
   */
  double progress();

  /**
   * Returns how many objects the run has rewritten.
   *
   * @return the number so far
   */
  long upgraded();

  /**
   * Returns true if the run has ended: it has gone through everything, has failed, or was
   * cancelled.
   *
   * @return false while the run is under way
   */
  boolean isDone();

  /**
   * Waits for the end of the run. When this method returns, every object that the store had when
   * the run started has the present shape of its class, durably, and the store records that. The
   * program can then drop each {@link Removed}, {@link FormerNames} and {@link Migration} that only
   * those objects needed.
   *
   * @throws PmStoreException if the run failed, with the cause (what a migration function threw, or
   *     a class that was not found), or if it was cancelled. Objects that it has upgraded stay so
   * @throws StoreClosedException if the store was closed before it was done
   * @throws InterruptedException if the waiting thread was interrupted; the run goes on
   */
  void await() throws InterruptedException;

  /**
   * Waits for the end of the run, but no longer than a given time.
   *
   * @param timeout the longest time to wait
   * @return true if the run has ended, as {@link #await()} says; false if the time has passed first
   * @throws PmStoreException as {@link #await()} does
   * @throws InterruptedException if the waiting thread was interrupted; the run goes on
   */
  boolean await(Duration timeout) throws InterruptedException;

  /**
   * Ends the run after the objects that it is rewriting. Upgraded objects stay so; another run
   * continues from there.
   */
  void cancel();
}
