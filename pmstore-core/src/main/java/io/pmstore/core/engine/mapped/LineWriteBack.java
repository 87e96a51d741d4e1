package io.pmstore.core.engine.mapped;

import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;

/** Persistent memory: changed cache lines are flushed. Their log records are durable already. */
final class LineWriteBack implements WriteBack {
  private static final long STEP = 1 << 20;

  private final MediumFile heap;
  private final HeapMemory memory;

  LineWriteBack(StoreFiles files) {
    this.heap = files.heap();
    this.memory = files.memory();
  }

  @Override
  public void write(DirtyRanges dirty, Steps steps) throws IOException {
    long[] inStep = new long[1];
    dirty.forEachRun(
        (address, length) -> {
          heap.writeBack(memory, address, length);
          inStep[0] += length;
          if (inStep[0] >= STEP) {
            inStep[0] = 0;
            steps.done();
          }
        });
  }
}
