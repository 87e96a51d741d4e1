package io.pmstore.core.heap;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.tx.Replica;

/**
 * Makes a heap a replica, which only the records of another heap change: every other write throws
 * {@link io.pmstore.StoreReadOnlyException}. Safe for use by any number of threads.
 */
public final class HeapReplica {
  private final Heap heap;
  private final Replica replica;

  HeapReplica(Heap heap) {
    this.heap = heap;
    this.replica = heap.transactions.replica();
  }

  /**
   * Makes the heap a replica. Waits until running transactions have ended. Called when no snapshot
   * is open and no collector runs.
   *
   * @throws IllegalStateException inside a transaction or snapshot
   * @throws io.pmstore.StoreReadOnlyException if the store was opened for reading only
   */
  public void begin() {
    heap.checkOpen();
    replica.begin();
  }

  /**
   * Makes the heap a replica like {@link #begin}, but waits for nothing: the engine refuses the
   * commits of transactions that run already. Snapshots may be open.
   */
  public void follow() {
    heap.checkOpen();
    replica.follow();
  }

  /**
   * Applies the next record of another heap, which was byte for byte the same before the first of
   * them. When the method returns, every read shows the changes and a kill of the process keeps
   * them. Snapshots that are open show what they showed.
   *
   * @param record a write set that the other heap's engine has committed
   * @return its position
   * @throws IllegalArgumentException if the record cannot be of a heap; nothing has changed
   * @throws io.pmstore.StoreFullException if the heap cannot grow for it; nothing has changed
   */
  public long apply(WriteSet record) {
    heap.checkOpen();
    boolean[] catalogue = {false};
    WriteSet.ObjectVisitor look =
        (object, address, source, offset, length) ->
            catalogue[0] |= object == CoreLayout.SUPERBLOCK;
    record.forEachRange(look);
    long position = replica.apply(record);
    if (catalogue[0]) {
      heap.layer().catalogueChanged();
    }
    return position;
  }

  /** Returns true while the heap is a replica. */
  public boolean isFollowing() {
    return replica.isFollowing();
  }

  /**
   * Returns a number that changes before and after each record of another heap is applied, and not
   * while the heap is no replica.
   */
  public long changes() {
    return replica.changes();
  }

  /**
   * Ends {@link #follow}: transactions may change the heap again. Waits for transactions that began
   * before it and could write. The caller ensures that no thread applies a record.
   */
  public void end() {
    heap.checkOpen();
    replica.end();
  }
}
