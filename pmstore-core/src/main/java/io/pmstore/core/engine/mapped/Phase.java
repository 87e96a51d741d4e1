package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the order of commits whose changes are noted in one place: the one gate through
 * which the heap's memory changes.
 *
 * <p>A commit enters the phase that is current when it gets its place in the order, and leaves it
 * when it is applied. So once a phase has been replaced and is quiet, all commits up to the
 * replacement are applied and no later one is noted in it.
 */
final class Phase implements WriteSet.RangeVisitor {
  private final MediumFile heap;
  private final HeapMemory memory;
  private final DirtyRanges dirty;
  private final @Nullable Latch latch;

  // Guarded by the lock under which commits get their places.
  private long entered;
  private final LongAdder left = new LongAdder();

  Phase(StoreFiles files, DirtyRanges dirty, @Nullable Latch latch) {
    this.heap = files.heap();
    this.memory = files.memory();
    this.dirty = dirty;
    this.latch = latch;
  }

  DirtyRanges dirty() {
    return dirty;
  }

  void enter() {
    entered++;
  }

  void leave() {
    left.increment();
  }

  /** Whether all that entered have left; final once the phase has been replaced. */
  boolean isQuiet() {
    return left.sum() == entered;
  }

  @Override
  public void range(long address, byte[] source, int offset, int length) {
    if (latch != null) {
      latch.await(address, length);
    }
    // Noted first: if the store is cut short, what it did is not forgotten.
    dirty.mark(address, length);
    heap.store(memory, address, source, offset, length);
  }
}
