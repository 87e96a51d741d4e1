package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What {@link Engine} asks of its caller: write sets that are committed at the same time do not
 * overlap, whether by what was written, counted or allocated.
 */
class DisjointCommitsTest {
  private static final int SHAPE = 3;
  private static final int STRIPES = 16; // threads whose ids differ by this share chunks

  private final WatchfulEngine engine = new WatchfulEngine();
  private final Heap heap = new Heap(engine, Durability.SYNC, _ -> new NoObjects());

  @AfterEach
  void close() {
    heap.close();
  }

  /** An engine in memory that finds words which two commits change at the same time. */
  private static final class WatchfulEngine extends EngineWrapper {
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger insideMax = new AtomicInteger();
    final AtomicReference<String> overlap = new AtomicReference<>();
    volatile Runnable whileInside = Thread::yield;

    private final ConcurrentHashMap<Long, Thread> changing = new ConcurrentHashMap<>();

    WatchfulEngine() {
      super(new MemoryEngine());
    }

    @Override
    public long commit(WriteSet writes) {
      Set<Long> words = new HashSet<>();
      writes.forEachDelta(words::add);
      writes.forEachRange(
          (address, _, _, length) -> {
            for (int i = 0; i < length; i += 8) {
              words.add(address + i);
            }
          });
      for (long word : words) {
        Thread other = changing.putIfAbsent(word, Thread.currentThread());
        if (other != null) {
          overlap.set("%s and %s change %d".formatted(other, Thread.currentThread(), word));
        }
      }
      insideMax.accumulateAndGet(inside.incrementAndGet(), Math::max);
      try {
        whileInside.run();
        return super.commit(writes);
      } finally {
        inside.decrementAndGet();
        words.forEach(word -> changing.remove(word, Thread.currentThread()));
      }
    }
  }

  private long newObject() {
    return heap.transaction(() -> heap.allocate(SHAPE, 64));
  }

  /**
   * Runs one body on two threads, and keeps the one that commits first in the engine until the
   * other is there too, or waits for it. Returns how many were in the engine together.
   */
  private int together(Runnable body, boolean sameStripe) throws Exception {
    FutureTask<?> first = new FutureTask<>(body, null);
    FutureTask<?> second = new FutureTask<>(body, null);
    Thread a = new Thread(first);
    Thread b;
    do {
      b = new Thread(second);
    } while ((b.threadId() - a.threadId()) % STRIPES == 0 != sameStripe);
    Thread other = b;
    engine.insideMax.set(0);
    engine.whileInside =
        () -> {
          if (Thread.currentThread() == a) {
            other.start();
            while (engine.insideMax.get() < 2 && other.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
          }
        };
    a.start();
    first.get();
    second.get();
    engine.whileInside = Thread::yield;
    return engine.insideMax.get();
  }

  @Test
  void additionsToOneCounterWaitForEachOther() throws Exception {
    long object = newObject();
    Runnable body = () -> heap.transaction(() -> add(object, 8));
    assertEquals(1, together(body, false));
    assertEquals(2, heap.counter(object, 8));
  }

  private @Nullable Void add(long object, int offset) {
    heap.addToCounter(object, offset, 1);
    return null;
  }

  @Test
  void allocationsInOneChunkWaitForEachOther() throws Exception {
    Runnable body = () -> heap.transaction(() -> heap.allocate(SHAPE, 64));
    assertEquals(1, together(body, true));
  }

  @Test
  void whatIsDisjointDoesNotWait() throws Exception {
    long object = newObject();
    AtomicInteger turn = new AtomicInteger();
    Runnable body =
        () -> {
          int offset = 8 * turn.incrementAndGet();
          heap.transaction(() -> add(object, offset));
        };
    assertNotEquals(LockTable.index(object + 8), LockTable.index(object + 16));
    assertEquals(2, together(body, false));
  }

  @Test
  void noTwoCommitsOverlapWhateverTheyDo() throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("DisjointCommitsTest: -Dpmstore.seed=" + seed);
    long[] objects = new long[8];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = newObject();
    }
    int threads = 6;
    int rounds = 3_000;
    AtomicInteger additions = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        SplittableRandom random = new SplittableRandom(seed + t);
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    long object = objects[random.nextInt(objects.length)];
                    long other = objects[random.nextInt(objects.length)];
                    int size = 16 << random.nextInt(4);
                    AtomicBoolean adds = new AtomicBoolean(random.nextBoolean());
                    heap.transaction(
                        () -> {
                          heap.putLong(object, 48, heap.allocate(SHAPE, size));
                          if (adds.get()) {
                            heap.addToCounter(other, 8, 1);
                          }
                          return null;
                        });
                    additions.addAndGet(adds.get() ? 1 : 0);
                  }
                }));
      }
    }
    for (Future<?> future : running) {
      future.get();
    }
    assertEquals(null, engine.overlap.get());
    assertTrue(engine.insideMax.get() > 1, "no two commits were in the engine together");
    long counted = 0;
    for (long object : objects) {
      counted += heap.counter(object, 8);
    }
    assertEquals(additions.get(), counted);
  }
}
