package io.pmstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a store has done since it was opened, and its sizes now; the result of {@link
 * PmStore#metrics}. The numbers come from counters. {@link StoreStatistics} counts the objects
 * themselves.
 *
 * <p>Other threads continue meanwhile, so each number was right at some moment during the call, but
 * not all at the same moment. Numbers of events never decrease while the store is open. On a node
 * of a replicated store they begin again at 0 when a copy of another node's heap replaces its heap.
 *
 * <p>Immutable.
 *
 * @param transactions the transactions that ran
 * @param heap the objects, and the space for them
 * @param log the redo log, and what waits for a checkpoint
 * @param checkpoints the checkpoints, which write the heap's files
 * @param collections the garbage collections
 */
public record StoreMetrics(
    Transactions transactions,
    Heap heap,
    Log log,
    Checkpoints checkpoints,
    Collections collections) {

  /**
   * Transactions: those of the program, writes outside transactions, each of which is one, and
   * those in which the store itself frees objects. Immutable.
   *
   * @param commits transactions that were committed and changed the store
   * @param readOnly transactions that the program began and that changed nothing. Reads of a single
   *     property or collection, and snapshots, do not count
   * @param rollbacks transactions that ended with an exception
   * @param conflicts attempts that were rolled back and run again, because another transaction had
   *     changed what they had read
   * @param aloneRuns transactions that ran alone after several conflicts
   * @param active transactions that run now, including those that wait for a disk
   * @param snapshots snapshots that are open now, including those of backups
   * @param objectsWritten objects that commits made, changed or freed; an object that two
   *     transactions changed counts twice
   * @param commitLatency how long the transactions took that changed the store: from their begin to
   *     their acknowledgement, including all attempts and the wait for the disk
   */
  public record Transactions(
      long commits,
      long readOnly,
      long rollbacks,
      long conflicts,
      long aloneRuns,
      int active,
      int snapshots,
      long objectsWritten,
      LatencyHistogram commitLatency) {}

  /**
   * Objects and their space. The store's own objects count too, such as the nodes of a map.
   * Immutable.
   *
   * @param sizeBytes the size of the heap in bytes: the space in use and the free space
   * @param objectsMade objects that commits made
   * @param bytesMade the space that they took, in bytes
   * @param objectsFreed objects that commits freed
   * @param bytesFreed the space that they took, in bytes
   * @param javaObjects about how many Java objects stand for persistent objects. The program holds
   *     them, or Java's collector has not yet reported that they are gone
   */
  public record Heap(
      long sizeBytes,
      long objectsMade,
      long bytesMade,
      long objectsFreed,
      long bytesFreed,
      long javaObjects) {}

  /**
   * The redo log, and what waits for a checkpoint. Immutable.
   *
   * @param recordBytes the size in bytes of the records that commits have written, without headers
   * @param syncs how often commits made the log durable; several commits may share a sync. Empty if
   *     the storage does not count syncs
   * @param recoveryBytes how many bytes of the log a recovery would read if the process ended now.
   *     Empty if the storage has no log of its own
   * @param fileBytes the size of the log's files in bytes. Empty if the storage has no log of its
   *     own
   * @param dirtyBytes how many changed bytes of the heap only memory, the log or a pool has, and no
   *     checkpoint or spill yet. Empty if the storage writes changes at once
   * @param commitWaits how often a commit waited because the log or the pools had no room
   */
  public record Log(
      long recordBytes,
      OptionalLong syncs,
      OptionalLong recoveryBytes,
      OptionalLong fileBytes,
      OptionalLong dirtyBytes,
      long commitWaits) {}

  /**
   * Checkpoints; in a store of {@link Storage#TIERED}, spills and bases. Immutable.
   *
   * @param count how many have ended
   * @param writtenBytes how many bytes all of them wrote
   * @param last the last one; empty before the first
   */
  public record Checkpoints(long count, long writtenBytes, Optional<Checkpoint> last) {}

  /**
   * One checkpoint. Immutable.
   *
   * @param ended when it ended
   * @param took how long it took
   * @param writtenBytes how many bytes it wrote
   */
  public record Checkpoint(Instant ended, Duration took, long writtenBytes) {}

  /**
   * Garbage collections. Immutable.
   *
   * @param count how many have ended
   * @param last the result of the last one; empty before the first
   */
  public record Collections(long count, Optional<GcReport> last) {}
}
