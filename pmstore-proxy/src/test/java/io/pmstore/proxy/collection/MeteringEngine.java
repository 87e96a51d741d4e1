package io.pmstore.proxy.collection;

import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;

/** An engine that counts the logged bytes. */
final class MeteringEngine extends EngineWrapper {
  private long largest;
  private long smallest;

  MeteringEngine() {
    super(new MemoryEngine());
  }

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
  public long commit(WriteSet writes) {
    long size = writes.encodedSize();
    largest = Math.max(largest, size);
    smallest = Math.min(smallest, size);
    return super.commit(writes);
  }
}
