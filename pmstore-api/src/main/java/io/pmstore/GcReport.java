package io.pmstore;

import java.time.Duration;

/**
 * The result of a garbage collection: what it found and freed. Immutable.
 *
 * @param cause why the collection ran
 * @param liveObjects how many objects it reached from the named roots and from Java objects,
 *     including those created while it ran
 * @param freedObjects how many objects were freed while it ran, by it or by the transactions that
 *     unlinked them
 * @param freedBytes the space of these objects, in bytes
 * @param marking how long the collection marked reachable objects
 * @param waiting how long it waited for transactions and snapshots that had started before
 * @param sweeping how long it freed unreachable objects
 */
public record GcReport(
    Cause cause,
    long liveObjects,
    long freedObjects,
    long freedBytes,
    Duration marking,
    Duration waiting,
    Duration sweeping) {

  /** Why a collection ran. */
  public enum Cause {
    /**
     * The store was opened: the collection looks for what a crash or an earlier run of the program
     * left behind.
     */
    OPENING,
    /** Many objects that had been referred to from several places had lost references. */
    THRESHOLD,
    /** {@link PmStore#gc()} was called. */
    REQUESTED
  }
}
