package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.CommitGate.Step;
import io.pmstore.core.tx.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing beside transactions: each is whole, acknowledged and there, or refused and not there. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class CloseTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int THREADS = 8;

  @Parameter ThreadKind threads;

  private static Heap heap(Engine engine, Durability durability) {
    return new Heap(engine, durability, h -> new NoObjects());
  }

  /** Wherever the commit of a transaction stands, closing waits for its acknowledgement. */
  @ParameterizedTest
  @EnumSource
  void closingWaitsForACommitUnderWay(Step step) {
    CommitGate gate = new CommitGate();
    Heap heap = gate.heap();
    long object = heap.transaction(() -> heap.allocate(SHAPE, 16));
    gate.close(step);
    Running<?> commit =
        threads.start(
            () -> {
              heap.putLong(object, FIELD, 1);
              return null;
            });
    gate.awaitArrival();
    Running<?> close =
        threads.start(
            () -> {
              heap.close();
              return null;
            });
    close.awaitIn("pause");
    assertFalse(close.isDone());
    assertThrows(StoreClosedException.class, () -> heap.putLong(object, FIELD, 2));
    assertThrows(StoreClosedException.class, () -> heap.transaction(() -> 1));
    assertThrows(StoreClosedException.class, () -> heap.read(() -> 1));
    gate.open();
    commit.result();
    close.result();
  }

  /** A snapshot that shows a commit is acknowledged when the commit is durable. */
  @Test
  void closingWaitsForTheAcknowledgementOfASnapshot() {
    CommitGate gate = new CommitGate();
    Heap heap = gate.heap();
    long object = heap.transaction(() -> heap.allocate(SHAPE, 16));
    gate.close(Step.SYNC);
    Running<Long> snapshot = threads.start(() -> heap.snapshot(() -> heap.getLong(object, FIELD)));
    gate.awaitArrival();
    Running<?> close =
        threads.start(
            () -> {
              heap.close();
              return null;
            });
    close.awaitIn("pause");
    assertFalse(close.isDone());
    gate.open();
    assertEquals(0, snapshot.result());
    close.result();
  }

  @Test
  void aTransactionThatRunsWhenTheStoreClosesMayStillUseIt() {
    MemoryEngine.Image image = new MemoryEngine.Image();
    Heap heap = heap(new MemoryEngine(image, Long.MAX_VALUE), Durability.SYNC);
    List<Running<?>> close = new ArrayList<>();
    threads.run(
        () ->
            heap.transaction(
                () -> {
                  long object = heap.allocate(SHAPE, 16);
                  close.add(
                      threads.start(
                          () -> {
                            heap.close();
                            return null;
                          }));
                  close.getFirst().awaitIn("pause");
                  // Whatever the body does, transactions of its own included.
                  heap.directory().addCatalogueEntries(List.of(new byte[8]));
                  heap.transaction(
                      () -> {
                        heap.putLong(object, FIELD, 7);
                        return null;
                      });
                  heap.directory().setRoot("root", object);
                  return null;
                }));
    close.getFirst().result();
    Heap again = heap(new MemoryEngine(image, Long.MAX_VALUE), Durability.SYNC);
    assertEquals(7, again.getLong(again.directory().root("root"), FIELD));
    assertEquals(1, again.directory().catalogueEntries().size());
    again.close();
  }

  @Test
  void closingInsideATransactionIsRefusedAndHarmsNothing() {
    Heap heap = heap(new MemoryEngine(), Durability.SYNC);
    threads.run(
        () ->
            heap.transaction(
                () -> {
                  assertThrows(IllegalStateException.class, heap::close);
                  return heap.allocate(SHAPE, 16);
                }));
    heap.close();
    heap.close();
    assertThrows(StoreClosedException.class, () -> heap.transaction(() -> 1));
  }

  /** As many transactions are there after reopening as were acknowledged: not one less or more. */
  @ParameterizedTest
  @EnumSource
  void underLoad(EngineKind engines) throws Exception {
    for (Durability durability :
        List.of(Durability.SYNC, Durability.relaxed(Duration.ofMillis(5)))) {
      try (EngineKind.Opened opened = engines.openNew()) {
        Heap heap = heap(opened.engine(), durability);
        long object = heap.transaction(() -> heap.allocate(SHAPE, 16 + 8 * THREADS));
        AtomicLong acknowledged = new AtomicLong();
        CountDownLatch warm = new CountDownLatch(THREADS * 50);
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService pool = threads.pool(THREADS)) {
          for (int t = 0; t < THREADS; t++) {
            int own = 16 + 8 * t;
            running.add(
                pool.submit(
                    () -> {
                      StoreClosedException closed =
                          assertThrows(
                              StoreClosedException.class,
                              () -> {
                                while (true) {
                                  heap.transaction(
                                      () -> {
                                        heap.addToCounter(object, FIELD, 1);
                                        heap.putLong(object, own, heap.getLong(object, own) + 1);
                                        return heap.allocate(SHAPE, 64);
                                      });
                                  acknowledged.incrementAndGet();
                                  warm.countDown();
                                }
                              });
                      assertTrue(closed.getMessage().contains("closed"), closed.getMessage());
                      return null;
                    }));
          }
          warm.await();
          heap.close();
          assertThrows(StoreClosedException.class, () -> heap.getLong(object, FIELD));
          for (Future<?> future : running) {
            future.get();
          }
        }
        try (Engine again = opened.reopen()) {
          Heap reopened = heap(again, Durability.SYNC);
          assertEquals(acknowledged.get(), reopened.counter(object, FIELD));
          long sum = 0;
          for (int t = 0; t < THREADS; t++) {
            sum += reopened.getLong(object, 16 + 8 * t);
          }
          assertEquals(acknowledged.get(), sum);
        }
      }
    }
  }
}
