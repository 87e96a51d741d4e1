package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.collection.TestCodec.Colliding;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Large collections: the bytes that an operation logs are bounded, and a million elements take only
 * seconds.
 */
class CollectionCostTest {
  /** How many elements large collections have: a million, or as many as one asks for. */
  private static final int MILLION = Integer.getInteger("pmstore.cost.entries", 1_000_000);

  private static final Duration LIMIT =
      Duration.ofSeconds(120 + MILLION / 10_000); // some seconds on an idle machine

  private final MeteringEngine engine = new MeteringEngine();
  private final TestStore store = new TestStore(engine);

  @Test
  void anOperationOnALargeMapLogsLittle() {
    PersistentMap<Long, Long> map = store.newMap();
    for (long base = 0; base < 100_000; base += 1000) {
      long from = base;
      store.in(
          () -> {
            for (long i = from; i < from + 1000; i++) {
              map.put(i, i);
            }
          });
    }
    Random random = Seed.random("anOperationOnALargeMapLogsLittle");
    engine.reset();
    for (int i = 0; i < 20_000; i++) {
      map.put(100_000L + i, 1L);
      map.remove((long) random.nextInt(100_000));
    }
    // Two nodes below each other (very rarely three), an entry, what refers to them, the bits of
    // the allocator.
    assertTrue(engine.largest() <= 900, () -> engine.largest() + " bytes in one operation");
    engine.reset();
    map.put(100_000L, 2L);
    assertTrue(engine.largest() <= 48, () -> engine.largest() + " bytes for a new value");
    engine.reset();
    map.clear();
    assertTrue(engine.largest() <= 64, () -> engine.largest() + " bytes for a clear");
  }

  @Test
  void anOperationOnALargeListLogsLittle() {
    PersistentList<Long> list = store.newList();
    for (int i = 0; i < 100; i++) {
      store.in(
          () -> {
            for (long j = 0; j < 1000; j++) {
              list.add(j);
            }
          });
    }
    engine.reset();
    for (long i = 0; i < 100; i++) {
      list.add(i);
    }
    assertEquals(16 + 16 + 16 + 8, engine.smallest(), "an append writes its cell and the size");
    PersistentList<String> references = store.newList();
    store.in(() -> LongStream.range(0, 1000).forEach(i -> references.add("text")));
    engine.reset();
    for (int i = 0; i < 100; i++) {
      references.add("text"); // with its blob
    }
    assertEquals(
        16 + 8 + 16 + 8 + 16 + 16 + 16 + 8,
        engine.smallest(),
        "an append writes its reference and the size");
    engine.reset();
    for (long i = 0; i < 100; i++) {
      list.add(i);
    }
    assertTrue(engine.largest() <= 1500, () -> engine.largest() + " bytes where a leaf begins");
    Random random = Seed.random("anOperationOnALargeListLogsLittle");
    engine.reset();
    for (long i = 0; i < 20_000; i++) {
      list.add(random.nextInt(list.size()), i);
      list.remove(random.nextInt(list.size()));
    }
    // Every level may split, with its 31 starts or 32 cells and a new neighbour.
    assertTrue(engine.largest() <= 5000, () -> engine.largest() + " bytes in one operation");
    engine.reset();
    list.clear();
    assertTrue(engine.largest() <= 64, () -> engine.largest() + " bytes for a clear");
  }

  @Test
  void noInsertionIntoAGrowingCollectionLogsMuch() {
    PersistentMap<Integer, Integer> map = store.newMap();
    growing("map", 900, i -> map.put(i, i));
    TrieCheck.check(store, map);
    PersistentSet<Integer> set = store.newSet();
    growing("set", 900, set::add);
    TrieCheck.check(store, set);
    PersistentDeque<Integer> deque = store.newDeque();
    growing("deque", 720, deque::add); // where a chunk begins
    growing("deque at the front", 720, deque::addFirst);
    DequeCheck.check(store, deque);
    PersistentList<Integer> list = store.newList();
    growing("list", 3000, list::add); // where a leaf and the nodes above it begin
    TreeCheck.check(store, list);
  }

