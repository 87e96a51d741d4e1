package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A heap in which one commit can be stopped half way. */
final class CommitGate extends EngineWrapper {
  /** Where a commit can be stopped. */
  enum Step {
    /** What was read is validated; nothing is changed. */
    BEFORE,
    /** The changes are in memory; the locks are still held. */
    BEHIND,
    /** The locks are free; it waits to be durable. */
    SYNC
  }

  private final Heap heap = new Heap(this, Durability.SYNC, h -> new NoObjects());
  private volatile CountDownLatch arrived = new CountDownLatch(0);
  private volatile CountDownLatch opened = new CountDownLatch(0);
  private volatile Step step = Step.BEFORE;

  CommitGate() {
    super(new MemoryEngine());
  }

  Heap heap() {
    return heap;
  }

  /** Stops the next commit, which is to be of another thread. */
  void close(Step where) {
    step = where;
    opened = new CountDownLatch(1);
    arrived = new CountDownLatch(1);
  }

  void awaitArrival() {
    await(arrived);
  }

  /** Lets the commit go on, and all later ones. */
  void open() {
    opened.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody came");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void pass(Step where) {
    if (where == step) {
      arrived.countDown();
      await(opened);
    }
  }

  @Override
  public long commit(WriteSet writes) {
    pass(Step.BEFORE);
    long position = super.commit(writes);
    pass(Step.BEHIND);
    return position;
  }

  @Override
  public void sync(long position) {
    pass(Step.SYNC);
    super.sync(position);
  }

  @Override
  public void close() {
    opened.countDown();
    super.close();
  }
}
