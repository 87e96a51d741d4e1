package io.pmstore.tiered;

import io.pmstore.PmStoreException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/** A store's heap, loaded into memory, beside other readers. No file is written. */
final class ReadOnlyTieredEngine implements Engine {
  private final StoreLock storeLock;
  private final TieredFiles files;
  private final DramHeap heap;
  private final EngineState state;
  private final long position;
  private final ReentrantLock closing = new ReentrantLock();

  private ReadOnlyTieredEngine(
      StoreLock storeLock, TieredFiles files, DramHeap heap, long position) {
    this.storeLock = storeLock;
    this.files = files;
    this.heap = heap;
    this.state = new EngineState(files.directory());
    this.position = position;
  }

  /** Loads a store whose files are open. */
  static ReadOnlyTieredEngine start(StoreLock storeLock, TieredFiles files) throws IOException {
    DramHeap heap = new DramHeap(files.directory());
    boolean started = false;
    try {
      int extents = files.header().current().extents();
      heap.checkRoom(extents);
      heap.grow(extents);
      files.header().sync(); // what is shown must not be lost by a power cut
      for (int i = 0; i < TieredLayout.POOLS; i++) {
        files.pool(i).sync();
      }
      Recovery recovery = new Recovery(files, heap.memory());
      recovery.run();
      started = true;
      return new ReadOnlyTieredEngine(storeLock, files, heap, recovery.position());
    } finally {
      if (!started) {
        heap.clear();
        heap.close();
      }
    }
  }

  @Override
  public HeapMemory memory() {
    checkUsable();
    return heap.memory();
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public void checkWritable() {
    throw refused();
  }

  @Override
  public void grow(long size) {
    throw refused();
  }

  @Override
  public void shrink(long size) {
    throw refused();
  }

  @Override
  public Commit place(WriteSet writes) {
    throw refused();
  }

  private StoreReadOnlyException refused() {
    checkUsable();
    return new StoreReadOnlyException(
        "the store in %s is open for reading only; open it without PmStoreOptions.readOnly to change it"
            .formatted(files.directory()));
  }

  /** Returns at once: everything was durable before it was loaded. */
  @Override
  public void sync(long upTo) {
    checkUsable();
  }

  @Override
  public long position() {
    checkUsable();
    return position;
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    Throwable first = state.fail(fault);
    heap.clear();
    return state.failed(first);
  }

  @Override
  public void checkUsable() {
    state.check();
  }

  @Override
  public void close() {
    closing.lock();
    try {
      if (state.isClosed()) {
        return;
      }
      state.close();
      heap.clear();
      try {
        files.close();
      } catch (IOException e) {
        throw state.failed(e);
      } finally {
        heap.close();
        storeLock.release();
      }
    } finally {
      closing.unlock();
    }
  }
}
