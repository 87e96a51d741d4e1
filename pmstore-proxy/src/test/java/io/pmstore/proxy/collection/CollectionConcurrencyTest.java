package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads on one collection. */
@Timeout(120)
class CollectionConcurrencyTest {
  private static final int THREADS = 4;

  private final TestStore store = new TestStore();
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

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
    PersistentMap<Integer, Integer> map = store.newMap();
    long seed = Seed.random("threadsOnDifferentKeysLoseNothing").nextLong();
    List<Map<Integer, Integer>> models =
        inThreads(
            thread -> {
              Random random = new Random(seed + thread);
              Map<Integer, Integer> model = new HashMap<>();
              for (int i = 0; i < 20_000; i++) {
                int key = random.nextInt(1500) * THREADS + thread;
                if (random.nextInt(3) > 0) {
                  assertEquals(model.put(key, i), map.put(key, i));
                } else {
                  assertEquals(model.remove(key), map.remove(key));
                }
              }
              return model;
            });
    Map<Integer, Integer> expected = new HashMap<>();
    models.forEach(expected::putAll);
    assertEquals(expected, map);
    assertEquals(expected.size(), map.size());
    TrieCheck.check(store, map);
  }

  /** Reads in another thread, outside of transactions, what a transaction has not committed yet. */
  private <T> T whilePending(Runnable change, Callable<T> read) {
    List<T> result = new ArrayList<>();
    store.in(
        () -> {
          change.run();
          try {
            result.add(pool.submit(read).get());
          } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
          }
        });
    return result.getFirst();
  }

  private void anEntryThatWasReadBeforeACommitIsCurrentAfterIt(Map<Integer, String> map) {
    map.put(1, "old");
    Map.Entry<Integer, String> entry =
        whilePending(() -> map.put(1, "new"), () -> map.entrySet().iterator().next());
    assertEquals("new", entry.getValue());
  }

  private void elementsThatWereReadAheadAreCurrent(
      Collection<Integer> elements, Consumer<Integer> changeOfLast, List<Integer> expected) {
    elements.addAll(List.of(1, 2));
    List<Integer> order = List.copyOf(elements);
    Iterator<Integer> iterator =
        whilePending(
            () -> changeOfLast.accept(order.getLast()),
            () -> {
              Iterator<Integer> begun = elements.iterator();
              assertEquals(order.getFirst(), begun.next());
              return begun;
            });
    List<Integer> rest = new ArrayList<>();
    iterator.forEachRemaining(rest::add);
    assertEquals(expected, rest);
  }

  @Test
  void whatWasReadBeforeACommitIsCurrentAfterIt() {
    anEntryThatWasReadBeforeACommitIsCurrentAfterIt(store.newMap());
    anEntryThatWasReadBeforeACommitIsCurrentAfterIt(store.newLinkedMap());
    anEntryThatWasReadBeforeACommitIsCurrentAfterIt(store.newSortedMap(null));
    anEntryThatWasReadBeforeACommitIsCurrentAfterIt(store.newConcurrentMap());
    List<Integer> list = store.newList();
    elementsThatWereReadAheadAreCurrent(list, last -> list.set(1, 3), List.of(3));
    List<Collection<Integer>> others =
        List.of(store.newSet(), store.newLinkedSet(), store.newSortedSet(null), store.newDeque());
    others.forEach(
        elements -> elementsThatWereReadAheadAreCurrent(elements, elements::remove, List.of()));
  }

  @Test
  void mergingIntoOneKeyLosesNothing() throws Exception {
    PersistentMap<String, Integer> map = store.newMap();
    inThreads(
        thread -> {
          for (int i = 0; i < 2000; i++) {
            map.merge("count", 1, Integer::sum);
          }
          return true;
        });
    assertEquals(THREADS * 2000, map.get("count"));
  }

  @Test
  void transactionsOnDifferentKeysOfALargeMapDoNotConflict() throws Exception {
    PersistentMap<Integer, Integer> map = store.newMap();
    store.in(() -> IntStream.range(0, 10_000).forEach(i -> map.put(i, i)));
    List<Integer> others = new ArrayList<>();
    // Keys that are not in the map, each in another of the 16 nodes below the root.
    HashTrie trie = new HashTrie(store.space, store.space.shapes().trie(CollectionKind.MAP));
    Set<Integer> nodes = new HashSet<>();
    for (int i = 10_000; nodes.size() < 16; i++) {
      if (nodes.add(trie.hash(i) >>> 28)) {
        others.add(i);
      }
    }
    int mine = others.removeFirst();
    AtomicInteger runs = new AtomicInteger();
    store.in(
        () -> {
          runs.incrementAndGet();
          map.put(mine, 0);
          map.remove(0);
          // All of these commit while this transaction is under way.
          try {
            pool.submit(() -> others.forEach(key -> map.put(key, 1))).get();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertEquals(1, runs.get(), "the transaction was run again");
    assertEquals(10_000 - 1 + 16, map.size());
  }

  @Test
  void iterationOutsideTransactionsNeverFailsAndMissesNothingThatStays() throws Exception {
    PersistentMap<Integer, Integer> map = store.newMap();
    int stable = 500;
    store.in(() -> IntStream.range(0, stable).forEach(i -> map.put(i, i)));
    AtomicBoolean done = new AtomicBoolean();
    Random random = Seed.random("iterationOutsideTransactionsNeverFailsAndMissesNothingThatStays");
    Future<?> writer =
        pool.submit(
            () -> {
              while (!done.get() && !Thread.currentThread().isInterrupted()) {
                int key = stable + random.nextInt(2000);
                if (random.nextBoolean()) {
                  map.put(key, -1);
                } else if (random.nextInt(500) > 0) {
                  map.remove(key);
                } else {
                  map.keySet().removeIf(k -> k >= stable);
                }
              }
            });
    for (int round = 0; round < 200; round++) {
      Set<Integer> seen = new HashSet<>();
      for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
        assertTrue(seen.add(entry.getKey()), () -> "twice: " + entry);
        assertEquals(entry.getKey() < stable ? entry.getKey() : -1, entry.getValue());
      }
      assertTrue(seen.containsAll(IntStream.range(0, stable).boxed().toList()));
      assertEquals(stable, map.keySet().stream().filter(key -> key < stable).count());
      List<Integer> snapshot = new ArrayList<>(map.keySet());
      assertEquals(snapshot.size(), Set.copyOf(snapshot).size());
    }
    done.set(true);
    writer.get();
    TrieCheck.check(store, map);
  }

  @Test
  void listIterationOutsideTransactionsNeverFails() throws Exception {
    PersistentList<Integer> list = store.newList();
    AtomicBoolean done = new AtomicBoolean();
    Future<?> writer =
        pool.submit(
            () -> {
              while (!done.get() && !Thread.currentThread().isInterrupted()) {
                for (int i = 0; i < 200; i++) {
                  list.add(i);
                }
                while (list.size() > 3) {
                  list.removeLast();
                }
                list.clear();
              }
            });
    for (int round = 0; round < 2000; round++) {
      int expected = 0;
      for (Iterator<Integer> i = list.iterator(); i.hasNext(); ) {
        assertEquals(expected++, i.next());
      }
      Object[] array = list.toArray();
      for (int i = 0; i < array.length; i++) {
        assertEquals(i, array[i]);
      }
    }
    done.set(true);
    writer.get();
    TreeCheck.check(store, list);
  }

  /** Runs a transaction while, on another thread, others commit; returns how often it ran. */
  private int runsBeside(Runnable body, Runnable others) {
    AtomicInteger runs = new AtomicInteger();
    store.in(
        () -> {
          body.run();
          if (runs.incrementAndGet() == 1) {
            try {
              pool.submit(others).get();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        });
    return runs.get();
  }

  @Test
  void theTwoEndsOfALongDequeDoNotConflict() {
    PersistentDeque<Integer> deque = store.newDeque();
    store.in(() -> IntStream.range(0, 500).forEach(deque::add));
    Runnable produce = () -> IntStream.range(0, 200).forEach(deque::add);
    Runnable consume = () -> IntStream.range(0, 200).forEach(i -> deque.poll());
    assertEquals(1, runsBeside(produce, consume), "a producer beside a consumer");
    assertEquals(500, deque.size());
    assertEquals(1, runsBeside(consume, produce), "a consumer beside a producer");
    assertEquals(500, deque.size());
    assertEquals(2, runsBeside(() -> deque.add(1), () -> deque.add(2)), "two producers");
    assertEquals(1, deque.getLast());
    assertEquals(502, deque.size());
    DequeCheck.check(store, deque);
  }

  @Test
  void aQueueBetweenThreadsGivesEachElementOnce() throws Exception {
    PersistentDeque<Integer> queue = store.newDeque();
    int each = 3000;
    AtomicInteger taken = new AtomicInteger();
    List<List<Integer>> parts =
        inThreads(
            thread -> {
              List<Integer> got = new ArrayList<>();
              if (thread < THREADS / 2) {
                for (int i = 0; i < each; i++) {
                  queue.add(i * 2 + thread);
                }
                return got;
              }
              while (taken.get() < each * THREADS / 2) {
                Integer element = queue.poll();
                if (element != null) {
                  got.add(element);
                  taken.incrementAndGet();
                } else {
                  Thread.onSpinWait();
                }
              }
              return got;
            });
    Set<Integer> all = new HashSet<>();
    for (List<Integer> part : parts) {
      int[] last = {-1, -1};
      for (int element : part) {
        assertTrue(all.add(element), () -> "twice: " + element);
        assertTrue(element > last[element % 2], "the order of one producer");
        last[element % 2] = element;
      }
    }
    assertEquals(each * THREADS / 2, all.size());
    assertTrue(queue.isEmpty());
    DequeCheck.check(store, queue);
  }

  @Test
  void dequeIterationOutsideTransactionsNeverFailsAndMissesNothingThatStays() throws Exception {
    PersistentDeque<Integer> deque = store.newDeque();
    // Multiples of 10 stay; what else there is comes and goes, at the ends and in the middle.
    int stable = 300;
    store.in(() -> IntStream.range(0, stable).forEach(i -> deque.add(i * 10)));
    AtomicBoolean done = new AtomicBoolean();
    Random random =
        Seed.random("dequeIterationOutsideTransactionsNeverFailsAndMissesNothingThatStays");
    Future<?> writer =
        pool.submit(
            () -> {
              while (!done.get() && !Thread.currentThread().isInterrupted()) {
                int n = random.nextInt(100);
                for (int i = 1; i < n; i++) {
                  deque.addLast(stable * 10 + i % 10);
                  deque.addFirst(-i);
                }
                store.in(() -> deque.removeIf(i -> i < 0 || i >= stable * 10));
              }
            });
    for (int round = 0; round < 300; round++) {
      boolean backwards = random.nextBoolean();
      int expected = backwards ? stable - 1 : 0;
      for (Iterator<Integer> i = backwards ? deque.descendingIterator() : deque.iterator();
          i.hasNext(); ) {
        int element = i.next();
        if (element >= 0 && element < stable * 10) {
          assertEquals(expected * 10, element);
          expected += backwards ? -1 : 1;
        }
      }
      assertEquals(backwards ? -1 : stable, expected);
    }
    done.set(true);
    writer.get();
    DequeCheck.check(store, deque);
  }

  @Test
  void anIteratorWhoseChunkIsTakenOutGoesOnBehindIt() throws Exception {
    int size = 250;
    for (int k = 0; k < size; k += 7) {
      for (boolean backwards : new boolean[] {false, true}) {
        PersistentDeque<Integer> deque = store.newDeque();
        store.in(() -> IntStream.range(0, size).forEach(deque::add));
        Iterator<Integer> i = backwards ? deque.descendingIterator() : deque.iterator();
        for (int seen = 0; seen < k; seen++) {
          assertEquals(backwards ? size - 1 - seen : seen, i.next());
        }
        int from = backwards ? size - 1 - k - 40 : k - 40;
        pool.submit(() -> deque.removeIf(e -> e >= from && e < from + 80)).get();
        List<Integer> rest = new ArrayList<>();
        i.forEachRemaining(rest::add);
        List<Integer> expected = new ArrayList<>();
        for (int e = backwards ? from - 1 : from + 80;
            e >= 0 && e < size;
            e += backwards ? -1 : 1) {
          expected.add(e);
        }
        assertEquals(expected, rest, "after " + k + (backwards ? " backwards" : ""));
      }
    }
  }

  @Test
  void transactionsOnDifferentElementsOfALargeSetDoNotConflict() {
    PersistentSet<Integer> set = store.newSet();
    store.in(() -> IntStream.range(0, 10_000).forEach(set::add));
    HashTrie trie = new HashTrie(store.space, store.space.shapes().trie(CollectionKind.SET));
    Map<Integer, Integer> byNode = new HashMap<>();
    for (int i = 10_000; byNode.size() < 16; i++) {
      byNode.putIfAbsent(trie.hash(i) >>> 28, i);
    }
    List<Integer> elements = new ArrayList<>(byNode.values());
    int mine = elements.removeFirst();
    assertEquals(1, runsBeside(() -> set.add(mine), () -> elements.forEach(set::add)));
    assertEquals(10_016, set.size());
    TrieCheck.check(store, set);
  }

  @Test
  void appendingThreadsLoseNothing() throws Exception {
    PersistentList<Integer> list = store.newList();
    inThreads(
        thread -> {
          for (int i = 0; i < 2000; i++) {
            list.add(i * THREADS + thread);
          }
          return true;
        });
    assertEquals(THREADS * 2000, list.size());
    @Nullable Integer[] last = new @Nullable Integer[THREADS];
    for (int value : list) {
      Integer before = last[value % THREADS];
      assertEquals(before == null ? value % THREADS : before + THREADS, value);
      last[value % THREADS] = value;
    }
    TreeCheck.check(store, list);
  }
}
