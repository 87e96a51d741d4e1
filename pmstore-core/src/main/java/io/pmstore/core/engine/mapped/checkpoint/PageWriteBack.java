package io.pmstore.core.engine.mapped.checkpoint;

import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.HeapHeaderFile;
import io.pmstore.core.engine.mapped.sums.PageSums;
import io.pmstore.core.engine.mapped.sums.PageSumsLayout;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Write-back for ordinary files: copies dirty pages, waits until the log records of everything in
 * the copies are durable, then writes the copies.
 *
 * <p>A copy may hold a part of a commit that is being applied. That is harmless: the commit is
 * later than the checkpoint, so recovery applies it again, as a whole.
 */
final class PageWriteBack implements WriteBack {
  private static final int STEP = 1 << 20;
  private static final int PAGES = STEP / PageSumsLayout.PAGE;
  // Limits what the device receives at once while commits wait for it.
  private static final long BYTES_BETWEEN_SYNCS = 16 << 20;

  private final MediumFile heap;
  private final HeapMemory memory;
  private final HeapHeaderFile header;
  private final PageSums pageSums;

  PageWriteBack(StoreFiles files) {
    this.heap = files.heap();
    this.memory = files.memory();
    this.header = files.header();
    this.pageSums = files.sums();
  }

  @Override
  public long write(DirtySet dirty, Steps steps) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Step step =
          new Step(arena.allocate(STEP), arena.allocate(PAGES * PageSumsLayout.SUM_SIZE), steps);
      dirty.forEachRun(step::add);
      step.write();
      return step.pages;
    }
  }

  /** Copies of pages that are written together. */
  private final class Step {
    private final MemorySegment copies;
    private final MemorySegment sums;
    private final Steps steps;
    private final long[] addresses = new long[PAGES];
    private final int[] ends = new int[PAGES];
    private int runs;
    private int used;
    private long sinceSync;
    private long pages;

    Step(MemorySegment copies, MemorySegment sums, Steps steps) {
      this.copies = copies;
      this.sums = sums;
      this.steps = steps;
    }

    void add(long address, long length) throws IOException {
      while (length > 0) {
        int n = (int) Math.min(length, STEP - used);
        copies.asSlice(used, n).copyFrom(memory.slice(address, n));
        used += n;
        addresses[runs] = address;
        ends[runs++] = used;
        if (used == STEP) {
          write();
        }
        address += n;
        length -= n;
      }
    }

    void write() throws IOException {
      steps.awaitRecords();
      int from = 0;
      for (int i = 0; i < runs; i++) {
        MemorySegment pages = copies.asSlice(from, ends[i] - from);
        heap.write(addresses[i], pages);
        pageSums.write(addresses[i], pages, sums);
        from = ends[i];
      }
      sinceSync += used;
      pages += used / PageSumsLayout.PAGE;
      runs = 0;
      used = 0;
      if (sinceSync >= BYTES_BETWEEN_SYNCS) {
        sinceSync = 0;
        header.sync();
      }
      steps.done();
    }
  }
}
