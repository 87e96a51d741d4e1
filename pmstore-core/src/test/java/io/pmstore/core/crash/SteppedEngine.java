package io.pmstore.core.crash;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.WriteSet;

/**
 * An engine around another one; other threads of a {@link SeededScheduler} may run at its calls.
 */
public final class SteppedEngine extends EngineWrapper {
  /**
   * Puts one around an engine.
   *
   * @param engine the engine
   */
  public SteppedEngine(Engine engine) {
    super(engine);
  }

  @Override
  public void grow(long size) {
    SeededScheduler.pause();
    super.grow(size);
    SeededScheduler.pause();
  }

  @Override
  public void shrink(long size) {
    SeededScheduler.pause();
    super.shrink(size);
    SeededScheduler.pause();
  }

  @Override
  public long commit(WriteSet writes) {
    SeededScheduler.pause();
    long position = super.commit(writes);
    SeededScheduler.pause();
    return position;
  }

  @Override
  public void sync(long position) {
    SeededScheduler.pause();
    super.sync(position);
    SeededScheduler.pause();
  }

  @Override
  public long position() {
    SeededScheduler.pause();
    long position = super.position();
    SeededScheduler.pause();
    return position;
  }
}
