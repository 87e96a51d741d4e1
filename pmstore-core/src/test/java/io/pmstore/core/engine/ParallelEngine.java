package io.pmstore.core.engine;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.Arena;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An engine in memory that lets commits overtake each other as far as {@link Engine} allows: only
 * their places in the order are assigned one at a time. A test can stop a commit, or make it fail,
 * before it has a place, and between its place and each of its changes.
 */
public class ParallelEngine implements Engine {
  private final HeapMemory memory = new HeapMemory();
  private final AtomicLong position = new AtomicLong();
  private final AtomicLong synced = new AtomicLong();
  private volatile boolean closed;
  private volatile boolean failed;

  /** Called on the committing thread before a commit has its place in the order; may throw. */
  protected void beforePosition() {
    Thread.yield();
  }

  /** Called on the committing thread before each change of the memory. */
  protected void beforeApply() {
    if (ThreadLocalRandom.current().nextInt(8) == 0) {
      Thread.yield();
    }
  }

  /** Fails, as an engine does whose disk has failed, but leaves the memory. */
  public final void fail() {
    failed = true;
  }

  /** Takes the memory away, which an engine that fails does a moment later. */
  public final void takeMemoryAway() {
    memory.clear();
  }

  /**
   * The largest position that somebody wanted to be durable.
   *
   * @return the position
   */
  public final long synced() {
    return synced.get();
  }

  @Override
  public final HeapMemory memory() {
    checkUsable();
    return memory;
  }

  @Override
  public final synchronized void grow(long size) {
    checkUsable();
    while (memory.size() < size) {
      memory.addExtent(Arena.ofAuto().allocate(HeapMemory.EXTENT_SIZE, 4096));
    }
  }

  @Override
  public final synchronized void shrink(long size) {
    checkUsable();
    memory.cut(size);
  }

  /** Called on the committing thread when a record has its position. */
  protected void appended(WriteSet record) {}

  @Override
  public final Commit place(WriteSet writes) {
    checkUsable();
    writes.resolve(memory);
    beforePosition();
    long mine = position.incrementAndGet();
    return new Commit() {
      @Override
      public long append() {
        appended(writes);
        return mine;
      }

      @Override
      public void apply() {
        writes.forEachRange(
            (address, source, offset, length) -> {
              for (int i = 0; i < length; i += 8) {
                beforeApply();
                memory.write(address + i, source, offset + i, 8);
              }
            });
      }
    };
  }

  /** Called on the thread that wants a position durable. */
  protected void beforeSync() {}

  @Override
  public final void sync(long upTo) {
    checkUsable();
    beforeSync();
    synced.accumulateAndGet(upTo, Math::max);
  }

  /** Called before somebody learns the position of the last commit. */
  protected void beforePositionIsRead() {}

  /** Called when somebody has learned it, before he uses it. */
  protected void afterPositionIsRead() {}

  @Override
  public final long position() {
    checkUsable();
    beforePositionIsRead();
    long read = position.get();
    afterPositionIsRead();
    return read;
  }

  @Override
  public final void checkUsable() {
    if (closed) {
      throw new StoreClosedException("the engine is closed");
    }
    if (failed) {
      throw new StoreFailedException("the engine has failed", null);
    }
  }

  @Override
  public void close() {
    closed = true;
    memory.clear();
  }
}
