package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What transactions on several threads may see of each other: only what some order of them, one by
 * one, would show.
 */
class IsolationTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());

  @AfterEach
  void close() {
    heap.close();
  }

  private long[] objects(int n, long value) {
    return heap.transaction(
        () -> {
          long[] objects = new long[n];
          for (int i = 0; i < n; i++) {
            objects[i] = heap.allocate(SHAPE, 16);
            heap.putLong(objects[i], FIELD, value);
          }
          return objects;
        });
  }

  private static void runTogether(ExecutorService pool, int threads, Callable<?> body)
      throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(pool.submit(body));
    }
    for (Future<?> future : running) {
      future.get();
    }
  }

  @Test
  void noUpdateIsLost() throws Exception {
    long object = objects(1, 0)[0];
    int increments = 5_000;
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      runTogether(
          pool,
          4,
          () -> {
            for (int i = 0; i < increments; i++) {
              heap.transaction(
                  () -> {
                    heap.putLong(object, FIELD, heap.getLong(object, FIELD) + 1);
                    return null;
                  });
            }
            return null;
          });
    }
    assertEquals(4L * increments, heap.getLong(object, FIELD));
  }

  @Test
  void transfersKeepTheSumOnVirtualThreadsToo() throws Exception {
    int accounts = 32;
    long[] account = objects(accounts, 100);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger sums = new AtomicInteger();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
        ExecutorService auditors = Executors.newFixedThreadPool(1)) {
      Future<?> audit =
          auditors.submit(
              () -> {
                while (!done.get() || sums.get() == 0) {
                  long sum =
                      heap.read(
                          () -> {
                            long s = 0;
                            for (long a : account) {
                              s += heap.getLong(a, FIELD);
                            }
                            return s;
                          });
                  assertEquals(100L * accounts, sum);
                  sums.incrementAndGet();
                }
                return null;
              });
      runTogether(
          pool,
          8,
          () -> {
            SplittableRandom random = new SplittableRandom(Thread.currentThread().threadId());
            for (int i = 0; i < 2_000; i++) {
              long from = account[random.nextInt(accounts)];
              long to = account[random.nextInt(accounts)];
              int amount = random.nextInt(50);
              heap.transaction(
                  () -> {
                    heap.putLong(from, FIELD, heap.getLong(from, FIELD) - amount);
                    heap.putLong(to, FIELD, heap.getLong(to, FIELD) + amount);
                    return null;
                  });
            }
            return null;
          });
      done.set(true);
      audit.get();
    }
  }

  @Test
  void writeSkewDoesNotHappen() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 300; round++) {
        long[] doctors = objects(2, 1); // at least one must stay on call
        CountDownLatch start = new CountDownLatch(2);
        AtomicInteger next = new AtomicInteger();
        runTogether(
            pool,
            2,
            () -> {
              int me = next.getAndIncrement();
              start.countDown();
              start.await();
              heap.transaction(
                  () -> {
                    if (heap.getLong(doctors[0], FIELD) + heap.getLong(doctors[1], FIELD) == 2) {
                      heap.putLong(doctors[me], FIELD, 0);
                    }
                    return null;
                  });
              return null;
            });
        assertEquals(
            1, heap.getLong(doctors[0], FIELD) + heap.getLong(doctors[1], FIELD), "round " + round);
      }
    }
  }

  @Test
  void aBodyNeverSeesAStateThatDidNotExist() throws Exception {
    long[] pair = objects(2, 1); // always equal, so the division never fails
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger divisions = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (long i = 2; i < 20_000; i++) {
                  long value = i;
                  heap.transaction(
                      () -> {
                        heap.putLong(pair[0], FIELD, value);
                        heap.putLong(pair[1], FIELD, value);
                        return null;
                      });
                }
                done.set(true);
                return null;
              });
      runTogether(
          pool,
          2,
          () -> {
            while (!done.get() || divisions.get() == 0) {
              heap.transaction(
                  () -> {
                    long a = heap.getLong(pair[0], FIELD);
                    long b = heap.getLong(pair[1], FIELD);
                    divisions.incrementAndGet();
                    return 10 / (a - b == 0 ? 1 : 0);
                  });
            }
            return null;
          });
      writer.get();
    }
    assertTrue(divisions.get() > 0);
  }

  @Test
  void aLongTransactionAmongShortOnesIsNotStarved() throws Exception {
    long[] objects = objects(200, 0);
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      List<Future<?>> short2 = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        short2.add(
            pool.submit(
                () -> {
                  SplittableRandom random = new SplittableRandom(7);
                  while (!done.get()) {
                    long object = objects[random.nextInt(objects.length)];
                    heap.transaction(
                        () -> {
                          heap.putLong(object, FIELD, heap.getLong(object, FIELD) + 1);
                          return null;
                        });
                  }
                  return null;
                }));
      }
      for (int i = 0; i < 20; i++) {
        heap.transaction(
            () -> {
              for (long object : objects) {
                heap.putLong(object, FIELD, heap.getLong(object, FIELD) + 1);
                Thread.yield();
              }
              return null;
            });
      }
      done.set(true);
      for (Future<?> future : short2) {
        future.get();
      }
    }
  }

  @Test
  void aPropertyOfTwoWordsIsNeverTornOutsideTransactions() throws Exception {
    long object = heap.transaction(() -> heap.allocate(SHAPE, 24));
    HeapObject handle = heap.object(object);
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (long i = 0; i < 20_000; i++) {
                  long value = i;
                  heap.transaction(
                      () -> {
                        heap.putLong(object, 8, value);
                        heap.putLong(object, 16, value);
                        return null;
                      });
                }
                done.set(true);
                return null;
              });
      Future<?> reader =
          pool.submit(
              () -> {
                while (!done.get()) {
                  // NoObjects reads one word; the second is read under the same version here.
                  long[] both =
                      heap.read(
                          () -> new long[] {heap.getLong(object, 8), heap.getLong(object, 16)});
                  assertEquals(both[0], both[1]);
                  handle.getObject(8, 0);
                }
                return null;
              });
      writer.get();
      reader.get();
    }
  }
}
