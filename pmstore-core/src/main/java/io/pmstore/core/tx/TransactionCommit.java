package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.OutdatedReadsException;
import io.pmstore.core.engine.WriteSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Commits a transaction that has written: takes the locks of what was written in sorted order,
 * validates the read set, has the engine commit the write set, and frees the locks with the new
 * position. Holds no lock when a method returns or throws.
 *
 * <p>Used by the transaction's thread only; reused for its next transaction.
 */
final class TransactionCommit {
  private final Transaction transaction;
  private final Engine engine;
  private final LockTable locks;
  private final ReadSet reads;
  private final ChangeSet changes;
  private final WriteSet writes;
  private final Reservations reservations;
  private final LinkChanges linkChanges;
  private final Committer committer;
  private final Snapshots snapshots;
  private final KeptImages kept;
  private final HeldLocks heldLocks;

  // Made once, not for each commit.
  private final LongConsumer want;
  private final BooleanSupplier currentReads;
  private final ChangeReader wantChanged =
      new ChangeReader() {
        @Override
        public void changed(ChangeSet set, int object) {
          heldLocks.want(set.address(object));
        }
      };

  TransactionCommit(
      Transaction transaction,
      Engine engine,
      LockTable locks,
      Snapshots snapshots,
      Committer committer,
      ReadSet reads,
      ChangeSet changes,
      WriteSet writes,
      Reservations reservations,
      LinkChanges linkChanges) {
    this.transaction = transaction;
    this.engine = engine;
    this.locks = locks;
    this.snapshots = snapshots;
    this.committer = committer;
    this.reads = reads;
    this.changes = changes;
    this.writes = writes;
    this.reservations = reservations;
    this.linkChanges = linkChanges;
    this.kept = new KeptImages(snapshots);
    this.heldLocks = new HeldLocks(locks);
    this.want = heldLocks::want;
    this.currentReads = () -> reads.isCurrent(heldLocks);
  }

  /**
   * Commits, and tells the outcomes.
   *
   * @param relaxed true if the transaction is acknowledged before it is durable
   * @return the position of the commit
   * @throws TransactionConflict if what was read is not current
   */
  long run(boolean relaxed) {
    try {
      committer.begin();
      long position = prepareAndCommit(relaxed);
      try {
        committed(position);
      } catch (Throwable e) {
        // Out of memory, say. A rollback would release space that is in use.
        heldLocks.unlock(position);
        throw engine.fail(
            new InternalError("an error came when the transaction was committed already", e));
      }
      return position;
    } finally {
      committer.end();
    }
  }

  private long prepareAndCommit(boolean relaxed) {
    try {
      linkChanges.prepare(writes);
      return lockAndCommit(relaxed);
    } catch (NullPointerException | IllegalStateException e) {
      engine.checkUsable(); // its memory goes when it fails or closes
      throw e;
    } catch (OutOfMemoryError e) {
      engine.checkUsable(); // unless it has failed, the commit has not happened
      throw changes.tooLargeToCommit(e);
    }
  }

  /**
   * Passes the change set to its readers. References have come first ({@link LinkChanges#prepare},
   * which may drop new objects and set flags in headers). Now the allocator and the locks read it.
   * Then, while this thread holds the locks and the heap still has the old words: the
   * before-images, the collector's marks, and the record. A further reader, an index, say, belongs
   * beside the before-images.
   */
  private long lockAndCommit(boolean relaxed) {
    reservations.commit(writes);
    if (relaxed) {
      writes.setRelaxed();
    }
    writes.setReadsAreCurrent(currentReads);
    requireRoom();
    lockWritten();
    try {
      if (!reads.isCurrent(heldLocks) || !linkChanges.isCurrent()) {
        throw reads.conflict();
      }
      kept.keep(changes, linkChanges, writes);
      linkChanges.mark();
      changes.emit();
      return commitOnEngine();
    } catch (Throwable t) {
      try {
        kept.failed();
      } finally {
        heldLocks.unlockUnchanged();
      }
      throw t;
    }
  }

  /**
   * Asks for the Java heap that the rest of the commit needs: for locks, for the words of deltas,
   * for before-images. If many of these were kept since a commit asked, a small one asks too.
   */
  private void requireRoom() {
    boolean isLarge = changes.isLarge();
    if (isLarge) {
      long locked = changes.changedCount() + (long) writes.deltaCount();
      // The words of deltas are appended, to an array that doubles.
      changes.requireRoom(
          HeldLocks.BYTES * locked + 3 * writes.encodedSize() + linkChanges.bytesToTell());
    }
    if (snapshots.isAnyOpen() && (isLarge || snapshots.room().hasToAsk())) {
      snapshots.room().require(kept.bytesToKeep(changes, linkChanges, writes));
    }
  }

  /**
   * Takes the locks of written and freed objects, of words with deltas, the allocator's included,
   * and of words of freed objects that could get deltas. So write sets that the engine commits at
   * the same time never overlap. New objects need no lock.
   */
  private void lockWritten() {
    heldLocks.clear();
    changes.forEach(wantChanged);
    linkChanges.forEachFreed(want);
    linkChanges.forEachFreedCounter(want);
    writes.forEachDelta(want);
    heldLocks.lock();
  }

  /**
   * Passes the write set to the engine, which commits it. If the stack ends inside a lock, the JVM
   * completes the lock's code in a reserve and throws, with a message, when the compiled code
   * around it returns (ReservedStackAccess, JEP 270). The engine may have committed by then, so the
   * store fails: a rollback would undo the transaction for Java code only.
   */
  private long commitOnEngine() {
    try {
      return engine.commit(writes);
    } catch (OutdatedReadsException e) {
      throw reads.conflict();
    } catch (StackOverflowError e) {
      if (e.getMessage() == null) {
        throw e; // the engine has seen it
      }
      throw engine.fail(new InternalError("the stack ended in a commit that may have happened", e));
    }
  }

  private void committed(long position) {
    committer.committed(position);
    kept.committed(position);
    heldLocks.unlock(position);
    dateNewObjects(position);
    TransactionCounts.Cell counts = transaction.counts();
    int dropped = reservations.committed(counts);
    counts.committed(changes.count() - dropped, writes.length());
    transaction.transactions().events().committed(changes);
    linkChanges.committed(position);
    transaction.tell(true); // other threads that see a new object wait for this
  }

  /**
   * Gives new objects the version of their commit, before other threads can get them by a Java
   * reference. Otherwise a transaction that began earlier would see the new object beside the old
   * state of others.
   */
  private void dateNewObjects(long position) {
    for (int object = 0; object < changes.count(); object++) {
      if (changes.isFresh(object)) { // those that were dropped too: a Java object may be of one
        locks.raise(LockTable.index(changes.address(object)), position);
      }
    }
  }
}
