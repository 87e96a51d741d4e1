package io.pmstore;

import java.util.List;
import java.util.Optional;

/**
 * The use of a store's space. All sizes are in bytes. Immutable.
 *
 * <p>An object's bytes are those of its place in the heap, including its header and the rounding.
 *
 * @param heapBytes the size of the heap
 * @param liveObjects objects that are referred to, as far as the store knows without tracing
 * @param liveBytes what they take
 * @param unlinkedObjects objects that nothing in the store refers to and that wait to be freed
 * @param unlinkedBytes what they take
 * @param freeBytes space that is free for new objects
 * @param classes the same by class, the one that takes most bytes first
 * @param freedObjects objects freed since the store was opened, whoever freed them
 * @param freedBytes what they took
 * @param collections how many collections have ended since the store was opened
 * @param lastCollection what the last of them did
 * @param commitWaits how often a commit has waited since the store was opened because the log or
 *     the pools had no room until a checkpoint or a spill made some. If it grows, commits come
 *     faster than the disk takes what they change; the events {@code pmstore.CommitStall} of a
 *     flight recording say how long each wait took
 */
public record StoreStatistics(
    long heapBytes,
    long liveObjects,
    long liveBytes,
    long unlinkedObjects,
    long unlinkedBytes,
    long freeBytes,
    List<ClassStatistics> classes,
    long freedObjects,
    long freedBytes,
    long collections,
    Optional<GcReport> lastCollection,
    long commitWaits) {

  /** Copies the list. */
  public StoreStatistics {
    classes = List.copyOf(classes);
  }

  /**
   * The objects of one class.
   *
   * @param className its binary name; names that begin with {@code pmstore.} stand for objects of
   *     the store's own
   * @param liveObjects objects that are referred to
   * @param liveBytes what they take
   * @param unlinkedObjects objects that wait to be freed
   * @param unlinkedBytes what they take
   */
  public record ClassStatistics(
      String className,
      long liveObjects,
      long liveBytes,
      long unlinkedObjects,
      long unlinkedBytes) {}
}
