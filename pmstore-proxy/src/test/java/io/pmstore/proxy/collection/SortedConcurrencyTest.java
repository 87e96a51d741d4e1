package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads on one sorted collection. */
@Timeout(120)
class SortedConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ENTRIES = 10_000;

  private final TestStore store = new TestStore();
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
  private final PersistentSortedMap<Integer, Integer> map = store.newSortedMap(null);
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  /** A thread's part of a test. */
  private interface Part<T> {
    T run(int thread) throws Exception;
  }

  private <T> List<T> inThreads(Part<T> part) throws Exception {
    List<Callable<T>> calls =
        IntStream.range(0, THREADS).<Callable<T>>mapToObj(i -> () -> part.run(i)).toList();
    List<T> results = new ArrayList<>();
    for (Future<T> future : pool.invokeAll(calls)) {
      results.add(future.get());
    }
    return results;
  }

  @Test
  void threadsOnDifferentKeysLoseNothing() throws Exception {
    long seed = Seed.random("threadsOnDifferentKeysLoseNothing").nextLong();
    List<Map<Integer, Integer>> models =
        inThreads(
            thread -> {
              Random random = new Random(seed + thread);
              TreeMap<Integer, Integer> model = new TreeMap<>();
              for (int i = 0; i < 10_000; i++) {
                int key = random.nextInt(1500) * THREADS + thread;
                // Growing and shrinking in turn, so that nodes split and merge.
                if (random.nextInt(10) < (i / 2500 % 2 == 0 ? 8 : 2)) {
                  assertEquals(model.put(key, i), map.put(key, i));
                } else {
                  assertEquals(model.remove(key), map.remove(key));
                }
              }
              return model;
            });
    TreeMap<Integer, Integer> expected = new TreeMap<>();
    models.forEach(expected::putAll);
    assertEquals(expected.size(), map.size());
    assertEquals(new ArrayList<>(expected.entrySet()), new ArrayList<>(map.entrySet()));
    SortedCheck.check(store, map);
  }

  /** Puts the even keys in a random order, so that leaves have room. */
  private void fill() {
    List<Integer> keys = new ArrayList<>(IntStream.range(0, ENTRIES).mapToObj(i -> 2 * i).toList());
    Collections.shuffle(keys, Seed.random("SortedConcurrencyTest"));
    store.in(() -> keys.forEach(key -> map.put(key, key)));
  }

  /** The first odd key from one on whose leaf has room, so that putting it splits nothing. */
  private int withRoom(int key) {
    SortedTree tree = map.contents().tree();
    return store.heap.read(
        () -> {
          int at = key | 1;
          while (true) {
            long leaf = tree.locate(at).leaf();
            if (tree.nodes().fill(leaf) < SortedShapes.LEAF_CAPACITY_MAX) {
              return at;
            }
            at += 2;
          }
        });
  }

  private void putInAnotherThread(List<Integer> keys) {
    try {
      pool.submit(() -> keys.forEach(key -> map.put(key, 1))).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void transactionsOnKeysFarApartDoNotConflict() {
    fill();
    List<Integer> others = new ArrayList<>();
    for (int i = 1; i < 16; i++) {
      others.add(withRoom(2 * ENTRIES / 16 * i));
    }
    int mine = withRoom(0);
    store.in(
        () -> {
          runs.incrementAndGet();
          map.put(mine, 0);
          map.put(0, 7);
          assertEquals(7, map.firstEntry().getValue());
          putInAnotherThread(others); // commits while this transaction is under way
        });
    assertEquals(1, runs.get(), "the transaction was run again");
    assertEquals(ENTRIES + 16, map.size());
    SortedCheck.check(store, map);
  }

  /** How often a transaction runs that reads a range while another puts a key. */
  private int runsOfReader(NavigableMap<Integer, Integer> range, int key) {
    runs.set(0);
    List<Integer> sizes = new ArrayList<>();
    store.in(
        () -> {
          int size = new ArrayList<>(range.keySet()).size();
          if (runs.getAndIncrement() == 0) {
            putInAnotherThread(List.of(key));
          }
          assertEquals(size, range.size());
          sizes.add(size);
          map.put(-1, size); // a transaction that only reads may be put before the other
        });
    assertEquals(map.get(-1), sizes.getLast());
    map.remove(-1);
    return runs.get();
  }

  @Test
  void aRangeReadDependsOnItsRangeOnly() {
    fill();
    NavigableMap<Integer, Integer> range = map.subMap(5000, true, 6000, false);
    int inside = withRoom(5500);
    assertEquals(2, runsOfReader(range, inside), "a key came into the range");
    assertEquals(2, runsOfReader(range.descendingMap(), withRoom(inside + 2)));
    assertEquals(1, runsOfReader(range, withRoom(8000)), "a key came far behind it");
    assertEquals(1, runsOfReader(range.descendingMap(), withRoom(2000)), "and far before it");
    NavigableMap<Integer, Integer> none = map.subMap(5501, true, 5501, true);
    map.remove(5501);
    assertEquals(2, runsOfReader(none, 5501), "an empty range got a key");
  }

  @Test
  void iterationOutsideTransactionsNeverFailsAndMissesNothingThatStays() throws Exception {
    int stable = 500;
    store.in(() -> IntStream.range(0, stable).forEach(i -> map.put(10 * i, i)));
    AtomicBoolean done = new AtomicBoolean();
    Random random = Seed.random("iterationOutsideTransactionsNeverFailsAndMissesNothingThatStays");
    Future<?> writer =
        pool.submit(
            () -> {
              while (!done.get() && !Thread.currentThread().isInterrupted()) {
                int key = random.nextInt(10 * stable);
                if (key % 10 == 0) {
                  continue;
                }
                if (random.nextBoolean()) {
                  map.put(key, -1);
                } else if (random.nextInt(500) > 0) {
                  map.remove(key);
                } else {
                  map.subMap(key, key + 1000).keySet().removeIf(k -> k % 10 > 0);
                }
              }
            });
    for (int round = 0; round < 100; round++) {
      for (NavigableMap<Integer, Integer> view : List.of(map, map.descendingMap())) {
        Set<Integer> seen = new HashSet<>();
        Integer last = null;
        for (Map.Entry<Integer, Integer> entry : view.entrySet()) {
          int key = entry.getKey();
          assertTrue(last == null || (view == map ? last < key : last > key), "order");
          last = key;
          assertEquals(key % 10 == 0 ? key / 10 : -1, entry.getValue());
          seen.add(key);
        }
        assertTrue(seen.containsAll(IntStream.range(0, stable).mapToObj(i -> 10 * i).toList()));
      }
      Object[] keys = map.keySet().toArray();
      assertEquals(keys.length, new HashSet<>(List.of(keys)).size());
    }
    done.set(true);
    writer.get();
    SortedCheck.check(store, map);
  }
}
