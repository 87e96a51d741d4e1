package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.core.memory.HeapMemory;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An engine that does what the one inside does, except where a test overrides a method. */
public abstract class EngineWrapper implements Engine {
  private final Engine engine;

  /**
   * Wraps an engine.
   *
   * @param engine does the work
   */
  protected EngineWrapper(Engine engine) {
    this.engine = engine;
  }

  @Override
  public HeapMemory memory() {
    return engine.memory();
  }

  @Override
  public void grow(long size) {
    engine.grow(size);
  }

  @Override
  public void shrink(long size) {
    engine.shrink(size);
  }

  @Override
  public void keepAtClose(UsedSpace used) {
    engine.keepAtClose(used);
  }

  @Override
  public Commit place(WriteSet writes) {
    return engine.place(writes);
  }

  @Override
  public long commit(WriteSet writes) {
    return engine.commit(writes);
  }

  @Override
  public void sync(long position) {
    engine.sync(position);
  }

  @Override
  public long position() {
    return engine.position();
  }

  @Override
  public void verify(FaultVisitor faults) {
    engine.verify(faults);
  }

  @Override
  public @Nullable Instant checksumsMade() {
    return engine.checksumsMade();
  }

  @Override
  public void checkStored(long address, long length) {
    engine.checkStored(address, length);
  }

  @Override
  public OptionalLong logSegmentSize() {
    return engine.logSegmentSize();
  }

  @Override
  public EngineMetrics metrics() {
    return engine.metrics();
  }

  @Override
  public boolean isReadOnly() {
    return engine.isReadOnly();
  }

  @Override
  public void checkWritable() {
    engine.checkWritable();
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    return engine.fail(fault);
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
