package io.pmstore;

import java.util.List;
import java.util.Optional;

/**
 * The use of a store's space; the result of {@link PmStore#statistics}. All sizes are in bytes.
 * Immutable.
 *
 * <p>The size of an object is the size of its slot in the heap, including its header and the
 * rounding.
 *
 * @param heapBytes the size of the heap
 * @param liveObjects objects that are referred to, as far as the store knows without tracing
 * @param liveBytes the size of these objects
 * @param unlinkedObjects objects that nothing in the store refers to and that wait to be freed
 * @param unlinkedBytes the size of these objects
 * @param freeBytes space that is free for new objects
 * @param classes the live and the unlinked objects and their sizes for each class; the class that
 *     takes most bytes is first; unmodifiable
 * @param freedObjects objects freed since the store was opened, by transactions or collections
 * @param freedBytes the size of these objects
 * @param collections how many collections have ended since the store was opened
 * @param lastCollection the result of the last collection; empty before the first
 * @param commitWaits how often a commit has waited since the store was opened because the log or
 *     the pools had no room until a checkpoint or a spill made some. If this number grows, commits
 *     change more than the disk can write meanwhile. The Flight Recorder event {@code
 *     pmstore.CommitStall} has the duration of each wait
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
   * The objects of one class. Immutable.
   *
   * @param className the binary name of the class; a name that begins with {@code pmstore.} stands
   *     for the store's own objects
   * @param liveObjects objects that are referred to
   * @param liveBytes the size of these objects
   * @param unlinkedObjects objects that wait to be freed
   * @param unlinkedBytes the size of these objects
   */
  public record ClassStatistics(
      String className,
      long liveObjects,
      long liveBytes,
      long unlinkedObjects,
      long unlinkedBytes) {}
}
