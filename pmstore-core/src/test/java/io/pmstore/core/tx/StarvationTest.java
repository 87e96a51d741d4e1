package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** However unlucky a transaction is, it ends after a bounded number of attempts. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class StarvationTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;

  @Parameter ThreadKind threads;

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final long object = objects(1)[0];
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void close() {
    heap.close();
  }

  private long[] objects(int n) {
    return heap.transaction(
        () -> {
          long[] objects = new long[n];
          for (int i = 0; i < n; i++) {
            objects[i] = heap.allocate(SHAPE, 16);
          }
          return objects;
        });
  }

  private void increment(long which) {
    heap.transaction(
        () -> {
          heap.putLong(which, FIELD, heap.getLong(which, FIELD) + 1);
          return null;
        });
  }

  /**
   * In each attempt another thread commits a change of what was read, until the attempt that runs
   * alone: there the other thread waits.
   */
  @Test
  void whatAlwaysComesTooLateRunsAloneInTheEnd() {
    checkRunsAlone(() -> {});
  }

  /** A class met for the first time is noted in a transaction of its own, inside the other. */
  @Test
  void andStaysAloneAfterATransactionOfItsOwnInside() {
    checkRunsAlone(() -> assertEquals(List.of(), heap.directory().catalogueEntries()));
  }

  private void checkRunsAlone(Runnable inside) {
    int together = Attempts.ATTEMPTS_TOGETHER;
    List<Running<?>> other = new ArrayList<>();
    threads.run(
        () ->
            heap.transaction(
                () -> {
                  long before = heap.getLong(object, FIELD);
                  int run = runs.incrementAndGet();
                  assertTrue(run <= together + 1, "still together with others");
                  inside.run();
                  Running<?> short1 =
                      threads.start(
                          () -> {
                            increment(object);
                            return null;
                          });
                  if (run <= together) {
                    short1.result();
                  } else {
                    short1.awaitIn("awaitEnd");
                    assertFalse(short1.isDone());
                    other.add(short1);
                  }
                  heap.putLong(object, FIELD, before + 100);
                  return null;
                }));
    assertEquals(together + 1, runs.get());
    other.getFirst().result();
    assertEquals(together + 100 + 1, heap.getLong(object, FIELD));
  }

  /**
   * A long transaction over all objects, while short ones hit them without a pause. Beside one that
   * runs alone each other thread commits once at most.
   */
  @Test
  void aLongOneAmongShortOnesEndsAfterABoundedNumberOfAttempts() throws Exception {
    int others = 3;
    long[] objects = objects(200);
    AtomicBoolean done = new AtomicBoolean();
    int worst = 0;
    try (ExecutorService pool = threads.pool(others)) {
      List<Future<?>> shorts = new ArrayList<>();
      for (int t = 0; t < others; t++) {
        SplittableRandom random = new SplittableRandom(t);
        shorts.add(
            pool.submit(
                () -> {
                  while (!done.get()) {
                    increment(objects[random.nextInt(objects.length)]);
                    ThreadKind.giveWay();
                  }
                }));
      }
      try {
        for (int i = 0; i < 20; i++) {
          runs.set(0);
          heap.transaction(
              () -> {
                runs.incrementAndGet();
                for (long one : objects) {
                  heap.putLong(one, FIELD, heap.getLong(one, FIELD) + 1);
                  Thread.yield();
                }
                return null;
              });
          worst = Math.max(worst, runs.get());
        }
      } finally {
        done.set(true);
      }
      for (Future<?> future : shorts) {
        future.get();
      }
    }
    assertTrue(worst <= Attempts.ATTEMPTS_TOGETHER + 1 + others, worst + " attempts");
  }

  /** Many that all want to be alone take turns. */
  @Test
  void manyUnluckyOnesAllEnd() throws Exception {
    int all = 16;
    int each = 20;
    long[] objects = objects(20);
    try (ExecutorService pool = threads.pool(all)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < all; t++) {
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    heap.transaction(
                        () -> {
                          for (long one : objects) {
                            heap.putLong(one, FIELD, heap.getLong(one, FIELD) + 1);
                            Thread.yield();
                          }
                          return null;
                        });
                  }
                }));
      }
      for (Future<?> future : running) {
        future.get();
      }
    }
    for (long one : objects) {
      assertEquals(all * each, heap.getLong(one, FIELD));
    }
  }
}
