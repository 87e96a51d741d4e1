package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The second way into a store: applies the records of another store, whose heap was byte for byte
 * the same before the first of them. A replica changes in no other way: its transactions only read.
 * Each record changes the heap under the locks that its transaction held in the other store, so
 * concurrent snapshots and reads see one state.
 *
 * <p>The other store does not know the snapshots of the replica, so it may reuse freed space at
 * once. So the replica keeps a before-image of each object that a record frees, as of one that a
 * record changes. It cannot refuse a record. If the Java heap has no room for the images, it ends
 * the oldest snapshots, whose reads throw {@link io.pmstore.SnapshotEndedException} then.
 *
 * <p>Safe for use by any number of threads; records are applied one after the other.
 */
public final class Replica {
  private static final int LARGE = 1 << 20; // bytes of a record

  private final Transactions transactions;
  private final KnownTransactions known;
  private final Engine engine;
  private final HeldLocks heldLocks;
  private final Snapshots snapshots;
  private final KeptImages kept;
  private final LinkRules rules;
  private final Committer committer;
  private final LongConsumer want;
  private final WriteSet.RangeVisitor wantObject;
  private volatile boolean following;
  private final AtomicLong changes = new AtomicLong(); // begins and ends of records
  private long recordEnd;

  Replica(
      Transactions transactions,
      KnownTransactions known,
      Engine engine,
      LockTable locks,
      Snapshots snapshots) {
    this.transactions = transactions;
    this.known = known;
    this.engine = engine;
    this.heldLocks = new HeldLocks(locks);
    this.snapshots = snapshots;
    this.kept = new KeptImages(snapshots);
    this.rules = transactions.rules();
    this.committer = transactions.commits().committer();
    this.want = heldLocks::want;
    this.wantObject =
        (WriteSet.ObjectVisitor)
            (object, address, source, offset, length) -> {
              heldLocks.want(object);
              recordEnd = Math.max(recordEnd, address + length);
            };
  }

  /** Returns true while the store is a replica. */
  public boolean isFollowing() {
    return following;
  }

  /**
   * Makes the store a replica. Waits until the transactions that may write have ended; later ones
   * only read. Called when no snapshot is open and nothing else of the store writes, the collector,
   * say.
   *
   * @throws IllegalStateException inside a transaction or snapshot
   * @throws io.pmstore.StoreReadOnlyException if the store was opened for reading only
   */
  public void begin() {
    if (!following) {
      follow();
      known.awaitEnd(Transaction::isWritable);
    }
  }

  /**
   * Makes the store a replica without waiting for the transactions that may write: its engine
   * refuses their commits from now on. Otherwise like {@link #begin}.
   */
  public void follow() {
    if (!following) {
      followNow();
    }
  }

  private synchronized void followNow() {
    if (transactions.view() != null) {
      throw new IllegalStateException(
          "a store cannot become a replica inside one of its transactions or snapshots; do it"
              + " outside");
    }
    if (engine.isReadOnly()) {
      engine.checkWritable();
    }
    following = true;
  }

  /** Returns a number that changes before and after each record of the other store is applied. */
  public long changes() {
    return changes.get();
  }

  /**
   * Ends {@link #follow}: transactions may write again. Waits for those that began before it and
   * could write. Called when no record is being applied and none will be.
   */
  public void end() {
    if (!following) {
      return;
    }
    known.awaitEnd(Transaction::isWritable); // what they have reserved is not theirs any more
    synchronized (this) {
      rules.allocator().forget();
      following = false;
    }
  }

  /**
   * Applies the next record of the other store. When the method returns, every read shows the
   * changes, and they survive a kill of the process; they survive a crash of the machine once
   * {@link Engine#sync} of the returned position has returned.
   *
   * @param record a whole write set without deltas; see {@link WriteSet#decode}
   * @return the position of the record here, which is that of the other store's commit
   * @throws IllegalArgumentException if a range of the record is outside of what a heap can have;
   *     nothing has changed
   * @throws io.pmstore.StoreFullException if the heap has to grow for it and cannot; nothing has
   *     changed
   */
  public synchronized long apply(WriteSet record) {
    follow();
    makeRoom(record);
    changes.incrementAndGet();
    committer.begin();
    try {
      heldLocks.clear();
      recordEnd = 0;
      record.forEachRange(wantObject);
      record.forEachFreed(want);
      if (recordEnd > engine.memory().writableBytes()) {
        engine.grow((recordEnd + HeapMemory.EXTENT_SIZE - 1) & -HeapMemory.EXTENT_SIZE);
      }
      long position = lockAndCommit(record);
      record.forEachFreed(rules::forget);
      return position;
    } finally {
      changes.incrementAndGet();
      committer.end();
    }
  }

  /**
   * Ends the oldest snapshots if the Java heap has no room for the before-images that they need of
   * what a record changes. The other store has committed, so nobody can refuse the record.
   */
  private void makeRoom(WriteSet record) {
    ImageRoom room = snapshots.room();
    if (snapshots.isAnyOpen() && (record.length() >= LARGE || room.hasToAsk())) {
      long bytes = kept.bytesToKeep(record, rules.allocator());
      if (!room.has(bytes)) {
        snapshots.endOldest(bytes + JavaHeap.BYTES_UNASKED);
      }
    }
  }

  private long lockAndCommit(WriteSet record) {
    heldLocks.lock();
    long position;
    try {
      kept.keep(record, rules.allocator());
      position = engine.commit(record);
    } catch (Throwable t) {
      try {
        kept.failed();
      } finally {
        heldLocks.unlockUnchanged();
      }
      throw t;
    }
    committer.committed(position);
    kept.committed(position);
    heldLocks.unlock(position);
    return position;
  }
}
