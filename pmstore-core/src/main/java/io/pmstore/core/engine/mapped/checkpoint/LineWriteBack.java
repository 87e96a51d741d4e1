package io.pmstore.core.engine.mapped.checkpoint;

import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.sums.PageSums;
import io.pmstore.core.engine.mapped.sums.PageSumsLayout;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Write-back for persistent memory: flushes dirty cache lines, whose log records are already
 * durable. The sum of a page may be computed while a commit changes the page; then the next
 * checkpoint, or recovery, computes it again.
 */
final class LineWriteBack implements WriteBack {
  private static final long STEP = 1 << 20;

  private final StoreFiles files;
  private final MediumFile heap;
  private final HeapMemory memory;
  private final PageSums pageSums;

  LineWriteBack(StoreFiles files) {
    this.files = files;
    this.heap = files.heap();
    this.memory = files.memory();
    this.pageSums = files.sums();
  }

  @Override
  public long write(DirtySet dirty, Steps steps) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Flusher flusher = new Flusher(arena, steps);
      dirty.forEachRun(flusher::flush);
      flusher.writeSum();
      return flusher.pages;
    }
  }

  private final class Flusher {
    private final MemorySegment copy;
    private final MemorySegment sum;
    private final Steps steps;
    private long page = -1;
    private long inStep;
    private long pages;

    Flusher(Arena arena, Steps steps) {
      this.copy = arena.allocate(PageSumsLayout.PAGE);
      this.sum = arena.allocate(PageSumsLayout.SUM_SIZE);
      this.steps = steps;
    }

    void flush(long address, long length) throws IOException {
      heap.writeBack(memory, address, length);
      for (long at = address & -PageSumsLayout.PAGE;
          at < address + length;
          at += PageSumsLayout.PAGE) {
        if (at != page) {
          writeSum();
          page = at;
        }
      }
      inStep += length;
      if (inStep >= STEP) {
        inStep = 0;
        files.checkNotCut();
        steps.done();
      }
    }

    /** Writes the sum of the page in which the last run ended. */
    void writeSum() throws IOException {
      if (page >= 0) {
        copy.copyFrom(memory.slice(page, PageSumsLayout.PAGE));
        pageSums.write(page, copy, sum);
        pages++;
      }
    }
  }
}