  private void growing(String name, int limit, IntConsumer insertion) {
    engine.reset();
    for (int i = 0; i < MILLION / 4; i++) {
      insertion.accept(i);
    }
    assertTrue(
        engine.largest() <= limit, () -> name + ": " + engine.largest() + " bytes in an insertion");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "2, 2", "1, 3", "3, 3", "4, 4", "1, 4", "2, 4", "1, 12", "1, 28"})
  void takingAndAddingElementsOfADequeNeedsNoSpace(int taken, int size) {
    PersistentDeque<Integer> deque = store.newDeque();
    store.in(() -> IntStream.range(0, size).forEach(deque::addLast));
    long[] space = new long[1]; // from a chunk made before to one made after
    store.in(
        () -> {
          long before = newChunk();
          for (int round = 0; round < 1000; round++) {
            for (int i = 0; i < taken; i++) {
              deque.removeLast();
            }
            IntStream.range(size - taken, size).forEach(deque::addLast);
          }
          space[0] = newChunk() - before;
        });
    assertTrue(space[0] < 1000, () -> space[0] + " bytes");
    assertEquals(IntStream.range(0, size).boxed().toList(), List.copyOf(deque));
    DequeCheck.check(store, deque);
  }

  /** Returns the address of a chunk that has just been made. */
  private long newChunk() {
    PersistentDeque<Integer> deque = store.newDeque();
    deque.add(1);
    return new DequeChunks(store.space).at(TestStore.address(deque), DequeChunks.End.LAST);
  }

  @Test
  void anOperationOnALargeDequeLogsLittle() {
    PersistentDeque<Long> deque = store.newDeque();
    store.in(() -> LongStream.range(0, 100_000).forEach(deque::add));
    engine.reset();
    for (long i = 0; i < 100; i++) {
      deque.add(i);
    }
    assertEquals(
        16 + 16 + 16 + 8 + 16 + 8,
        engine.smallest(),
        "an addition writes its cell, the chunk's end and the count");
    engine.reset();
    for (int i = 0; i < 10_000; i++) {
      deque.poll();
    }
    assertTrue(engine.largest() <= 200, () -> engine.largest() + " bytes to take an element");
    engine.reset();
    for (long i = 40_000; i < 41_000; i++) {
      assertTrue(deque.remove(i));
    }
    assertTrue(engine.largest() <= 200, () -> engine.largest() + " bytes to remove an element");
    engine.reset();
    deque.clear();
    assertTrue(engine.largest() <= 250, () -> engine.largest() + " bytes for a clear");
    assertTrue(deque.isEmpty());
  }

  @Test
  void keysWithOneHashCodeAreFoundInAFewComparisons() {
    PersistentMap<Colliding, Integer> map = store.newMap();
    int keys = 16_384;
    for (int base = 0; base < keys; base += 1024) {
      int from = base;
      store.in(
          () -> {
            for (int i = from; i < from + 1024; i++) {
              map.put(new Colliding(8 * i + 2, 1), i); // one hash code, different second ones
            }
          });
    }
    TrieCheck.check(store, map);
    long putting = store.codec.comparisons();
    assertTrue(putting <= 2L * keys, () -> putting + " comparisons to put " + keys);
    for (int i = 0; i < keys; i++) {
      assertEquals(i, map.get(new Colliding(8 * i + 2, 1)));
      assertNull(map.get(new Colliding(8 * i + 3, 1)));
    }
    long getting = store.codec.comparisons() - putting;
    assertTrue(getting <= 2L * keys, () -> getting + " comparisons to get " + 2 * keys);
    engine.reset();
    for (int i = 0; i < keys; i++) {
      map.remove(new Colliding(8 * i + 2, 1));
    }
    assertTrue(engine.largest() <= 900, () -> engine.largest() + " bytes in one removal");
    long removing = store.codec.comparisons() - putting - getting;
    assertTrue(removing <= 2L * keys, () -> removing + " comparisons to remove " + keys);
    assertEquals(0, store.heap.getLong(TestStore.address(map), CollectionShapes.MAP_ROOT));
  }

  @Test
  void aDequeOfAMillion() {
    PersistentDeque<Long> deque = store.newDeque();
    assertTimeout(
        LIMIT,
        () -> {
          for (long base = 0; base < MILLION; base += 10_000) {
            long from = base;
            store.in(() -> LongStream.range(from, from + 10_000).forEach(deque::add));
          }
          assertEquals(MILLION, deque.size());
          long expected = 0;
          for (long value : deque) { // outside a transaction, where every batch is a read
            assertEquals(expected++, value);
          }
          for (long i = 0; i < MILLION / 2; i++) {
            assertEquals(i, deque.poll());
          }
          assertEquals(MILLION / 2, deque.peek());
        });
    DequeCheck.check(store, deque);
  }

  @Test
  void aSetOfAMillion() {
    PersistentSet<Long> set = store.newSet();
    assertTimeout(
        LIMIT,
        () -> {
          for (long base = 0; base < MILLION; base += 10_000) {
            long from = base;
            store.in(() -> LongStream.range(from, from + 10_000).forEach(i -> set.add(i * 7)));
          }
          assertEquals(MILLION, set.size());
          long sum = 0;
          for (long value : set) {
            sum += value;
          }
          assertEquals(7L * MILLION * (MILLION - 1) / 2, sum);
        });
    TrieCheck.check(store, set);
  }

  @Test
  void aMapOfAMillion() {
    PersistentMap<Long, Long> map = store.newMap();
    assertTimeout(
        LIMIT,
        () -> {
          for (long base = 0; base < MILLION; base += 10_000) {
            long from = base;
            store.in(
                () -> {
                  for (long i = from; i < from + 10_000; i++) {
                    assertNull(map.put(i * 7, i));
                  }
                });
          }
          assertEquals(MILLION, map.size());
          for (long i = 0; i < MILLION; i++) {
            assertEquals(i, map.get(i * 7));
          }
          long sum = 0;
          for (long value : map.values()) {
            sum += value;
          }
          assertEquals((long) MILLION * (MILLION - 1) / 2, sum);
        });
    TrieCheck.check(store, map);
  }

  @Test
  void aListOfAMillion() {
    PersistentList<Long> list = store.newList();
    assertTimeout(
        LIMIT,
        () -> {
          for (long base = 0; base < MILLION; base += 10_000) {
            long from = base;
            store.in(
                () -> {
                  for (long i = from; i < from + 10_000; i++) {
                    list.add(i);
                  }
                });
          }
          for (int i = 0; i < MILLION; i++) {
            assertEquals(i, list.get(i));
          }
          for (int i = 0; i < 1000; i++) {
            list.add(MILLION / 2, -1L);
          }
          long sum = 0;
          for (long value : list) {
            sum += value;
          }
          assertEquals((long) MILLION * (MILLION - 1) / 2 - 1000, sum);
        });
    TreeCheck.check(store, list);
  }
}
