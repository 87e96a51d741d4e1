package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in a snapshot or a backup on a follower of a replicated store, if the store has ended it:
 * the follower cannot refuse the changes of its leader, and the Java heap has no more room for what
 * the snapshot still shows. Nothing that was read before is wrong. Read again in a new snapshot;
 * keep snapshots shorter, or give the JVM a larger heap.
 */
public class SnapshotEndedException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public SnapshotEndedException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public SnapshotEndedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
