package io.pmstore.core.engine.mapped.growth;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.mapped.checkpoint.Checkpointer;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.HeapGrowthEvent;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Grows and shrinks the heap: allocated space in the file, durably, and its mappings. The
 * background thread allocates ahead of need, so that a thread that grows the heap seldom waits for
 * the device. Thread-safe.
 */
public final class HeapSize {
  private static final int EXTENTS_AHEAD_MAX = 16;

  private final StoreFiles files;
  private final EngineState state;
  private final Checkpointer checkpointer;
  private final Mutex lock = new Mutex();
  private boolean grows; // true if the heap grew since the last shrink

  public HeapSize(StoreFiles files, EngineState state, Checkpointer checkpointer) {
    this.files = files;
    this.state = state;
    this.checkpointer = checkpointer;
  }

  /**
   * Grows the heap to at least {@code size} bytes.
   *
   * @return true if it grew
   * @throws StoreFullException if there is no room; nothing has changed
   * @throws IOException if the store must fail
   */
  public boolean grow(long size) throws IOException {
    if (size <= files.memory().writableBytes()) {
      return false;
    }
    @Nullable CommitStallEvent stall =
        Recorder.stall(files.directory(), CommitStallEvent.Cause.HEAP_GROWTH);
    lock.lock();
    try {
      return growAlone(size);
    } finally {
      lock.unlock();
      Recorder.ended(stall);
    }
  }

  private boolean growAlone(long size) throws IOException {
    state.check(); // a failure or a close removes the memory
    if (size <= files.memory().writableBytes()) {
      return false;
    }
    long max = HeapMemory.EXTENT_SIZE * HeapMemory.EXTENTS_MAX;
    if (size > max) {
      throw new StoreFullException(
          "%s: a heap has at most %d bytes; %d were wanted. Remove what is not needed and call store.gc(), or divide the data among several stores"
              .formatted(files.directory(), max, size));
    }
    @Nullable HeapGrowthEvent event = Recorder.heapGrowth();
    long before = files.memory().writableBytes();
    long extended = StoreLayout.heapSize(size);
    allocate(extended);
    map(extended);
    state.check(); // after a failure since then the memory would stay
    files.checks().skip(files.memory().writableBytes(), extended);
    files.mappings().show(extended);
    grows = true;
    if (event != null) {
      event.ended(files.directory(), before, files.memory().writableBytes());
    }
    return true;
  }

  /**
   * Shrinks the heap.
   *
   * <p>A checkpoint comes first, so that no record that recovery would replay names the removed
   * end. Then the header with the new size becomes durable, in both copies. Only then are the files
   * truncated. If a crash prevents that, the next opening for writing truncates them.
   *
   * @param size the bytes that stay
   * @throws IOException if the store must fail
   */
  public void shrink(long size) throws IOException {
    try (var _ = lock.hold()) {
      state.check();
      files.memory().checkCut(size);
      checkpointer.runBefore(() -> cut(size));
      grows = false;
    }
  }

  private void cut(long size) throws IOException {
    files.mappings().cut(size);
    long writable = files.memory().writableBytes();
    if (files.header().current().heapSize() > writable) {
      files.header().update(header -> header.withHeapSize(writable));
    }
    files.dropTail();
  }

  /**
   * Runs the last checkpoint, and gives the space at the end of the heap back that is not in use.
   * The size does not change afterwards.
   *
   * @param used computes what is in use; if what it reads is damaged, all of the heap stays
   * @throws IOException if the store must fail
   */
  public void checkpointForClose(Engine.UsedSpace used) throws IOException {
    try (var _ = lock.hold()) { // waits for a running growth; a later one finds a closed store
      checkpointer.runForClose(closedSize(used));
      files.dropTail();
    }
  }

  private long closedSize(Engine.UsedSpace used) {
    HeapMemory memory = files.memory();
    long size = memory.writableBytes();
    try {
      return Math.min(size, StoreLayout.closedSize(used.end(size, this::checkedWord)));
    } catch (StoreDamagedException e) {
      return size; // the damage was logged when it was found
    }
  }

  private long checkedWord(long address) {
    try {
      files.checks().check(address, Long.BYTES);
      return files.memory().getLong(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the memory, after a running change of the size. */
  public void clearMemory() {
    try (var _ = lock.hold()) {
      files.memory().clear();
    }
  }

  /**
   * Allocates space for the next growth and maps it, unless the heap has shrunk since the last one.
   *
   * @throws IOException if the store must fail
   */
  public void prepare() throws IOException {
    lock.lock();
    try {
      if (grows && !state.isClosed() && !state.hasFailed()) {
        long size = sizeAhead(files.memory().writableBytes());
        allocate(size);
        map(size);
        files.mappings().populateNext(files.heap());
      }
    } catch (StoreFullException e) {
      // A thread that needs the space will try again, and get the exception.
      System.getLogger(HeapSize.class.getName())
          .log(System.Logger.Level.WARNING, "no room ahead of need: " + e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private static long sizeAhead(long size) {
    if (size < HeapMemory.EXTENT_SIZE) {
      return Math.min(2 * size, HeapMemory.EXTENT_SIZE);
    }
    long extents = size >>> HeapMemory.EXTENT_SHIFT;
    long ahead = Math.clamp(extents / 8, 1, EXTENTS_AHEAD_MAX);
    return Math.min(extents + ahead, HeapMemory.EXTENTS_MAX) << HeapMemory.EXTENT_SHIFT;
  }

  /** Grows the file, durably, before any record can name the new bytes. */
  private void allocate(long size) throws IOException {
    assert lock.isHeldByCurrentThread();
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
