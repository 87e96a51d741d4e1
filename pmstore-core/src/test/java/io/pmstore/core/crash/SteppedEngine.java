package io.pmstore.core.crash;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;

/**
 * An engine around another one; other threads of a {@link SeededScheduler} may run at its calls.
 */
public final class SteppedEngine implements Engine {
  private final Engine engine;

  /**
   * Puts one around an engine.
   *
   * @param engine the engine
   */
  public SteppedEngine(Engine engine) {
    this.engine = engine;
  }

  @Override
  public HeapMemory memory() {
    return engine.memory();
  }

  @Override
  public void grow(long size) {
    SeededScheduler.pause();
    engine.grow(size);
    SeededScheduler.pause();
  }

  @Override
  public void shrink(long size) {
    SeededScheduler.pause();
    engine.shrink(size);
    SeededScheduler.pause();
  }

  @Override
  public Commit place(WriteSet writes) {
    return engine.place(writes);
  }

  @Override
  public long commit(WriteSet writes) {
    SeededScheduler.pause();
    long position = engine.commit(writes);
    SeededScheduler.pause();
    return position;
  }

  @Override
  public void sync(long position) {
    SeededScheduler.pause();
    engine.sync(position);
    SeededScheduler.pause();
  }

  @Override
  public long position() {
    SeededScheduler.pause();
    long position = engine.position();
    SeededScheduler.pause();
    return position;
  }

  @Override
  public void checkUsable() {
    engine.checkUsable();
  }

  @Override
  public void close() {
    engine.close();
  }
}
