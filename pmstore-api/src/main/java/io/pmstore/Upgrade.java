package io.pmstore;

import java.time.Duration;

/**
 * A background run that rewrites every object of an older shape in the present shape of its class.
 * {@link PmStore#upgrade} starts it. Safe for use by any number of threads.
 */
public interface Upgrade {
  /**
   * Returns the fraction of the heap that the run has walked.
   *
   * @return from 0 to 1; 1 only if the run has ended without a failure
   */
  double progress();

  /**
   * Returns the number of objects that the run has rewritten so far.
   *
   * @return the number of objects
   */
  long upgraded();

  /**
   * Returns true if the run has ended: it has walked the whole heap, has failed, or was cancelled.
   *
   * @return false while the run is under way
   */
  boolean isDone();

  /**
   * Waits for the end of the run. When this method returns, every object that the store had when
   * the run started has the present shape of its class, and the store has recorded that; both are
   * durable as the store's {@link Durability} says. The program can then drop each {@link Removed},
   * {@link FormerNames} and {@link Migration} that only those objects needed.
   *
   * @throws PmStoreException if the run failed, with the cause (what a migration function threw, or
   *     that a class was not found), or if it was cancelled. Upgraded objects stay upgraded
   * @throws StoreClosedException if the store was closed before the run had ended
   * @throws InterruptedException if the waiting thread was interrupted; the run continues
   */
  void await() throws InterruptedException;

  /**
   * Waits for the end of the run, but no longer than a given time.
   *
   * @param timeout the longest time to wait; with zero or less this method looks once
   * @return true if the run has ended, as {@link #await()} says; false if the time has passed first
   * @throws PmStoreException as {@link #await()} does
   * @throws StoreClosedException as {@link #await()} does
   * @throws InterruptedException if the waiting thread was interrupted; the run continues
   */
  boolean await(Duration timeout) throws InterruptedException;

  /**
   * Makes the run end after its present transaction. Returns at once. Upgraded objects stay
   * upgraded; another run rewrites the rest. Has no effect on a run that has ended.
   */
  void cancel();
}
