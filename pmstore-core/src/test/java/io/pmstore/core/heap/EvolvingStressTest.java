package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.ParallelEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads read and upgrade the same objects, which come in pairs that always have the same state:
 * whoever sees both sees that, and nobody sees a state again that is older than one seen before.
 */
class EvolvingStressTest {
  private static final int ROUNDS = 40;
  private static final int PAIRS = 8;
  private static final int WRITERS = 2;
  private static final int WRITES = 40;
  private static final int READERS = 2;

  private final ParallelEngine engine = new ParallelEngine();

  /** The two handles of a pair, which all threads share. */
  private record Pair(HeapObject one, HeapObject other) {}

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readersBesideUpgraders(boolean inPlace) throws Exception {
    Layout current = inPlace ? Layout.PERMUTED : Layout.LARGER;
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("EvolvingStressTest: -Dpmstore.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Heap heap = new Heap(engine, Durability.SYNC, h -> new EvolvingLayer(h, current));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int round = 0; round < ROUNDS; round++) {
        round(heap, current, random.split(), threads);
      }
    } finally {
      heap.close();
    }
  }

  private static void round(
      Heap heap, Layout current, SplittableRandom random, ExecutorService threads)
      throws Exception {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      pairs.add(new Pair(oldObject(heap, current), oldObject(heap, current)));
    }
    CyclicBarrier start = new CyclicBarrier(WRITERS + READERS);
    AtomicInteger writing = new AtomicInteger(WRITERS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      SplittableRandom choices = random.split();
      running.add(
          threads.submit(
              () -> {
                start.await();
                for (int n = 0; n < WRITES; n++) {
                  increment(heap, current, pairs.get(choices.nextInt(PAIRS)));
                }
                writing.decrementAndGet();
                return true;
              }));
    }
    for (int i = 0; i < READERS; i++) {
      SplittableRandom choices = random.split();
      running.add(
          threads.submit(
              () -> {
                start.await();
                long[] newest = new long[PAIRS];
                do {
                  int pair = choices.nextInt(PAIRS);
                  long seen = look(heap, current, pairs.get(pair), choices.nextInt(5));
                  assertTrue(seen >= newest[pair], seen + " after " + newest[pair]);
                  newest[pair] = seen;
                } while (writing.get() > 0);
                return true;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    long writes = 0;
    for (Pair pair : pairs) {
      writes += current.read(pair.one);
      assertEquals(current.read(pair.one), current.read(pair.other));
      if (current.read(pair.one) > 0) {
        assertFalse(pair.one.isEvolving() || pair.other.isEvolving());
      }
    }
    assertEquals(WRITERS * WRITES, writes);
  }

  private static HeapObject oldObject(Heap heap, Layout current) {
    long home = heap.transaction(() -> Layout.FIRST.create(heap, 0));
    return heap.evolving(home, current.shapeId());
  }

  private static void increment(Heap heap, Layout current, Pair pair) {
    heap.transaction(
        () -> {
          long number = current.read(pair.one) + 1;
          current.write(pair.one, number);
          current.write(pair.other, number);
          return true;
        });
  }

  /** Reads a pair in one of several ways; returns its state. */
  private static long look(Heap heap, Layout current, Pair pair, int way) {
    return switch (way) {
      case 0 -> heap.transaction(() -> both(current, pair));
      case 1 -> heap.snapshot(() -> both(current, pair));
      case 2 -> heap.read(() -> both(current, pair));
      case 3 -> {
        // Several words, of one state.
        String text = (String) pair.other.getObject(8, 0);
        long number = Long.parseLong(text.split(" ")[Layout.Field.LONG.ordinal()]);
        assertEquals(EvolvingLayer.text(number), text);
        yield number;
      }
      default -> current.read(pair.one, Layout.Field.LONG);
    };
  }

  private static long both(Layout current, Pair pair) {
    long number = current.read(pair.one);
    assertEquals(number, current.read(pair.other));
    return number;
  }
}
