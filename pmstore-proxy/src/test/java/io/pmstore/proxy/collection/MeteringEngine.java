package io.pmstore.proxy.collection;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;

/** An engine that counts the logged bytes. */
final class MeteringEngine implements Engine {
  private final Engine engine = new MemoryEngine();
  private long largest;
  private long smallest;

  /** Starts to measure anew. */
  void reset() {
    largest = 0;
    smallest = Long.MAX_VALUE;
  }

  /** The bytes of the largest commit since the reset. */
  long largest() {
    return largest;
  }

  /** The bytes of the smallest commit since the reset. */
  long smallest() {
    return smallest;
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
  public Commit place(WriteSet writes) {
    return engine.place(writes);
  }

  @Override
  public long commit(WriteSet writes) {
    long size = writes.encodedSize();
    largest = Math.max(largest, size);
    smallest = Math.min(smallest, size);
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
  public void checkUsable() {
    engine.checkUsable();
  }

  @Override
  public void close() {
    engine.close();
  }
}
