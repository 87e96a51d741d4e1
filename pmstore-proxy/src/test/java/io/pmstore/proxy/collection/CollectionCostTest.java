package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Large collections: what an operation logs is bounded, and a million elements take no more than
 * seconds.
 */
class CollectionCostTest {
  private static final int MILLION = 1_000_000;
  private static final Duration LIMIT = Duration.ofMinutes(2); // some seconds on an idle machine

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
