package io.pmstore.llpl;

import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A write set that waits for its commit, with the outcome of the commit. The engine's lock guards
 * the outcome. Another thread than the owner's may commit it.
 */
final class PendingCommit {
  private static final WriteSet.RangeVisitor NOTHING = (address, source, offset, length) -> {};

  private final WriteSet writes;
  private final long undo;
  private final AtomicBoolean taken = new AtomicBoolean();
  private long position;
  private @Nullable RuntimeException failure;

  PendingCommit(WriteSet writes) {
    this.writes = writes;
    undo = undoSize(writes);
  }

  /**
   * An upper bound of what a write set takes in the undo log, its deltas included. What was unused
   * takes nothing.
   */
  private static long undoSize(WriteSet writes) {
    long deltas = (writes.encodedSize() - writes.length()) / (RangeLayout.HEADER_SIZE + Long.BYTES);
    UndoSize size = new UndoSize(deltas * PoolSpace.snapshotSize(Long.BYTES));
    writes.forEachRange(size, NOTHING);
    return size.bytes;
  }

  private static final class UndoSize implements WriteSet.RangeVisitor {
    private long bytes;

    UndoSize(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void range(long address, byte[] source, int offset, int length) {
      bytes += PoolSpace.snapshotSizeAt(address, length);
    }
  }

  /**
   * Claims it: for a transaction, or for its owner, who has failed and wants it back. Safe for use
   * by any number of threads.
   *
   * @return false if somebody has done so before
   */
  boolean take() {
    return taken.compareAndSet(false, true);
  }

  WriteSet writes() {
    return writes;
  }

  /** The most bytes that its snapshots take in the undo log. */
  long undo() {
    return undo;
  }

  void committed(long at) {
    position = at;
  }

  void failed(RuntimeException why) {
    failure = why;
  }

  /** Whether it is committed, or never will be. */
  boolean isDone() {
    return position != 0 || failure != null;
  }

  boolean hasFailed() {
    return failure != null;
  }

  /** The position of the commit, once it is done. */
  long position() {
    if (failure != null) {
      throw failure;
    }
    return position;
  }
}
