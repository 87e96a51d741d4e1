package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads are interrupted all the time, wherever they are in a transaction: no transaction notices,
 * nothing is lost, and the interrupts are there when the thread wants to know.
 */
@ParameterizedClass
@CsvSource({
  "PLATFORM, MEMORY",
  "VIRTUAL, MEMORY",
  "PLATFORM, FILE",
  "VIRTUAL, FILE",
  "PLATFORM, PERSISTENT_MEMORY",
  "VIRTUAL, PERSISTENT_MEMORY",
})
@Timeout(120)
class InterruptTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int THREADS = 4;
  private static final int EACH = 2_000;

  @Parameter(0)
  ThreadKind threads;

  @Parameter(1)
  EngineKind engines;

  @Test
  void nothingIsLost() throws Exception {
    try (EngineKind.Opened opened = engines.openNew()) {
      Heap heap = new Heap(opened.engine(), Durability.SYNC, h -> new NoObjects());
      long object = heap.transaction(() -> heap.allocate(SHAPE, 24));
      AtomicLong noticed = new AtomicLong();
      AtomicLong done = new AtomicLong();
      AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
      CountDownLatch running = new CountDownLatch(THREADS);
      List<Thread> workers = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        workers.add(
            threads.thread(
                () -> {
                  try {
                    // Some threads are done before the one that interrupts has begun.
                    for (int i = 0; i < EACH || noticed.get() == 0; i++) {
                      // One conflicting with all others, one with none; room from the allocator.
                      heap.transaction(
                          () -> {
                            heap.putLong(object, FIELD, heap.getLong(object, FIELD) + 1);
                            heap.addToCounter(object, FIELD + 8, 1);
                            return heap.allocate(SHAPE, 1000);
                          });
                      done.incrementAndGet();
                      if (Thread.interrupted()) {
                        noticed.incrementAndGet();
                      }
                      Thread.yield();
                    }
                  } catch (Throwable e) {
                    thrown.set(e);
                  } finally {
                    running.countDown();
                  }
                }));
      }
      AtomicBoolean stop = new AtomicBoolean();
      Thread interrupter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!stop.get()) {
                      workers.forEach(Thread::interrupt);
                      Thread.yield();
                    }
                  });
      workers.forEach(Thread::start);
      try {
        running.await();
      } finally {
        stop.set(true);
      }
      interrupter.join();
      assertEquals(null, thrown.get());
      heap.close();
      try (Engine again = opened.reopen()) {
        Heap reopened = new Heap(again, Durability.SYNC, h -> new NoObjects());
        assertEquals(done.get(), reopened.getLong(object, FIELD));
        assertEquals(done.get(), reopened.counter(object, FIELD + 8));
      }
    }
  }
}
