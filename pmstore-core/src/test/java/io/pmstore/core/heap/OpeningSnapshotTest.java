package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.tx.LinkListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is freed while a snapshot is being opened, whose state is fixed already. */
@Timeout(60)
class OpeningSnapshotTest {
  private static final int NODE = 3;
  private static final int NODE_SIZE = 48;
  private static final int LEFT = 8;
  private static final int VALUE = 40;

  private final CountDownLatch opening = new CountDownLatch(1); // the commit under way is stopped
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicLong unlinkedAt = new AtomicLong();
  private volatile Thread reader;
  private volatile Thread writer;
  private long spare;

  private final Heap heap =
      new Heap(
          new ParallelEngine() {
            @Override
            protected void beforePositionIsRead() {
              if (Thread.currentThread() == reader && opening.getCount() > 0) {
                writer = Thread.ofPlatform().unstarted(() -> put(spare, VALUE, 5));
                writer.start();
                await(opening);
              }
            }

            /** Of a commit that had no position yet, the snapshot would take a later one. */
            @Override
            protected void appended(WriteSet record) {
              if (Thread.currentThread() == writer) {
                opening.countDown();
                await(goOn);
              }
            }
          },
          Durability.SYNC,
          h -> new NoObjects());

  private final class Listener implements LinkListener {
    @Override
    public boolean isMarking() {
      return false;
    }

    @Override
    public void linked(long object) {}

    @Override
    public void born(long object) {}

    @Override
    public void unlinked(long object, long position) {
      unlinkedAt.set(position);
    }

    @Override
    public void sharedUnlinked(int count) {}
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void put(long object, int offset, long value) {
    heap.transaction(
        () -> {
          heap.putLong(object, offset, value);
          return null;
        });
  }

  private long node(long holder, long value) {
    return heap.transaction(
        () -> {
          long made = heap.allocate(NODE, NODE_SIZE);
          heap.putLong(made, VALUE, value);
          if (holder == 0) {
            heap.directory().setRoot("root " + value, made);
          } else {
            heap.putLong(holder, LEFT, made);
          }
          return made;
        });
  }

  @Test
  void whatItShowsIsKept() throws Exception {
    heap.referenceMaps().add(NODE, new ReferenceMap(new int[] {LEFT}, new int[0]));
    heap.reclamation().listener(new Listener());
    long root = node(0, 1);
    spare = node(0, 2);
    long shown = node(root, 7);
    AtomicLong found = new AtomicLong();
    FutureTask<?> reading =
        new FutureTask<>(
            () ->
                heap.snapshot(
                    () -> {
                      found.set(heap.getLong(heap.getLong(root, LEFT), VALUE));
                      return null;
                    }),
            null);
    reader = Thread.ofPlatform().unstarted(reading);
    reader.start();
    await(opening);
    while (!isWaitingForCommits(reader)) {
      Thread.onSpinWait(); // its position is read then
    }
    put(root, LEFT, 0);
    heap.reclamation().freeUnlinked(new long[] {shown}, 1, unlinkedAt.get());
    assertTrue(heap.transaction(() -> heap.isAllocated(shown)), "the snapshot shows it");
    goOn.countDown();
    reading.get();
    assertEquals(7, found.get());
    assertTrue(heap.reclamation().freeUnlinked(new long[] {shown}, 1, unlinkedAt.get()));
    assertFalse(heap.transaction(() -> heap.isAllocated(shown)));
    heap.close();
  }

  private static boolean isWaitingForCommits(Thread reader) {
    for (StackTraceElement frame : reader.getStackTrace()) {
      if (frame.getClassName().endsWith(".Committer") && frame.getMethodName().equals("await")) {
        return true;
      }
    }
    return false;
  }
}
