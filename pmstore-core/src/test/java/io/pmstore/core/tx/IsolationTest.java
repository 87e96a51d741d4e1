package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The known anomalies, each as the one interleaving that would show it. Their names are those of
 * Adya (1999) and of Berenson et al. (1995).
 */
@ParameterizedClass
@EnumSource
class IsolationTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final List<CommitGate.Step> HOLDING_LOCKS =
      List.of(CommitGate.Step.BEFORE, CommitGate.Step.BEHIND);

  @Parameter ThreadKind threads;

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final long x = object(0);
  private final long y = object(0);
  private final AtomicInteger runs = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    heap.close();
    assertEquals(List.of(), List.copyOf(wrong));
  }

  /**
   * What is wrong inside a transaction is kept outside it: an exception because of a state that is
   * gone would be forgotten.
   */
  private void expect(long expected, long found) {
    if (expected != found) {
      wrong.add("expected " + expected + ", found " + found);
    }
  }

  private long object(long value) {
    return heap.transaction(
        () -> {
          long object = heap.allocate(SHAPE, 16);
          heap.putLong(object, FIELD, value);
          return object;
        });
  }

  private long get(long object) {
    return heap.getLong(object, FIELD);
  }

  private void put(long object, long value) {
    heap.putLong(object, FIELD, value);
  }

  private <T extends @Nullable Object> T transaction(Supplier<T> body) {
    return threads.run(() -> heap.transaction(body::get));
  }

  private void transaction(Runnable body) {
    transaction(
        () -> {
          body.run();
          return null;
        });
  }

  /** Does something the first time that a body runs. */
  private void atFirst(Runnable action) {
    if (runs.getAndIncrement() == 0) {
      action.run();
    }
  }

  private void assertState(long ofX, long ofY) {
    assertArrayEquals(new long[] {ofX, ofY}, new long[] {get(x), get(y)}, "x and y");
  }

  @Test
  void dirtyReadG1b() {
    transaction(
        () -> {
          put(x, 1);
          expect(0, threads.run(() -> get(x)));
          expect(0, transaction(() -> get(x)));
          put(x, 2);
        });
    assertState(2, 0);
  }

  @Test
  void abortedReadG1a() {
    IllegalArgumentException thrown = new IllegalArgumentException();
    assertThrows(
        IllegalArgumentException.class,
        () ->
            transaction(
                () -> {
                  put(x, 1);
                  expect(0, threads.run(() -> get(x)));
                  expect(0, transaction(() -> get(x)));
                  throw thrown;
                }));
    assertState(0, 0);
  }

  @Test
  void dirtyWriteG0() {
    transaction(
        () -> {
          put(x, 1);
          atFirst(
              () ->
                  transaction(
                      () -> {
                        put(x, 2);
                        put(y, 2);
                      }));
          put(y, 1);
        });
    assertEquals(2, runs.get());
    assertState(1, 1);
  }

  @Test
  void circularInformationFlowG1c() {
    long seen =
        transaction(
            () -> {
              put(x, 1);
              atFirst(
                  () ->
                      transaction(
                          () -> {
                            expect(0, get(x));
                            put(y, 1);
                          }));
              return get(y);
            });
    assertEquals(1, seen);
    assertEquals(1, runs.get(), "the second fits before the first");
  }

  @Test
  void fuzzyReadP2() {
    long seen =
        transaction(
            () -> {
              long before = get(x);
              atFirst(() -> transaction(() -> put(x, 1)));
              expect(before, get(x));
              return before;
            });
    assertEquals(runs.get() - 1, seen);
  }

  /** After the first read, those of the same object take a shorter way. */
  @Test
  void whatATransactionHasReadManyTimesIsItsOwnOnceWritten() {
    transaction(
        () -> {
          expect(0, get(x));
          expect(0, get(x));
          put(x, 1);
          expect(1, get(x));
          expect(0, get(y));
          expect(1, get(x));
        });
    assertState(1, 0);
  }

  @Test
  void anObjectIsNewThoughItsPlaceWasReadBefore() {
    List<Long> places = new ArrayList<>();
    threads.run(
        () -> {
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  heap.transaction(
                      () -> {
                        places.add(heap.allocate(SHAPE, 16));
                        throw new IllegalArgumentException();
                      }));
          return heap.transaction(
              () -> {
                long place = places.getFirst();
                long made = 0;
                for (int i = 0; i < 10_000 && made != place; i++) {
                  get(place);
                  made = heap.allocate(SHAPE, 16);
                }
                expect(place, made);
                put(made, 7);
                expect(7, get(made));
                return made;
              });
        });
  }

  @Test
  void aBodyThatGoesOnAfterAConflictReadsNothingMore() {
    long z = object(0);
    AtomicInteger went = new AtomicInteger();
    transaction(
        () -> {
          get(y);
          get(x);
          atFirst(
              () ->
                  transaction(
                      () -> {
                        put(y, 1);
                        put(z, 1);
                      }));
          if (runs.get() == 1) {
            assertThrows(TransactionConflict.class, () -> get(z));
            assertThrows(TransactionConflict.class, () -> get(x));
            went.incrementAndGet();
          }
        });
    assertEquals(1, went.get());
  }

  @Test
  void readSkewA5A() {
    long seen =
        transaction(
            () -> {
              long ofX = get(x);
              atFirst(
                  () ->
                      transaction(
                          () -> {
                            put(x, 1);
                            put(y, 1);
                          }));
              expect(ofX, get(y));
              return ofX;
            });
    assertEquals(runs.get() - 1, seen);
  }

  @Test
  void readSkewOfAReadOnlyOperation() {
    threads.run(
        () ->
            heap.read(
                () -> {
                  long ofX = get(x);
                  atFirst(
                      () ->
                          transaction(
                              () -> {
                                put(x, 1);
                                put(y, 1);
                              }));
                  expect(ofX, get(y));
                  return true;
                }));
  }

  @Test
  void lostUpdateP4() {
    transaction(
        () -> {
          long before = get(x);
          atFirst(() -> transaction(() -> put(x, get(x) + 10)));
          put(x, before + 1);
        });
    assertEquals(2, runs.get());
    assertState(11, 0);
  }

  @Test
  void writeSkewA5B() {
    put(x, 1); // one of the two has to stay
    put(y, 1);
    transaction(
        () -> {
          boolean both = get(x) + get(y) == 2;
          atFirst(
              () ->
                  transaction(
                      () -> {
                        expect(2, get(x) + get(y));
                        put(y, 0);
                      }));
          if (both) {
            put(x, 0);
          }
        });
    assertEquals(2, runs.get());
    assertState(1, 0);
  }

  /**
   * Fekete, O'Neil, O'Neil (2004): without the reader, the other two could be put in an order.
   *
   * <p>Takes 10 from x, and a fee of 1 where x and y together do not have it; meanwhile 20 come to
   * y, and a report shows them before the fee.
   */
  @Test
  void readOnlyTransactionAnomaly() {
    transaction(
        () -> {
          long sum = get(x) + get(y);
          atFirst(
              () -> {
                transaction(() -> put(y, get(y) + 20));
                expect(20, transaction(() -> get(y) - get(x)));
              });
          put(x, get(x) - 10 - (sum < 10 ? 1 : 0));
        });
    assertEquals(2, runs.get());
    assertState(-10, 20);
  }

  /** A phantom over a list of objects: the list's members are counted while one is added. */
  @Test
  void phantomA3() {
    transaction(
        () -> {
          long members = 0;
          for (long at = get(x); at != 0; at = get(at)) {
            members++;
          }
          atFirst(
              () ->
                  transaction(
                      () -> {
                        long member = heap.allocate(SHAPE, 16);
                        put(member, get(x));
                        put(x, member);
                      }));
          put(y, members);
        });
    assertEquals(2, runs.get());
    assertEquals(1, get(y));
  }

  @Test
  void phantomOfACounter() {
    transaction(
        () -> {
          long count = heap.counter(x, FIELD);
          atFirst(() -> transaction(() -> heap.addToCounter(x, FIELD, 1)));
          put(y, count);
        });
    assertEquals(2, runs.get());
    assertState(1, 1);
  }

  @Test
  void thoseWhoOnlyCountDoNotConflict() {
    transaction(
        () -> {
          heap.addToCounter(x, FIELD, 1);
          atFirst(() -> transaction(() -> heap.addToCounter(x, FIELD, 10)));
        });
    assertEquals(1, runs.get());
    assertState(11, 0);
  }

  @Test
  void thoseOnDifferentObjectsDoNotConflict() {
    transaction(
        () -> {
          put(x, get(x) + 1);
          atFirst(() -> transaction(() -> put(y, get(y) + 1)));
        });
    assertEquals(1, runs.get());
    assertState(1, 1);
  }

  /**
   * An object reached by a reference of Java's, not through the heap: half of x went into it, in a
   * transaction that the reader has seen nothing of.
   */
  @Test
  void anObjectMadeMeanwhileComesWithAllThatItsTransactionDid() {
    put(x, 100);
    AtomicReference<@Nullable HeapObject> shared = new AtomicReference<>();
    long sum =
        transaction(
            () -> {
              long ofX = get(x);
              atFirst(
                  () ->
                      transaction(
                          () -> {
                            HeapObject made = heap.newObject(SHAPE, 16);
                            made.putLong(FIELD, 50);
                            put(x, get(x) - 50);
                            shared.set(made);
                          }));
              return ofX + shared.get().getLong(FIELD);
            });
    assertEquals(100, sum);
  }

  @Test
  void aTransactionThatHasEndedIsSeenByAllThatBeginLater() {
    for (int i = 1; i <= 100; i++) {
      int value = i;
      transaction(() -> put(x, value));
      assertEquals(value, transaction(() -> get(x)));
      assertEquals(value, threads.run(() -> get(x)));
    }
  }

  /** What a commit that is under way does to those that meet it. */
  @Test
  void aCommitUnderWayIsNotSeenByHalves() {
    try (CommitGate gate = new CommitGate()) {
      Heap gated = gate.heap();
      long[] pair = gated.transaction(() -> new long[] {gated.allocate(SHAPE, 16), 0});
      pair[1] = gated.transaction(() -> gated.allocate(SHAPE, 16));
      for (CommitGate.Step step : HOLDING_LOCKS) {
        gate.close(step);
        Running<?> writer =
            threads.start(
                () ->
                    gated.transaction(
                        () -> {
                          gated.putLong(pair[0], FIELD, gated.getLong(pair[0], FIELD) + 1);
                          gated.putLong(pair[1], FIELD, gated.getLong(pair[1], FIELD) + 1);
                          return null;
                        }));
        gate.awaitArrival();
        Running<long[]> reader =
            threads.start(
                () ->
                    gated.read(
                        () ->
                            new long[] {
                              gated.getLong(pair[0], FIELD), gated.getLong(pair[1], FIELD)
                            }));
        reader.awaitIn("awaitUnlock");
        assertFalse(reader.isDone());
        gate.open();
        writer.result();
        long expected = step.ordinal() + 1;
        assertArrayEquals(new long[] {expected, expected}, reader.result());
      }
    }
  }

  /**
   * Both have read before either commits, and the first is committing when the second starts to.
   */
  @Test
  void writeSkewOfTwoThatCommitAtOnce() {
    for (CommitGate.Step step : HOLDING_LOCKS) {
      runs.set(0);
      try (CommitGate gate = new CommitGate()) {
        Heap gated = gate.heap();
        long[] duty = new long[2];
        for (int i = 0; i < 2; i++) {
          duty[i] = gated.transaction(() -> gated.allocate(SHAPE, 16));
          gated.putLong(duty[i], FIELD, 1);
        }
        gate.close(step);
        AtomicReference<@Nullable Running<?>> first = new AtomicReference<>();
        Running<?> second =
            threads.start(
                () ->
                    gated.transaction(
                        () -> {
                          if (runs.get() > 0) {
                            gate.open(); // it came to its commit, and did not get through
                          }
                          boolean both =
                              gated.getLong(duty[0], FIELD) + gated.getLong(duty[1], FIELD) == 2;
                          atFirst(
                              () -> {
                                first.set(threads.start(() -> goOffDuty(gated, duty[0], duty[1])));
                                gate.awaitArrival();
                              });
                          if (both) {
                            gated.putLong(duty[1], FIELD, 0);
                          }
                          return null;
                        }));
        second.result();
        gate.open(); // if it did get through
        first.get().result();
        assertEquals(2, runs.get());
        assertEquals(0, gated.getLong(duty[0], FIELD));
        assertEquals(1, gated.getLong(duty[1], FIELD));
      }
    }
  }

  private static @Nullable Void goOffDuty(Heap heap, long mine, long other) {
    return heap.transaction(
        () -> {
          if (heap.getLong(mine, FIELD) + heap.getLong(other, FIELD) == 2) {
            heap.putLong(mine, FIELD, 0);
          }
          return null;
        });
  }
}
