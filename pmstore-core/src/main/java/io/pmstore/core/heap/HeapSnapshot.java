package io.pmstore.core.heap;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.HeapCopy;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.tx.OpenSnapshot;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One durable state of a heap, which can be copied while commits continue. Safe for use by any
 * number of threads.
 */
public final class HeapSnapshot implements HeapCopy {
  private final Heap heap;
  private final OpenSnapshot snapshot;
  private final AtomicBoolean isOpen = new AtomicBoolean(true);

  private HeapSnapshot(Heap heap, OpenSnapshot snapshot) {
    this.heap = heap;
    this.snapshot = snapshot;
  }

  /** Opens a snapshot of the current state. Waits while the heap shrinks. */
  static HeapSnapshot open(Heap heap) {
    if (heap.inTransaction()) {
      throw new IllegalStateException(
          "a copy of the heap has only committed changes, so it cannot be made inside a transaction"
              + " or a snapshot; make it outside");
    }
    heap.copies.acquireUninterruptibly();
    @Nullable OpenSnapshot snapshot = null;
    try {
      snapshot = heap.transactions.openSnapshot();
      heap.engine.sync(snapshot.position());
      return new HeapSnapshot(heap, snapshot);
    } catch (Throwable t) {
      if (snapshot != null) {
        snapshot.close();
      }
      heap.copies.release();
      throw t;
    }
  }

  @Override
  public long position() {
    return snapshot.position();
  }

  @Override
  public long size() {
    return Math.min(snapshot.size(), heap.memory.writableBytes());
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreClosedException if the heap is closing, which waits for the snapshot, or if the
   *     snapshot was closed meanwhile: the copy may be half of a later state
   * @throws StoreFailedException if the engine has failed before the copy was made
   */
  @Override
  public void copyExtent(int extent, MemorySegment copy) {
    heap.checkNotClosing();
    try {
      heap.engine.checkStored((long) extent << HeapMemory.EXTENT_SHIFT, HeapMemory.EXTENT_SIZE);
      snapshot.copyExtent(extent, copy);
      // A commit that made the engine fail may be half applied, and has dropped its before-images.
      heap.engine.checkUsable();
      if (!isOpen.get()) {
        throw new StoreClosedException(
            "the copy of the heap was given up while extent %d was read; begin another one"
                .formatted(extent));
      }
    } catch (NullPointerException | IllegalStateException e) {
      heap.engine.checkUsable(); // the memory may just have been closed
      throw e;
    }
  }

  /** Returns when a repair computed the checksums of the heap, or null if none has. */
  public @Nullable Instant checksumsMade() {
    return heap.checksumsMade();
  }

  @Override
  public void close() {
    if (isOpen.getAndSet(false)) {
      snapshot.close();
      heap.copies.release();
    }
  }
}
