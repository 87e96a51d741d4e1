package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.function.LongConsumer;

/**
 * The second way into a store: applies the records of another store of the same birth, whose heap
 * was byte for byte the same before the first of them. Each record changes the heap under the locks
 * that the transaction held which wrote it, so snapshots and reads beside it see one state.
 *
 * <p>Space that the other store frees it may use again at once, because it knows nothing of the
 * snapshots here. So an object that is freed here leaves a before-image, as one that is changed
 * does.
 *
 * <p>Safe for use by any number of threads; records are applied one after the other.
 */
public final class Replica {
  private final Engine engine;
  private final HeldLocks heldLocks;
  private final KeptImages kept;
  private final LinkRules rules;
  private final CommitsUnderWay underWay;
  private final LongConsumer want;
  private final WriteSet.RangeVisitor wantObject;
  private long end;

  Replica(Transactions transactions, Engine engine, LockTable locks, Snapshots snapshots) {
    this.engine = engine;
    this.heldLocks = new HeldLocks(locks);
    this.kept = new KeptImages(snapshots);
    this.rules = transactions.rules();
    this.underWay = new CommitsUnderWay(transactions);
    this.want = heldLocks::want;
    this.wantObject =
        (WriteSet.ObjectVisitor)
            (object, address, source, offset, length) -> {
              heldLocks.want(object);
              end = Math.max(end, address + length);
            };
  }

  /** Waits for a record that is being applied; returns what {@link CommitsUnderWay#await} does. */
  long awaitPosition() {
    return underWay.await();
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
    underWay.begin();
    try {
      heldLocks.clear();
      end = 0;
      record.forEachRange(wantObject);
      record.forEachFreed(want);
      if (end > engine.memory().writableBytes()) {
        engine.grow((end + HeapMemory.EXTENT_SIZE - 1) & -HeapMemory.EXTENT_SIZE);
      }
      long position = lockAndCommit(record);
      record.forEachFreed(rules::forget);
      return position;
    } finally {
      underWay.end();
    }
  }

  private long lockAndCommit(WriteSet record) {
    heldLocks.lock();
    long position;
    try {
      kept.keep(record, rules.allocator());
      position = engine.commit(record);
    } catch (Throwable t) {
      kept.failed();
      heldLocks.unlockUnchanged();
      throw t;
    }
    underWay.committed(position);
    kept.committed(position);
    heldLocks.unlock(position);
    return position;
  }
}
