package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** When a transaction waits for its barrier, and who asks for it otherwise. */
class RelaxedSyncTest {
  private record Sync(long position, Thread thread, long nanos) {}

  private final MemoryEngine bytes = new MemoryEngine();
  private final LinkedBlockingQueue<Sync> syncs = new LinkedBlockingQueue<>();

  private final List<Boolean> relaxed = Collections.synchronizedList(new ArrayList<>());

  private Heap open(Durability durability) {
    Engine noting =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("sync")) {
                    long position = (long) arguments[0];
                    bytes.sync(position);
                    syncs.add(new Sync(position, Thread.currentThread(), System.nanoTime()));
                    return null;
                  }
                  if (method.getName().equals("commit")) {
                    relaxed.add(((WriteSet) arguments[0]).isRelaxed());
                  }
                  try {
                    return method.invoke(bytes, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new Heap(noting, durability, _ -> new NoObjects());
  }

  @Test
  void aSyncTransactionIsDurableBeforeItReturns() {
    Heap heap = open(Durability.SYNC);
    syncs.clear();
    heap.transaction(() -> heap.allocate(3, 16));
    assertEquals(List.of(bytes.position()), own());
    heap.close();
  }

  private static final Durability FAR = Durability.relaxed(Duration.ofHours(1));

  /** The syncs that the calling thread asked for since the last call. */
  private List<Long> own() {
    List<Sync> all = new ArrayList<>();
    syncs.drainTo(all);
    return all.stream()
        .filter(sync -> sync.thread() == Thread.currentThread())
        .map(Sync::position)
        .toList();
  }

  @Test
  void aRelaxedTransactionIsMadeDurableInTheBackgroundWithoutFurtherCommits() throws Exception {
    Heap heap = open(Durability.relaxed(Duration.ofMillis(20)));
    syncs.clear();
    heap.transaction(() -> heap.allocate(3, 16));
    long committed = bytes.position();
    Sync sync = syncs.poll(60, TimeUnit.SECONDS);
    assertTrue(sync != null, "nobody asked for the sync of commit " + committed);
    assertEquals(committed, sync.position());
    assertTrue(sync.thread() != Thread.currentThread(), "the committing thread waited for it");
    heap.close();
  }

  @Test
  void aTransactionHasTheDurabilityThatItAsksFor() {
    Heap heap = open(FAR);
    own();
    heap.transaction(() -> heap.allocate(3, 16));
    assertEquals(List.of(), own());
    assertTrue(relaxed.getLast(), "the engine knows that nobody waits");
    heap.transaction(Durability.SYNC, () -> heap.allocate(3, 16));
    assertEquals(List.of(bytes.position()), own());
    assertFalse(relaxed.getLast());
    heap.transaction(() -> heap.allocate(3, 16));
    assertTrue(relaxed.getLast());
    heap.close();
  }

  @Test
  void inASyncStoreARelaxedTransactionIsAcknowledgedAtOnceAndDurableInItsBound() throws Exception {
    Heap heap = open(Durability.SYNC);
    syncs.clear();
    heap.transaction(Durability.relaxed(Duration.ofMillis(20)), () -> heap.allocate(3, 16));
    Sync sync = syncs.poll(60, TimeUnit.SECONDS);
    assertTrue(sync != null && sync.position() == bytes.position(), () -> "synced: " + sync);
    assertTrue(sync.thread() != Thread.currentThread(), "the committing thread waited for it");
    heap.close();
  }

  @Test
  void theStrongestOfNestedDurabilitiesCounts() {
    Heap heap = open(FAR);
    own();
    long object = heap.transaction(() -> heap.allocate(3, 32));
    heap.transaction(
        () -> {
          heap.transaction(
              Durability.SYNC,
              () -> {
                heap.putLong(object, 8, 1);
                return 1;
              });
          assertEquals(List.of(), own(), "an inner transaction makes nothing durable");
          heap.transaction(FAR, () -> heap.getLong(object, 8));
          return 1;
        });
    assertEquals(List.of(bytes.position()), own());
    heap.transaction(
        Durability.SYNC,
        () -> {
          heap.putLong(object, 8, 2);
          return heap.transaction(FAR, () -> 1);
        });
    assertEquals(List.of(bytes.position()), own());
    heap.transaction(
        () -> {
          heap.putLong(object, 8, 3);
          return heap.transaction(() -> 1);
        });
    assertEquals(List.of(), own(), "the one before was the last that asked for it");
    heap.close();
  }

  @Test
  void aNestedTransactionThatAsksForNothingLeavesTheOuterAsItIs() {
    Heap heap = open(Durability.SYNC);
    own();
    heap.transaction(
        FAR,
        () -> {
          long object = heap.allocate(3, 16);
          heap.putLong(object, 8, 4);
          return heap.transaction(() -> heap.allocate(3, 16));
        });
    assertEquals(List.of(), own());
    heap.close();
  }

  @Test
  void whatAnEarlierRunOfTheBodyAskedForDoesNotCount() throws Exception {
    Heap heap = open(FAR);
    long object = heap.transaction(() -> heap.allocate(3, 16));
    int[] runs = new int[1];
    own();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      heap.transaction(
          () -> {
            long value = heap.getLong(object, 8);
            if (runs[0]++ == 0) {
              heap.transaction(Durability.SYNC, () -> 1);
              other.submit(() -> heap.putLong(object, 8, 10)).get();
            }
            heap.putLong(object, 8, value + 1);
            return true;
          });
    }
    assertEquals(2, runs[0]);
    assertEquals(11, heap.getLong(object, 8));
    assertEquals(List.of(), own());
    heap.close();
  }

