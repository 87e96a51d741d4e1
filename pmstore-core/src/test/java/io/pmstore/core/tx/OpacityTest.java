package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Opacity (Guerraoui, Kapałka 2008): a body never sees a state that did not exist, not even one
 * whose transaction then fails. Everywhere x and y are the same, before and after each transaction.
 */
@ParameterizedClass
@EnumSource
@Timeout(60)
class OpacityTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;

  @Parameter ThreadKind threads;

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final long x = object();
  private final long y = object();
  private final AtomicInteger runs = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    heap.close();
    assertEquals(List.of(), wrong.stream().limit(3).toList());
  }

  private long object() {
    return heap.transaction(
        () -> {
          long object = heap.allocate(SHAPE, 16);
          heap.putLong(object, FIELD, 5);
          return object;
        });
  }

  private long get(long object) {
    return heap.getLong(object, FIELD);
  }

  /** Another thread moves both. */
  private void moveBoth() {
    threads.run(
        () ->
            heap.transaction(
                () -> {
                  heap.putLong(x, FIELD, get(x) + 1);
                  heap.putLong(y, FIELD, get(y) + 1);
                  return null;
                }));
  }

  /** Reads one, has both moved, reads the other, and computes something of them. */
  private long between(LongBinaryOperator body) {
    return threads.run(
        () ->
            heap.transaction(
                () -> {
                  long ofX = get(x);
                  if (runs.getAndIncrement() == 0) {
                    moveBoth();
                  }
                  return body.applyAsLong(ofX, check(ofX, get(y)));
                }));
  }

  /**
   * Keeps what is wrong outside the transaction: an exception because of a state that is gone would
   * be forgotten.
   */
  private long check(long ofX, long ofY) {
    if (ofX != ofY) {
      wrong.add(ofX + " and " + ofY);
    }
    return ofY;
  }

  @Test
  void nothingIsDividedByZero() {
    assertEquals(10, between((ofX, ofY) -> 10 / (1 + ofX - ofY)));
  }

  @Test
  void noIndexIsOutOfBounds() {
    assertEquals(7, between((ofX, ofY) -> new long[] {7}[(int) (ofY - ofX)]));
  }

  @Test
  void noLoopRunsPastItsEnd() {
    long steps =
        between(
            (ofX, ofY) -> {
              long n = 0;
              for (long i = ofX; i != ofY - 3 && n < 1_000; i--) {
                n++;
              }
              return n;
            });
    assertEquals(3, steps);
  }

  @Test
  void aBodyThatWaitsForTheStateToBePossibleWaitsForNothing() {
    threads.run(
        () ->
            heap.transaction(
                () -> {
                  while (get(x) != check(get(x), getAfterMove())) {
                    Thread.onSpinWait();
                  }
                  return null;
                }));
  }

  private long getAfterMove() {
    if (runs.getAndIncrement() == 0) {
      moveBoth();
    }
    return get(y);
  }

  @Test
  void aBodyThatCatchesItsExceptionsCatchesNone() {
    AtomicInteger caught = new AtomicInteger();
    between(
        (ofX, ofY) -> {
          try {
            return 10 / (1 + ofX - ofY);
          } catch (RuntimeException e) {
            caught.incrementAndGet();
            return 0;
          }
        });
    assertEquals(0, caught.get());
  }

  /** Even a body that swallows what makes it run again cannot go on with what it has. */
  @Test
  void aBodyThatCatchesEverythingDoesNotCommit() {
    long sum =
        threads.run(
            () ->
                heap.transaction(
                    () -> {
                      long ofX = get(x);
                      if (runs.getAndIncrement() == 0) {
                        moveBoth();
                      }
                      long ofY;
                      try {
                        ofY = get(y);
                      } catch (Throwable swallowed) {
                        ofY = 0;
                        assertThrows(
                            Throwable.class, () -> get(y), "and no later read gets through");
                        assertThrows(Throwable.class, () -> heap.putLong(y, FIELD, 1));
                        assertThrows(Throwable.class, () -> heap.addToCounter(y, FIELD, 1));
                        assertThrows(Throwable.class, () -> heap.allocate(SHAPE, 16));
                      }
                      return ofX + ofY;
                    }));
    assertEquals(2, runs.get());
    assertEquals(12, sum);
  }

  @Test
  void norDoesOneThatCatchesEverythingOfAnInnerTransaction() {
    long sum =
        threads.run(
            () ->
                heap.transaction(
                    () -> {
                      long ofX = get(x);
                      if (runs.getAndIncrement() == 0) {
                        moveBoth();
                      }
                      try {
                        return ofX + heap.transaction(() -> get(y));
                      } catch (Throwable swallowed) {
                        return 0L;
                      }
                    }));
    assertEquals(2, runs.get());
    assertEquals(12, sum);
  }

  /** What a body throws because of a state that is gone is not what the caller gets. */
  @Test
  void anExceptionBecauseOfAnOldStateIsForgotten() {
    long result =
        threads.run(
            () ->
                heap.transaction(
                    () -> {
                      long ofX = get(x);
                      if (runs.getAndIncrement() == 0) {
                        moveBoth();
                      }
                      if (ofX == 5) {
                        throw new IllegalStateException("five");
                      }
                      return ofX;
                    }));
    assertEquals(2, runs.get());
    assertEquals(6, result);
  }

  @Test
  void anExceptionBecauseOfTheCurrentStateIsTheCallers() {
    IllegalStateException five = new IllegalStateException("five");
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                threads.run(
                    () ->
                        heap.transaction(
                            () -> {
                              runs.getAndIncrement();
                              if (get(x) == 5) {
                                throw five;
                              }
                              return null;
                            })));
    assertSame(five, thrown);
    assertEquals(1, runs.get());
  }

  /** The same on many threads at once, in the middle of each other's commits. */
  @Test
  void underLoad() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService pool = threads.pool(4)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(
            pool.submit(
                () -> {
                  long states = 0;
                  do {
                    heap.transaction(() -> check(get(x), get(y)));
                    heap.read(() -> check(get(y), get(x)));
                    states += 2;
                    ThreadKind.giveWay();
                  } while (!done.get());
                  return states;
                }));
      }
      Future<?> writer =
          pool.submit(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  heap.transaction(
                      () -> {
                        heap.putLong(x, FIELD, get(x) + 1);
                        heap.putLong(y, FIELD, get(y) + 1);
                        return check(get(x), get(y));
                      });
                }
              });
      try {
        writer.get();
      } finally {
        done.set(true);
      }
      for (Future<?> reader : readers) {
        assertTrue((Long) reader.get() >= 2);
      }
    }
    assertEquals(20_005, get(x));
  }

  /**
   * A large object is copied when a transaction first writes to it, which takes longer than a
   * commit of another one.
   */
  @Test
  void aCopyOfAnObjectIsOfOneState() throws Exception {
    int last = 1 << 20;
    long large = heap.transaction(() -> heap.allocate(SHAPE, last + 8));
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService pool = threads.pool(2)) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (long i = 1; !done.get(); i++) {
                  long value = i;
                  heap.transaction(
                      () -> {
                        heap.putLong(large, FIELD, value);
                        heap.putLong(large, last, value);
                        return null;
                      });
                }
              });
      try {
        for (int i = 0; i < 200; i++) {
          heap.transaction(
              () -> {
                heap.putLong(large, last / 2, 1);
                return check(heap.getLong(large, FIELD), heap.getLong(large, last));
              });
        }
      } finally {
        done.set(true);
      }
      writer.get();
    }
  }
}
