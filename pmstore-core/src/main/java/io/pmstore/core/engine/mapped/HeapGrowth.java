package io.pmstore.core.engine.mapped;

import io.pmstore.StoreFullException;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the heap larger: allocates room in the file, durably, and maps it. The background thread
 * allocates ahead of need, so that who needs room seldom waits for the device. Safe for use by any
 * number of threads.
 */
final class HeapGrowth {
  private static final Logger LOG = LoggerFactory.getLogger(HeapGrowth.class);
  private static final int EXTENTS_AHEAD_MAX = 16;

  private final StoreFiles files;
  private final EngineState state;
  private final ReentrantLock lock = new ReentrantLock();

  HeapGrowth(StoreFiles files, EngineState state) {
    this.files = files;
    this.state = state;
  }

  /**
   * Makes the heap at least so large.
   *
   * @return true if it grew
   * @throws StoreFullException if there is no room; nothing has changed
   * @throws IOException if the store has to fail
   */
  boolean grow(long size) throws IOException {
    lock.lock();
    try {
      long old = files.memory().size();
      if (size <= old) {
        return false;
      }
      long max = HeapMemory.EXTENT_SIZE * HeapMemory.EXTENTS_MAX;
      if (size > max) {
        throw new StoreFullException(
            "%s: a heap has at most %d bytes; %d were wanted"
                .formatted(files.directory(), max, size));
      }
      long extended = (size + HeapMemory.EXTENT_SIZE - 1) & -HeapMemory.EXTENT_SIZE;
      allocate(extended);
      List<MemorySegment> mapped = map(old, extended);
      state.check(); // else a failure could have taken the memory away already
      files.addToMemory(mapped);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the memory away from everybody, after a growth that is under way. */
  void clearMemory() {
    lock.lock();
    try {
      files.memory().clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Allocates room for the next growth.
   *
   * @throws IOException if the store has to fail
   */
  void prepare() throws IOException {
    lock.lock();
    try {
      long size = files.memory().size();
      long extents = size >>> HeapMemory.EXTENT_SHIFT;
      long ahead = Math.clamp(extents / 8, 1, EXTENTS_AHEAD_MAX);
      if (!state.isClosed() && !state.hasFailed()) {
        allocate(Math.min(extents + ahead, HeapMemory.EXTENTS_MAX) << HeapMemory.EXTENT_SHIFT);
      }
    } catch (StoreFullException e) {
      // Who needs the room will ask for it, and be told.
      LOG.warn("no room ahead of need: {}", e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  /** Makes the file so large, durably, before any record can name the new bytes. */
  private void allocate(long size) throws IOException {
    long old = files.header().current().heapSize();
    if (size <= old) {
      return;
    }
    files.checkNotCut();
    try {
      files.header().allocate(size);
      files.sums().grow(old, size);
    } catch (MediumException e) {
      if (!e.noRoom()) {
        throw e;
      }
      throw new StoreFullException(
          "%s: the heap cannot grow from %d to %d bytes: %s; free some space and try again"
              .formatted(files.directory(), old, size, e.getMessage()),
          e);
    }
    files.header().update(header -> header.withHeapSize(size));
  }

  private List<MemorySegment> map(long from, long to) {
    try {
      return files.mapHeap(from, to);
    } catch (IOException e) {
      throw new StoreFullException(
          "%s: the heap cannot be mapped up to %d bytes: %s; raise the limits on address space (ulimit -v) and mappings (vm.max_map_count)"
              .formatted(files.directory(), to, e.getMessage()),
          e);
    }
  }
}
