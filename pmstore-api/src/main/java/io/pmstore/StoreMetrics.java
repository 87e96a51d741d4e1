package io.pmstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a store has done since it was opened, and its sizes now: see {@link PmStore#metrics}. Taken
 * from counters, without looking at the objects. {@link StoreStatistics} has what is in the store.
 *
 * <p>Other threads go on meanwhile, so the numbers are each right at some moment during the call,
 * not all at the same one. Numbers of events never decrease while the store is open, except on a
 * replica whose heap is replaced by a copy, where they begin again.
 *
 * <p>Immutable.
 *
 * @param transactions what ran
 * @param heap objects and the space for them
 * @param log the redo log, and what waits for a checkpoint
 * @param checkpoints what was written to the heap's files
 * @param collections of garbage
 */
public record StoreMetrics(
    Transactions transactions,
    Heap heap,
    Log log,
    Checkpoints checkpoints,
    Collections collections) {

  /**
   * Transactions: those of the program, each write outside of one, and those in which the store
   * itself frees objects.
   *
   * @param commits transactions that were committed and changed the store
   * @param readOnly transactions that the program began and that changed nothing; not the reads of
   *     a single property or collection, nor snapshots
   * @param rollbacks transactions that ended with an exception
   * @param conflicts attempts that were rolled back and run again, because another transaction had
   *     changed what they had read
   * @param aloneRuns transactions that ran alone after several conflicts
   * @param active transactions that run now, those that wait for a disk included
   * @param snapshots snapshots that are open now, those of backups included
   * @param objectsWritten objects that commits made, changed or freed; one that two transactions
   *     changed counts twice
   * @param commitLatency how long the transactions took that changed the store: from their begin to
   *     their acknowledgement, with all attempts, and with the wait for the disk if there was one
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
   * Objects, those of the store's own included (the nodes of a map, for instance), and their space.
   *
   * @param sizeBytes the size of the heap: space that is in use, and space that is free
   * @param objectsMade objects that commits made
   * @param bytesMade the space that they took
   * @param objectsFreed objects that commits freed
   * @param bytesFreed the space that they took
   * @param javaObjects about how many Java objects stand for persistent objects: the program has
   *     them, or had them until Java collected them a short time ago
   */
  public record Heap(
      long sizeBytes,
      long objectsMade,
      long bytesMade,
      long objectsFreed,
      long bytesFreed,
      long javaObjects) {}

  /**
   * The redo log, and what waits for a checkpoint.
   *
   * @param recordBytes what commits have written: the size of their records, without headers
   * @param syncs how often commits made the log durable; several commits may share a sync. Empty if
   *     the storage does not count them
   * @param recoveryBytes what a recovery would read of the log if the process ended now. Empty if
   *     the storage has no log of its own
   * @param fileBytes the size of the log's files. Empty as above
   * @param dirtyBytes changed bytes of the heap that only memory, the log or a pool has, and no
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
   * Checkpoints; spills and bases in a store of {@link Storage#TIERED}.
   *
   * @param count how many have ended
   * @param writtenBytes what all of them wrote
   * @param last the last one; empty before the first
   */
  public record Checkpoints(long count, long writtenBytes, Optional<Checkpoint> last) {}

  /**
   * A checkpoint.
   *
   * @param ended when it ended
   * @param took how long it took
   * @param writtenBytes what it wrote
   */
  public record Checkpoint(Instant ended, Duration took, long writtenBytes) {}

  /**
   * Collections of garbage.
   *
   * @param count how many have ended
   * @param last what the last of them did; empty before the first
   */
  public record Collections(long count, Optional<GcReport> last) {}
}
