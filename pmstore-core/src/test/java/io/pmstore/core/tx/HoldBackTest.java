package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.ThreadKind.Running;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** New transactions and snapshots wait while others end, before another heap replaces theirs. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class HoldBackTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final long LONG = TimeUnit.MINUTES.toNanos(1);
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

  @Parameter ThreadKind threads;

  private final Heap heap =
      new Heap(
          new MemoryEngine(new MemoryEngine.Image(), Long.MAX_VALUE),
          Durability.SYNC,
          h -> new NoObjects());
  private final long object = heap.transaction(() -> heap.allocate(SHAPE, 16));

  @AfterEach
  void close() {
    heap.close();
  }

  @Test
  void newOnesBeginWhenTheyAreReleased() {
    assertTrue(heap.holdBack(LONG));
    Running<Long> snapshot = threads.start(() -> heap.snapshot(() -> heap.getLong(object, FIELD)));
    Running<?> write = threads.start(this::write);
    snapshot.awaitIn("join");
    write.awaitIn("join");
    assertFalse(snapshot.isDone() || write.isDone());
    assertEquals(0, heap.getLong(object, FIELD), "a write was not held back");
    heap.release();
    write.result();
    snapshot.result();
    assertEquals(7, heap.getLong(object, FIELD));
  }

  private Object write() {
    heap.putLong(object, FIELD, 7);
    return "";
  }

  @Test
  void theCallerWaitsForThoseThatRun() {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    Running<?> snapshot = threads.start(() -> heap.snapshot(() -> pass(begun, end)));
    Running<?> transaction = threads.start(() -> heap.transaction(() -> pass(begun, end)));
    pass(begun);
    Running<Boolean> holding = threads.start(() -> heap.holdBack(LONG));
    holding.awaitIn("pause");
    assertFalse(holding.isDone());
    end.countDown();
    snapshot.result();
    transaction.result();
    assertTrue(holding.result());
    assertFalse(heap.isAdmitting());
  }

  private static Object pass(CountDownLatch begun, CountDownLatch end) {
    begun.countDown();
    return pass(end);
  }

  private static Object pass(CountDownLatch latch) {
    try {
      latch.await();
      return "";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a snapshot, which does something once other calls are held back. */
  private Running<Long> snapshotThatWhenHeldBack(TransactionFunction<Long, RuntimeException> then) {
    CountDownLatch begun = new CountDownLatch(1);
    Running<Long> snapshot =
        threads.start(
            () ->
                heap.snapshot(
                    () -> {
                      begun.countDown();
                      while (heap.isAdmitting()) {
                        ThreadKind.giveWay();
                      }
                      return then.run();
                    }));
    pass(begun);
    return snapshot;
  }

  /** Were the other one held back until the first ends, none of them would end. */
  @Test
  void oneThatWaitsForAnotherWhichIsHeldBackEnds() {
    Running<Long> snapshot =
        snapshotThatWhenHeldBack(
            () -> threads.start(() -> heap.snapshot(() -> heap.getLong(object, FIELD))).result());
    assertFalse(heap.holdBack(SHORT));
    assertTrue(heap.isAdmitting());
    assertEquals(0, snapshot.result());
    assertTrue(heap.holdBack(LONG));
  }

  /** A transaction of the store itself inside of another one is a part of that. */
  @Test
  void oneInsideAnotherIsNotHeldBack() {
    Running<Long> snapshot =
        snapshotThatWhenHeldBack(
            () ->
                heap.readApart(() -> heap.getLong(object, FIELD))
                    + heap.snapshot(() -> heap.transaction(() -> 1L)));
    assertTrue(heap.holdBack(LONG));
    assertEquals(1, snapshot.result());
  }

  @Test
  void closingRefusesThoseThatAreHeldBack() {
    assertTrue(heap.holdBack(LONG));
    Running<Integer> read = threads.start(() -> heap.read(() -> 1));
    Running<Integer> snapshot = threads.start(() -> heap.snapshot(() -> 1));
    read.awaitIn("join");
    snapshot.awaitIn("join");
    heap.close();
    assertThrows(StoreClosedException.class, read::result);
    assertThrows(StoreClosedException.class, snapshot::result);
    heap.release();
    assertThrows(StoreClosedException.class, () -> heap.read(() -> 1));
  }

  @Test
  void closingEndsTheWaitForThoseThatRun() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Running<?> snapshot = threads.start(() -> heap.snapshot(() -> pass(begun, end)));
    pass(begun);
    Running<Boolean> holding = threads.start(() -> heap.holdBack(LONG));
    holding.awaitIn("pause");
    Running<?> closing =
        threads.start(
            () -> {
              heap.close();
              return "";
            });
    assertThrows(StoreClosedException.class, holding::result);
    assertFalse(closing.isDone());
    end.countDown();
    snapshot.result();
    closing.result();
  }
}
