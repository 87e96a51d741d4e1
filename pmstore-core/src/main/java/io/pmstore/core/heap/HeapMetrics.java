package io.pmstore.core.heap;

import io.pmstore.StoreMetrics;
import io.pmstore.core.engine.EngineMetrics;
import io.pmstore.core.tx.LinkRules;
import io.pmstore.core.tx.TransactionCounts.Counted;

/** Combines the counters of the parts of a store. */
public final class HeapMetrics {
  private HeapMetrics() {}

  /**
   * Returns what a heap has done since it was opened, and its sizes now.
   *
   * @param heap an open heap
   * @param collections what its collector has done
   */
  public static StoreMetrics of(Heap heap, StoreMetrics.Collections collections) {
    heap.checkUsable();
    Counted counted = heap.transactions.counted();
    EngineMetrics engine = heap.engine.metrics();
    LinkRules rules = heap.transactions.rules();
    return new StoreMetrics(
        counted.transactions(),
        new StoreMetrics.Heap(
            heap.memory.writableBytes(),
            counted.objectsMade(),
            counted.bytesMade(),
            rules.freedObjects(),
            rules.freedBytes(),
            heap.layer().javaObjects()),
        new StoreMetrics.Log(
            counted.recordBytes(),
            engine.syncs(),
            engine.recoveryBytes(),
            engine.fileBytes(),
            engine.dirtyBytes(),
            heap.engine.commitWaits()),
        new StoreMetrics.Checkpoints(
            engine.checkpoints(), engine.checkpointBytes(), engine.lastCheckpoint()),
        collections);
  }
}
