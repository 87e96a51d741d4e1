package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * An interval of the order of commits whose changes are recorded in one dirty set. All changes of
 * the heap's memory go through the current phase.
 *
 * <p>A commit enters the phase that is current when it gets its place in the order, and leaves it
 * when it is applied. So once a phase has been replaced and is quiet, all commits before the
 * replacement are applied, and no later commit is in its dirty set.
 */
public final class Phase implements WriteSet.RangeVisitor {
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final MediumFile heap;
  private final HeapMemory memory;
  private final DirtySet dirty;
  private final @Nullable Latch latch;

  // The positions of the last commits before it and in it. The commits between them enter it.
  private long before;
  private volatile long last = UNKNOWN;
  private final LongAdder left = new LongAdder();

  public Phase(StoreFiles files, DirtySet dirty, @Nullable Latch latch) {
    this(files.heap(), files.memory(), dirty, latch);
  }

  Phase(MediumFile heap, HeapMemory memory, DirtySet dirty, @Nullable Latch latch) {
    this.heap = heap;
    this.memory = memory;
    this.dirty = dirty;
    this.latch = latch;
  }

  public DirtySet dirty() {
    return dirty;
  }

  /** Becomes the current phase. Called under the lock under which commits get their places. */
  void begin(long position) {
    before = position;
  }

  /** Is replaced. Called under the same lock. */
  void end(long position) {
    last = position;
  }

  void leave() {
    left.increment();
  }

  /** Returns true if the phase has been replaced, and every commit that entered has left. */
  boolean isQuiet() {
    return left.sum() == last - before;
  }

  @Override
  public void range(long address, byte[] source, int offset, int length) {
    if (latch != null) {
      latch.await(address, length);
    }
    // Marked first: if the store operation is interrupted, its changes are in the dirty set.
    dirty.mark(address, length);
    heap.store(memory, address, source, offset, length);
  }
}
