package io.pmstore;

import java.time.Duration;

/**
 * What a collection found and freed. Immutable.
 *
 * @param cause why it ran
 * @param liveObjects how many objects it reached from the named roots and from Java objects, those
 *     made while it ran included
 * @param freedObjects how many objects were freed while it ran, by it or by the transactions that
 *     unlinked them
 * @param freedBytes the space of these objects, in bytes
 * @param marking how long it looked for what can be reached
 * @param waiting how long it waited for transactions and snapshots that had begun before
 * @param sweeping how long it freed what it had not reached
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
    /** The store was opened: what a crash or another program run left behind is looked for. */
    OPENING,
    /** Many objects that were referred to from several places had lost references. */
    THRESHOLD,
    /** {@link PmStore#gc()} was called. */
    REQUESTED
  }
}