  @Test
  void aSyncReaderWaitsForTheRelaxedTransactionThatItSaw() {
    Heap heap = open(Durability.SYNC);
    long object = heap.transaction(() -> heap.allocate(3, 16));
    heap.transaction(
        FAR,
        () -> {
          heap.putLong(object, 8, 1);
          return 1;
        });
    own();
    heap.transaction(FAR, () -> heap.getLong(object, 8));
    assertEquals(List.of(), own());
    heap.transaction(() -> heap.getLong(object, 8));
    assertEquals(List.of(bytes.position()), own());
    heap.close();
  }

  /** What a thread committed: its position, and when it was acknowledged. */
  private record Acknowledged(long position, long nanos) {}

  @Test
  void underLoadEveryTransactionIsDurableWithinItsBound() throws Exception {
    // Generous, because the machine may be busy; the sync begins when half of it is over.
    Duration bound = Duration.ofSeconds(2);
    Duration longer = Duration.ofSeconds(10);
    Heap heap = open(Durability.relaxed(bound));
    long[] objects =
        heap.transaction(() -> new long[] {heap.allocate(3, 16), heap.allocate(3, 16)});
    LinkedBlockingQueue<Acknowledged> acknowledged = new LinkedBlockingQueue<>();
    syncs.clear();
    long end = System.nanoTime() + Duration.ofMillis(3_000).toNanos();
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      for (long object : objects) {
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; System.nanoTime() - end < 0; i++) {
                    int value = i;
                    heap.transaction(
                        i % 3 == 0 ? Durability.relaxed(longer) : Durability.relaxed(bound),
                        () -> {
                          heap.putLong(object, 8, value);
                          return true;
                        });
                    if (i % 100 == 1) { // the one with the shorter bound
                      acknowledged.add(new Acknowledged(bytes.position(), System.nanoTime()));
                    }
                  }
                }));
      }
    }
    for (Future<?> future : running) {
      future.get();
    }
    Sync last = syncs.poll(60, TimeUnit.SECONDS);
    List<Sync> all = new ArrayList<>();
    while (last != null && last.position() < bytes.position()) {
      all.add(last);
      last = syncs.poll(60, TimeUnit.SECONDS);
    }
    assertTrue(last != null, "the last commits were never made durable");
    all.add(last);
    for (Acknowledged each : acknowledged) {
      Sync first = all.stream().filter(s -> s.position() >= each.position()).findFirst().get();
      long ms = (first.nanos() - each.nanos()) / 1_000_000;
      assertTrue(ms <= bound.toMillis(), "durable after " + ms + " ms, the bound is " + bound);
    }
    // Half the bound passes between two of them, so that they do not come one a commit.
    assertTrue(all.size() <= 3_000 / (bound.toMillis() / 2) + 3, "syncs: " + all.size());
    heap.close();
  }

  @Test
  void aShorterBoundIsNotHeldUpByALongerOne() throws Exception {
    Heap heap = open(FAR);
    heap.transaction(() -> heap.allocate(3, 16));
    syncs.clear();
    heap.transaction(Durability.relaxed(Duration.ofMillis(20)), () -> heap.allocate(3, 16));
    Sync sync = syncs.poll(60, TimeUnit.SECONDS);
    assertTrue(sync != null && sync.position() == bytes.position(), () -> "synced: " + sync);
    heap.close();
  }

  @Test
  void nothingHappensWhileNothingIsPending() throws Exception {
    Heap heap = open(Durability.relaxed(Duration.ofMillis(2)));
    syncs.clear();
    heap.transaction(() -> heap.allocate(3, 16));
    Sync first = syncs.poll(60, TimeUnit.SECONDS);
    assertTrue(first != null && first.position() == bytes.position());
    // Many bounds long: whatever is durable already needs no sync of the background's.
    long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
    while (System.nanoTime() - end < 0) {
      heap.transaction(Durability.SYNC, () -> heap.allocate(3, 16));
      Sync own = syncs.poll();
      assertTrue(own != null && own.thread() == Thread.currentThread(), () -> "synced: " + own);
    }
    assertEquals(null, syncs.poll());
    heap.close();
  }

  /** An engine whose first calls of a method throw, as they do without memory. */
  private static class Failing extends EngineWrapper {
    final AtomicInteger errors = new AtomicInteger();
    final LinkedBlockingQueue<Long> synced = new LinkedBlockingQueue<>();
    volatile long position = 7;

    Failing() {
      super(new MemoryEngine());
    }

    @Override
    public long position() {
      if (errors.getAndDecrement() > 0) {
        throw new Error("no memory"); // an OutOfMemoryError would end JUnit
      }
      return position;
    }

    @Override
    public void sync(long position) {
      if (errors.getAndDecrement() > 0) {
        throw new Error("no memory");
      }
      synced.add(position);
    }
  }

  @Test
  void theThreadGoesOnAfterAnError() throws Exception {
    try (Failing engine = new Failing()) {
      RelaxedSync sync = new RelaxedSync(engine);
      engine.errors.set(3);
      sync.acknowledged(1, Duration.ofMillis(2));
      assertEquals(7L, engine.synced.poll(60, TimeUnit.SECONDS), "nobody made it durable");
      engine.position = 8;
      sync.acknowledged(8, Duration.ofMillis(2));
      assertEquals(8L, engine.synced.poll(60, TimeUnit.SECONDS), "nobody made the next durable");
      sync.close();
    }
  }

  @Test
  void theThreadEndsWithTheEngine() throws Exception {
    Failing engine = new Failing();
    engine.errors.set(Integer.MAX_VALUE);
    AtomicReference<Thread> thread = new AtomicReference<>();
    RelaxedSync sync =
        new RelaxedSync(
            engine,
            work -> {
              thread.set(new Thread(work));
              return thread.get();
            });
    sync.acknowledged(1, Duration.ofMillis(2));
    engine.close();
    assertTrue(thread.get().join(Duration.ofSeconds(60)));
    sync.close();
  }

  @Test
  void withoutAThreadTheTransactionItselfWaits() {
    try (Failing engine = new Failing()) {
      RelaxedSync sync =
          new RelaxedSync(
              engine,
              _ -> {
                throw new OutOfMemoryError("no thread, for a test");
              });
      sync.acknowledged(1, Duration.ofHours(1));
      assertEquals(7L, engine.synced.poll());
      engine.position = 8;
      sync.acknowledged(8, Duration.ofHours(1));
      assertEquals(8L, engine.synced.poll(), "the second one is planned for nobody");
      sync.close();
    }
  }
}
