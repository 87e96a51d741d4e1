package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;

/**
 * An engine that was opened for reading only. It refuses every change; other processes may read the
 * store too. Everything that it shows was durable before it was opened.
 */
public abstract class Reader implements Engine {
  private final StoreLock storeLock;
  private final HeapMemory memory;
  private final EngineState state;
  private final long position;
  private final Mutex closing = new Mutex();

  /**
   * Creates the engine of a store whose heap is loaded or mapped.
   *
   * @param storeLock released by {@link #close}
   * @param state of an open engine
   * @param position of the last commit
   */
  protected Reader(StoreLock storeLock, HeapMemory memory, EngineState state, long position) {
    this.storeLock = storeLock;
    this.memory = memory;
    this.state = state;
    this.position = position;
  }

  @Override
  public final HeapMemory memory() {
    checkUsable();
    return memory;
  }

  @Override
  public final boolean isReadOnly() {
    return true;
  }

  @Override
  public final void checkWritable() {
    throw refused();
  }

  @Override
  public final void grow(long size) {
    throw refused();
  }

  @Override
  public final void shrink(long size) {
    throw refused();
  }

  @Override
  public final Commit place(WriteSet writes) {
    throw refused();
  }

  private StoreReadOnlyException refused() {
    checkUsable();
    return new StoreReadOnlyException(
        "the store in %s is open for reading only; open it without PmStoreOptions.readOnly to change it"
            .formatted(state.directory()));
  }

  /** Returns at once: what the engine shows is durable. */
  @Override
  public final void sync(long upTo) {
    checkUsable();
  }

  @Override
  public final long position() {
    checkUsable();
    return position;
  }

  @Override
  public final PmStoreException fail(InternalError fault) {
    Throwable first = state.fail(fault);
    memory.clear();
    return state.failed(first);
  }

  @Override
  public final void checkUsable() {
    state.check();
  }

  /** Closes the files and frees the memory. Called once. */
  protected abstract void release() throws IOException;

  @Override
  public final void close() {
    try (var _ = closing.hold()) {
      if (state.isClosed()) {
        return;
      }
      state.close();
      memory.clear();
      try {
        release();
      } catch (IOException e) {
        throw state.failed(e);
      } finally {
        storeLock.release();
      }
    }
  }
}
