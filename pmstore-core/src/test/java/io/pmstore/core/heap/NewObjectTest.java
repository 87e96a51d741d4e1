package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.RolledBackException;
import io.pmstore.core.engine.ParallelEngine;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether the handle of a new object can be used by others than the transaction that makes it. */
class NewObjectTest {
  private static final int SHAPE = 7;

  private final Heap heap = new Heap(new ParallelEngine(), Durability.SYNC, _ -> new NoObjects());
  private final long holder = heap.transaction(() -> heap.allocate(SHAPE, 64));

  private enum Reader {
    PLAIN,
    TRANSACTION,
    SNAPSHOT
  }

  @AfterEach
  void close() {
    heap.close();
  }

  private static <T> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> running = new FutureTask<>(task);
    Thread.ofPlatform().name("started").start(running);
    return running;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The commit is stopped where the heap refers to the new object and its handle is not yet told.
   */
  @ParameterizedTest
  @EnumSource
  void whoFindsItInTheHeapCanUseIt(Reader reader) throws Exception {
    CountDownLatch visible = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HeapObject[] made = new HeapObject[1];
    FutureTask<?> making =
        start(
            () ->
                heap.transaction(
                    () -> {
                      heap.onCommit(
                          () -> {
                            visible.countDown();
                            await(goOn);
                          });
                      made[0] = heap.newObject(SHAPE, 64);
                      made[0].putLong(8, 5);
                      heap.putLong(holder, 8, made[0].address());
                      return null;
                    }));
    await(visible);
    FutureTask<Long> reading =
        new FutureTask<>(
            () ->
                switch (reader) {
                  case PLAIN -> found(made[0]);
                  case TRANSACTION -> heap.transaction(() -> found(made[0]));
                  case SNAPSHOT -> heap.snapshot(() -> found(made[0]));
                });
    Thread thread = Thread.ofPlatform().start(reading);
    while (!reading.isDone() && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    boolean early = reading.isDone();
    goOn.countDown();
    assertEquals(5, reading.get());
    assertFalse(early, "it was not waited for");
    making.get();
    assertEquals(5, made[0].getLong(8));
  }

  private long found(HeapObject made) {
    long address = heap.getLong(holder, 8);
    long value = made.getLong(8);
    assertEquals(address, made.address());
    return value;
  }

  @Test
  void whoHasItOtherwiseIsRefused() {
    heap.birthNanosMax = TimeUnit.MILLISECONDS.toNanos(100);
    HeapObject[] made = new HeapObject[1];
    assertThrows(
        ArithmeticException.class,
        () ->
            heap.transaction(
                () -> {
                  made[0] = heap.newObject(SHAPE, 64);
                  FutureTask<IllegalStateException> using =
                      start(
                          () ->
                              assertThrows(IllegalStateException.class, () -> made[0].getLong(8)));
                  try {
                    using.get();
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                  throw new ArithmeticException("rolls back");
                }));
    assertThrows(RolledBackException.class, () -> made[0].getLong(8));
  }
}
