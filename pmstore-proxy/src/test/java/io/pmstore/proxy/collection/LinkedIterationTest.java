package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Iterations over linked maps and sets during changes, and the costs of operations at their ends.
 */
class LinkedIterationTest {
  private final MeteringEngine engine = new MeteringEngine();
  private final TestStore store = new TestStore(engine);

  private PersistentLinkedSet<Integer> setOf(int size) {
    PersistentLinkedSet<Integer> set = store.newLinkedSet();
    for (int from = 0; from < size; from += 10_000) {
      IntStream elements = IntStream.range(from, Math.min(size, from + 10_000));
      store.in(() -> elements.forEach(set::add));
    }
    return set;
  }

  private static void byAnotherThread(Runnable body) {
    Thread thread = Thread.ofVirtual().start(body);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Another thread removes, adds and moves elements between the steps of an iteration: those that
   * keep their place come once, in their order.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void elementsThatKeepTheirPlaceComeOnceAndInOrder(boolean forwards) {
    Random random = Seed.random("LinkedIterationTest " + forwards);
    for (int round = 0; round < 40; round++) {
      int size = 1 + random.nextInt(600);
      PersistentLinkedSet<Integer> set = setOf(size);
      LinkedHashSet<Integer> kept = new LinkedHashSet<>(set);
      List<Integer> seen = new ArrayList<>();
      // The start of what is ahead, or anything: so that all that an iterator knows is gone.
      int span = random.nextInt(300);
      for (Iterator<Integer> i = (forwards ? set : set.reversed()).iterator(); i.hasNext(); ) {
        seen.add(i.next());
        if (random.nextInt(12) == 0) {
          int at = forwards ? seen.size() : size - seen.size();
          int first = Math.max(0, at - random.nextInt(span + 1));
          List<Integer> some =
              IntStream.range(first, Math.min(size, first + span))
                  .boxed()
                  .filter(element -> random.nextInt(4) > 0)
                  .toList();
          int what = random.nextInt(3);
          byAnotherThread(() -> some.forEach(element -> change(set, what, element)));
          kept.removeAll(some);
        }
      }
      seen.retainAll(kept);
      List<Integer> expected = new ArrayList<>(kept);
      assertEquals(forwards ? expected : expected.reversed(), seen);
      TrieCheck.check(store, set);
    }
  }

  /** What comes behind a gap may have smaller numbers than what was there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void elementsThatAreAddedBehindAGapAreNoDamage(boolean forwards) {
    PersistentLinkedSet<Integer> set = setOf(200);
    int rest = forwards ? 199 : 0;
    set.removeIf(
        element -> forwards ? element >= 8 && element < 199 : element < 192 && element > 0);
    List<Integer> seen = new ArrayList<>();
    for (Iterator<Integer> i = (forwards ? set : set.reversed()).iterator(); i.hasNext(); ) {
      seen.add(i.next());
      if (seen.size() == 8) {
        byAnotherThread(
            () -> {
              set.remove(rest);
              for (int added = 200; added < 240; added++) {
                change(set, forwards ? 1 : 0, added);
              }
            });
      }
    }
    assertEquals(48, seen.size());
    assertEquals(List.copyOf(forwards ? set : set.reversed()), seen);
  }

  private static void change(PersistentLinkedSet<Integer> set, int what, int element) {
    switch (what) {
      case 0 -> set.addFirst(element);
      case 1 -> set.addLast(element);
      default -> set.remove(element);
    }
  }

  @Test
  void aThreadThatChangesTheOrderWhileItIteratesIsTold() {
    List<Consumer<PersistentLinkedMap<Integer, Integer>>> changes =
        List.of(
            map -> map.put(100, 1),
            map -> map.putFirst(5, 1),
            map -> map.putLast(5, 1),
            map -> map.pollLastEntry(),
            map -> map.reversed().remove(7),
            map -> map.sequencedValues().removeFirst());
    List<Consumer<PersistentLinkedMap<Integer, Integer>>> others =
        List.of(
            map -> map.put(5, 2), map -> map.putFirst(0, 2), map -> map.reversed().putFirst(9, 2));
    for (Consumer<PersistentLinkedMap<Integer, Integer>> change : changes) {
      PersistentLinkedMap<Integer, Integer> map = store.newLinkedMap();
      IntStream.range(0, 10).forEach(i -> map.put(i, i));
      Iterator<Integer> keys = map.keySet().iterator();
      Iterator<Integer> back = map.reversed().values().iterator();
      keys.next();
      back.next();
      change.accept(map);
      assertThrows(ConcurrentModificationException.class, keys::next);
      assertThrows(ConcurrentModificationException.class, back::next);
    }
    for (Consumer<PersistentLinkedMap<Integer, Integer>> other : others) {
      PersistentLinkedMap<Integer, Integer> map = store.newLinkedMap();
      IntStream.range(0, 10).forEach(i -> map.put(i, i));
      Iterator<Integer> keys = map.keySet().iterator();
      keys.next();
      other.accept(map);
      assertEquals(1, keys.next());
    }
  }

  @Test
  void operationsOnALargeSetLogLittle() {
    PersistentLinkedSet<Integer> set = setOf(30_000);
    engine.reset();
    for (int i = 30_000; i < 32_000; i++) {
      set.add(i);
      set.addFirst(-i);
    }
    assertTrue(engine.largest() <= 1000, () -> engine.largest() + " bytes for an insertion");
    engine.reset();
    for (int i = 0; i < 2_000; i++) {
      set.removeFirst();
      set.remove(25_000 + i);
      set.addLast(20_000 + i);
    }
    assertTrue(engine.largest() <= 500, () -> engine.largest() + " bytes to remove or move one");
    engine.reset();
    set.clear();
    assertTrue(engine.largest() <= 100, () -> engine.largest() + " bytes for a clear");
    assertFalse(set.iterator().hasNext());
    TrieCheck.check(store, set);
  }

  /** An iterator that removes all behind the middle never has to look for its place. */
  @Test
  void removingManyThroughAnIteratorTakesLinearTime() {
    PersistentLinkedSet<Integer> set = setOf(160_000);
    assertTimeout(
        Duration.ofSeconds(
            15), // half of one on an idle machine; 30 if each batch were searched for
        () ->
            store.in(
                () -> {
                  int seen = 0;
                  for (Iterator<Integer> i = set.iterator(); i.hasNext(); ) {
                    assertEquals(seen, i.next());
                    if (seen++ >= 80_000) {
                      i.remove();
                    }
                  }
                }));
    assertEquals(80_000, set.size());
    assertEquals(79_999, set.getLast());
    TrieCheck.check(store, set);
  }

  /** How often a body runs beside an insertion by another thread. */
  private int runs(PersistentLinkedMap<Integer, Integer> map, int key, Runnable body) {
    int[] runs = new int[1];
    store.in(
        () -> {
          body.run();
          if (runs[0]++ == 0) {
            byAnotherThread(() -> map.put(key, 1));
          }
        });
    return runs[0];
  }

  @Test
  void theTwoEndsAreIndependentAndInsertionsConflict() {
    PersistentLinkedMap<Integer, Integer> map = store.newLinkedMap();
    store.in(() -> IntStream.range(0, 1000).forEach(i -> map.put(i, i)));
    int apart = 0;
    for (int i = 0; i < 20; i++) {
      int key = 1000 + 2 * i;
      apart += runs(map, key, map::pollFirstEntry) == 1 ? 1 : 0; // else in a node of the trie
      assertEquals(2, runs(map, key + 1, () -> map.put(-key, 1)));
      assertEquals(List.of(-key, key + 1), List.copyOf(map.reversed().keySet()).subList(0, 2));
    }
    int without = apart;
    assertTrue(apart >= 10, () -> without + " of 20 did not conflict");
  }
}
