package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ReferenceMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A copy of the heap that begins while the heap shrinks: it waits, and then copies what is left.
 */
@Timeout(60)
class CompactBesideCopyTest {
  private static final int SHAPE = 3;

  /** An engine that starts a thread which copies the heap as soon as the heap has it shrink. */
  private static final class Shrinking extends EngineWrapper {
    private final CompletableFuture<Long> copied = new CompletableFuture<>();
    private final CompletableFuture<Void> shrunk = new CompletableFuture<>();
    private @Nullable Heap heap;

    Shrinking() {
      super(new MemoryEngine());
    }

    @Override
    public void shrink(long size) {
      Thread copying =
          Thread.ofPlatform().start(() -> copied.completeAsync(this::copy, Runnable::run));
      while (copying.getState() != Thread.State.WAITING) {
        Thread.onSpinWait(); // it waits for the end of this method, here or in the copy
      }
      super.shrink(size);
      shrunk.complete(null);
    }

    private long copy() {
      assert heap != null;
      try (HeapSnapshot snapshot = heap.openSnapshot();
          Arena arena = Arena.ofConfined()) {
        MemorySegment extent = arena.allocate(HeapMemory.EXTENT_SIZE);
        long size = snapshot.size();
        shrunk.join();
        for (int i = 0; i < size >>> HeapMemory.EXTENT_SHIFT; i++) {
          snapshot.copyExtent(i, extent);
        }
        return size;
      }
    }
  }

  @Test
  void theCopyHasTheHeapAsItIsAfterwards() {
    Shrinking engine = new Shrinking();
    Heap heap = new Heap(engine, Durability.SYNC, h -> new NoObjects());
    engine.heap = heap;
    long[] garbage = new long[5]; // an extent each
    Arrays.setAll(garbage, i -> heap.transaction(() -> heap.allocate(SHAPE, 15 << 20)));
    heap.referenceMaps().add(SHAPE, ReferenceMap.NONE); // only now: none of them is dropped
    Reclamation reclamation = heap.reclamation();
    assertTrue(reclamation.freeUnreached(garbage, garbage.length, reclamation.position()));
    assertTrue(reclamation.besideNoCopy(reclamation::compact) > 0);
    assertEquals(heap.memory().size(), engine.copied.join());
    heap.close();
  }
}
