package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.history.Attempt;
import io.pmstore.core.tx.history.Event;
import io.pmstore.core.tx.history.HistoryCheck;
import io.pmstore.core.tx.history.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What many threads saw in random transactions is strictly serializable, failed attempts included.
 *
 * <p>{@code -Dpmstore.history.transactions} makes it longer.
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
@Timeout(300)
class HistoryTest {
  private static final int SHAPE = 3;
  private static final int THREADS = 6;
  private static final int TRANSACTIONS = Integer.getInteger("pmstore.history.transactions", 600);
  // At any time threads work on a window of objects, which moves on, so that none grows too long.
  private static final int WINDOW = 6;
  private static final int TRANSACTIONS_PER_OBJECT = 20;
  private static final int OBJECTS = TRANSACTIONS * THREADS / TRANSACTIONS_PER_OBJECT + WINDOW;

  private static final int FIELD = 8;
  private static final int SLOTS = 400;

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Parameter(0)
  ThreadKind threads;

  @Parameter(1)
  EngineKind engines;

  private EngineKind.Opened opened;
  private Heap heap;
  private final long[] objects = new long[OBJECTS];
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicLong elements = new AtomicLong();
  private final AtomicInteger[] bits = new AtomicInteger[OBJECTS];

  @BeforeEach
  void open() throws Exception {
    opened = engines.openNew();
    heap = new Heap(opened.engine(), Durability.SYNC, h -> new NoObjects());
    for (int i = 0; i < OBJECTS; i++) {
      bits[i] = new AtomicInteger();
      int size = Kind.of(i) == Kind.ARRAY ? 16 + 8 * SLOTS : 16;
      objects[i] = heap.transaction(() -> heap.allocate(SHAPE, size));
    }
  }

  @AfterEach
  void close() throws Exception {
    heap.close();
    opened.close();
  }

  /** How an object keeps its elements. */
  private enum Kind {
    /** A word that refers to nodes, the newest first: additions make objects. */
    LINKED,
    /** A number of elements, and the elements: additions change two places of one object. */
    ARRAY,
    /** A counter, one bit an element: additions conflict with reads only. */
    COUNTER;

    static Kind of(int object) {
      return values()[object % 3];
    }
  }

  private String name(int object) {
    return Kind.of(object) + " " + object;
  }

  private void add(Recorder recorder, int object) {
    long at = objects[object];
    long element = elements.incrementAndGet();
    switch (Kind.of(object)) {
      case LINKED -> {
        long node = heap.allocate(SHAPE, 24);
        heap.putLong(node, 8, element);
        heap.putLong(node, 16, heap.getLong(at, FIELD));
        heap.putLong(at, FIELD, node);
      }
      case ARRAY -> {
        int length = (int) heap.getLong(at, FIELD);
        heap.putLong(at, 16 + 8 * length, element);
        heap.putLong(at, FIELD, length + 1);
      }
      case COUNTER -> {
        element = bits[object].getAndIncrement();
        if (element >= Long.SIZE) {
          return; // attempts that failed have used them up
        }
        heap.addToCounter(at, FIELD, 1L << element);
      }
    }
    recorder.did(new Event.Added(name(object), element));
  }

  private void read(Recorder recorder, int object) {
    long at = objects[object];
    List<Long> read = new ArrayList<>();
    switch (Kind.of(object)) {
      case LINKED -> {
        for (long node = heap.getLong(at, FIELD); node != 0; node = heap.getLong(node, 16)) {
          read.addFirst(heap.getLong(node, 8));
        }
      }
      case ARRAY -> {
        long length = heap.getLong(at, FIELD);
        for (int i = 0; i < length; i++) {
          read.add(heap.getLong(at, 16 + 8 * i));
        }
      }
      case COUNTER -> {
        long word = heap.counter(at, FIELD);
        for (int bit = 0; bit < Long.SIZE; bit++) {
          if ((word >>> bit & 1) != 0) {
            read.add((long) bit);
          }
        }
      }
    }
    recorder.did(new Event.Read(name(object), read, Kind.of(object) != Kind.COUNTER));
  }

  /** One transaction: what it does is fixed before its first attempt. */
  private void transaction(Recorder recorder, Random random) {
    int first = begun.getAndIncrement() / TRANSACTIONS_PER_OBJECT;
    int kind = random.nextInt(10);
    int steps = random.nextInt(1, 6);
    int[] object = random.ints(steps, first, first + WINDOW).toArray();
    boolean[] adds = new boolean[steps];
    boolean[] yields = new boolean[steps];
    boolean[] inner = new boolean[steps];
    for (int i = 0; i < steps; i++) {
      adds[i] = kind > 2 && random.nextBoolean();
      yields[i] = random.nextBoolean();
      inner[i] = random.nextInt(4) == 0;
    }
    Runnable body =
        () -> {
          recorder.begin();
          for (int i = 0; i < steps; i++) {
            int one = i;
            if (inner[i]) {
              heap.transaction(() -> step(recorder, object[one], adds[one]));
            } else {
              step(recorder, object[i], adds[i]);
            }
            if (yields[i]) {
              Thread.yield();
            }
          }
          if (kind == 9) {
            throw new RollBack();
          }
        };
    try {
      if (kind == 0) {
        heap.read(() -> done(body));
      } else {
        heap.transaction(() -> done(body));
      }
      recorder.committed();
    } catch (RollBack expected) {
      recorder.rolledBack();
    }
  }

  private Object step(Recorder recorder, int object, boolean adds) {
    if (adds) {
      add(recorder, object);
    } else {
      read(recorder, object);
    }
    return this;
  }

  private static Object done(Runnable body) {
    body.run();
    return body;
  }

  @Test
  void randomTransactionsAreStrictlySerializable() throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("HistoryTest: -Dpmstore.seed=" + seed);
    List<Attempt> history = new ArrayList<>();
    try (ExecutorService pool = threads.pool(THREADS)) {
      List<Future<Recorder>> parts = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed + t);
        Recorder recorder = new Recorder("thread " + t);
        parts.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < TRANSACTIONS; i++) {
                    transaction(recorder, random);
                  }
                  return recorder;
                }));
      }
      for (Future<Recorder> part : parts) {
        history.addAll(part.get().attempts());
      }
    }
    Recorder end = new Recorder("the end");
    heap.read(
        () -> {
          end.begin();
          for (int i = 0; i < OBJECTS; i++) {
            read(end, i);
          }
          return true;
        });
    end.committed();
    history.addAll(end.attempts());
    assertTrue(history.size() > THREADS * TRANSACTIONS + 1, "no attempt ever failed");
    assertEquals(List.of(), HistoryCheck.check(history));
  }
}
