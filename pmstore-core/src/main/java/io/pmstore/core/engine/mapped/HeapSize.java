package io.pmstore.core.engine.mapped;

import io.pmstore.StoreFullException;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the heap larger, and smaller again: room in the file, durably, and its mappings. The
 * background thread allocates ahead of need, so that who needs room seldom waits for the device.
 * Safe for use by any number of threads.
 */
final class HeapSize {
  private static final Logger LOG = LoggerFactory.getLogger(HeapSize.class);
  private static final int EXTENTS_AHEAD_MAX = 16;

  private final StoreFiles files;
  private final EngineState state;
  private final Checkpointer checkpointer;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean grows; // since the last shrink, if there was one

  HeapSize(StoreFiles files, EngineState state, Checkpointer checkpointer) {
    this.files = files;
    this.state = state;
    this.checkpointer = checkpointer;
  }

  /**
   * Makes the heap at least so large.
   *
   * @return true if it grew
   * @throws StoreFullException if there is no room; nothing has changed
   * @throws IOException if the store has to fail
   */
  boolean grow(long size) throws IOException {
    if (size <= files.memory().size()) {
      return false;
    }
    CommitStallEvent stall =
        CommitStallEvent.started(files.directory(), CommitStallEvent.Cause.HEAP_GROWTH);
    lock.lock();
    try {
      return growAlone(size);
    } finally {
      lock.unlock();
      stall.commit();
    }
  }

  private boolean growAlone(long size) throws IOException {
    state.check(); // a failure or a closing takes the memory away
    if (size <= files.memory().size()) {
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
    map(extended);
    state.check(); // else it would stay there after a failure meanwhile
    files.mappings().show(extended);
    grows = true;
    return true;
  }

  /**
   * Gives the end of the heap back.
   *
   * <p>A checkpoint comes first, so that no record names the end that a recovery would replay. Then
   * the header says the new size, durably and in both copies; only then do the files become
   * smaller. If a crash comes before they are, the next opening for writing makes them so.
   *
   * @param size the bytes that stay
   * @throws IOException if the store has to fail
   */
  void shrink(long size) throws IOException {
    lock.lock();
    try {
      state.check();
      files.memory().checkCut(size);
      checkpointer.runBefore(() -> cut(size));
      grows = false;
    } finally {
      lock.unlock();
    }
  }

  private void cut(long size) throws IOException {
    files.mappings().cut(size);
    if (files.header().current().heapSize() > size) {
      files.header().update(header -> header.withHeapSize(size));
    }
    files.dropTail();
  }

  /**
   * Runs the last checkpoint, and gives back what was allocated ahead of need. Afterwards the size
   * stays as it is.
   *
   * @throws IOException if the store has to fail
   */
  void checkpointForClose() throws IOException {
    lock.lock(); // a growth that is under way comes to its end, and the next finds a closed store
    try {
      checkpointer.run(true);
      files.dropTail();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the memory away from everybody, after a change of the size that is under way. */
  void clearMemory() {
    lock.lock();
    try {
      files.memory().clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Allocates room for the next growth, unless the heap has become smaller since the last one.
   *
   * @throws IOException if the store has to fail
   */
  void prepare() throws IOException {
    lock.lock();
    try {
      long size = files.memory().size();
      long extents = size >>> HeapMemory.EXTENT_SHIFT;
      long ahead = Math.clamp(extents / 8, 1, EXTENTS_AHEAD_MAX);
      if (grows && !state.isClosed() && !state.hasFailed()) {
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

  private void map(long size) {
    try {
      files.mappings().map(files.heap(), size);
    } catch (IOException e) {
      throw new StoreFullException(
          "%s: the heap cannot be mapped up to %d bytes: %s; raise the limits on address space (ulimit -v) and mappings (vm.max_map_count)"
              .formatted(files.directory(), size, e.getMessage()),
          e);
    }
  }
}
