package io.pmstore.core.tx;

import org.jspecify.annotations.Nullable;

/**
 * Records that a transaction is suspected: another thread has seen that tasks of a pool may write
 * on its behalf ({@link HelperWrites}). Each write of a suspected transaction examines the stack of
 * its thread. Used by the transaction's thread only, except where a method says otherwise.
 */
final class Suspicion {
  private static final int LOOKS_MAX = 100_000; // in one run, they take a second or less
  private static final int LATER_LOOKS_MASK = 255;

  private volatile boolean raised;
  private boolean whole; // raised when the body began to run
  private long since;
  private int looked;
  private @Nullable IllegalStateException refusal;

  /** Forgets the suspicion, at the start of a transaction. */
  void clear() {
    if (raised) { // a volatile write is a fence
      raised = false;
    }
  }

  /** Begins a run of the body. */
  void begin() {
    whole = raised;
    if (whole) {
      since = System.nanoTime();
    }
    looked = 0;
    refusal = null;
  }

  /** Has each write look until the transaction ends. Called by any thread. */
  void raise() {
    raised = true;
  }

  /** Returns true if writes look. Called by any thread. */
  boolean isRaised() {
    return raised;
  }

  /** Returns true if each write has looked since the body began to run. */
  boolean isOfWholeRun() {
    return whole;
  }

  /** Returns when the run began whose writes all look, on the clock of {@link System#nanoTime}. */
  long since() {
    return since;
  }

  /**
   * Looks who writes.
   *
   * @throws IllegalStateException if a task of a pool does
   */
  void look() {
    if (++looked <= LOOKS_MAX || (looked & LATER_LOOKS_MASK) == 0) {
      try {
        HelperWrites.refuseInTask();
      } catch (IllegalStateException e) {
        refusal = e;
        throw e;
      }
    }
  }

  /** Returns true if a write was refused, so that another run is of no use. */
  boolean hasRefused() {
    return refusal != null;
  }

  /** Throws the exception of a refused write again, if the body has caught it. */
  void failIfRefused() {
    if (refusal != null) {
      throw refusal;
    }
  }
}
