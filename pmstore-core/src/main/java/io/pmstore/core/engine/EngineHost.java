package io.pmstore.core.engine;

import io.pmstore.PmStore;
import java.util.function.Supplier;

/**
 * The interface of a store to an engine that keeps copies of the store on other machines. Safe for
 * use by any number of threads.
 */
public interface EngineHost {
  /**
   * Returns where the heap has {@link #NOTES_SIZE} bytes that belong to the engine, for what it
   * notes in the same commit as a change. Zeros in a new heap.
   *
   * @return the address of the first one, 8-byte aligned
   */
  long notes();

  /** The bytes at {@link #notes}. */
  int NOTES_SIZE = 64;

  /**
   * Makes the store one that changes by {@link #apply} only: from now on it refuses writes, and the
   * collector stops. Does not wait for transactions that run already; the engine refuses their
   * commits.
   */
  void follow();

  /**
   * Applies the next record of the store that leads, beside readers. Implies that transactions
   * write no more, as after {@link #follow}.
   *
   * @param record a whole write set, without deltas
   * @return its position
   */
  long apply(WriteSet record);

  /**
   * Lets transactions change the store, and starts the collector. Waits for transactions that began
   * before {@link #follow} and could write. The engine calls this method when it applies no record
   * and will apply none.
   *
   * @param writable called when transactions may write, before the collector starts
   */
  void lead(Runnable writable);

  /** Returns the store, as the program uses it. */
  PmStore store();

  /**
   * Opens the present state for a copy of the whole heap. Commits and records go on meanwhile.
   *
   * @return the state; the caller closes it
   */
  HeapCopy copy();

  /**
   * Prepares {@link #replace}: holds new transactions and snapshots back, and waits for those that
   * run. If these do not end in time, the method lets the others begin, and waits on for the ones
   * that have run too long: those may be waiting for another thread that was held back.
   *
   * @param nanos how long to hold the new ones back meanwhile
   * @return true if none runs, and new ones wait for {@link #replace} or {@link #release}; false if
   *     nothing is held back. The caller may try again: what ran too long has ended
   * @throws io.pmstore.StoreClosedException if the store is closed or being closed, or the thread
   *     was interrupted; nothing is held back
   */
  boolean holdBack(long nanos);

  /** Ends {@link #holdBack} without another heap; does nothing if nothing is held back. */
  void release();

  /**
   * Replaces the heap by another one, which follows: waits for running transactions and snapshots,
   * of which there are none after {@link #holdBack}, closes the heap and its engine, and opens a
   * heap on the engine that {@code next} returns. Java objects of the old heap cannot be used
   * afterwards.
   *
   * <p>If this throws another exception than the one below, the store has no heap. It informs the
   * old engine by {@link Engine#replacementFailed}, and closes what it has opened of the next one.
   *
   * @param next called when the old engine is closed
   * @throws io.pmstore.StoreClosedException if the store is closed or being closed, or the thread
   *     was interrupted; nothing has happened
   */
  void replace(Supplier<Engine> next);
}
