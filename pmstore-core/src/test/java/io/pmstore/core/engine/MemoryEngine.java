package io.pmstore.core.engine;

import io.pmstore.StoreClosedException;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.Arena;

/** An engine in memory only: for tests of the layers above, and as the smallest example of the seam. */
public final class MemoryEngine implements Engine {
  private final HeapMemory memory = new HeapMemory();
  private final Arena arena = Arena.ofShared();
  private volatile long position;
  private boolean closed;

  @Override
  public HeapMemory memory() {
    return memory;
  }

  @Override
  public synchronized void grow(long size) {
    checkUsable();
    while (memory.size() < size) {
      memory.addExtent(arena.allocate(HeapMemory.EXTENT_SIZE, 4096));
    }
  }

  @Override
  public synchronized long commit(WriteSet writes) {
    checkUsable();
    writes.resolve(memory);
    long next = position + 1;
    position = next; // before the changes can be seen, as the transactions above require
    writes.forEachRange(memory::write);
    return next;
  }

  @Override
  public synchronized void sync(long upTo) {
    checkUsable();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public synchronized void checkUsable() {
    if (closed) {
      throw new StoreClosedException("the engine is closed");
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      memory.clear();
      arena.close();
    }
  }
}
