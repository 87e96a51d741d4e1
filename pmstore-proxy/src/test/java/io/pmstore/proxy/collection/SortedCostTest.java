package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.collection.TestCodec.Counting;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sorted collections of a million elements: the bytes that an operation logs and the number of keys
 * that it compares are bounded.
 */
@Timeout(240)
class SortedCostTest {
  private static final int ENTRIES = Integer.getInteger("pmstore.cost.entries", 1_000_000);
  private static final int STEP = 10;

  private final MeteringEngine engine = new MeteringEngine();
  private final TestStore store = new TestStore(engine);
  private final PersistentSortedMap<Long, Long> map = store.newSortedMap(Counting.INSTANCE);

  /** Keys are the multiples of {@link #STEP}, put in an order that jumps about. */
  @BeforeEach
  void fill() {
    long stride = 618_033_989L; // a prime: it meets each place once
    for (int base = 0; base < ENTRIES; base += 10_000) {
      int from = base;
      store.in(
          () -> {
            for (int i = from; i < Math.min(ENTRIES, from + 10_000); i++) {
              long key = STEP * (i * stride % ENTRIES);
              assertNull(map.put(key, key));
            }
          });
    }
  }

  @Test
  void operationsAreBounded() {
    assertEquals(ENTRIES, map.size());
    changesLogLittle();
    look();
    ranges();
    SortedCheck.check(store, map);
    engine.reset();
    map.clear();
    assertTrue(engine.largest() <= 64, () -> engine.largest() + " bytes for a clear");
  }

  private void changesLogLittle() {
    Random random = Seed.random("SortedCostTest");
    engine.reset();
    for (int i = 0; i < 20_000; i++) {
      long key = random.nextLong((long) STEP * ENTRIES);
      if (key % STEP == 0 ? map.remove(key) == null : map.put(key, key) != null) {
        i--; // it was this key's turn before
      }
    }
    // All nodes on the way may split or merge, and half of each is moved, and erased where it was.
    assertTrue(engine.largest() <= 5000, () -> engine.largest() + " bytes in one operation");
    engine.reset();
    for (long key = 1; key < 100L * STEP; key += STEP) {
      map.putIfAbsent(key, key);
    }
    // The leaf's places, the two cells and a counter. The cells of slot 0 lie beside the places.
    assertTrue(engine.smallest() <= 3 * 16 + 8 + 32 + 8, () -> engine.smallest() + " bytes");
    engine.reset();
    map.put(map.firstKey(), 2L);
    assertTrue(engine.largest() <= 48, () -> engine.largest() + " bytes for a new value");
  }

  /** How many keys are compared by an operation. */
  private static long comparisons(Runnable operation) {
    long before = Counting.COMPARISONS.get();
    operation.run();
    return Counting.COMPARISONS.get() - before;
  }

  private void assertFew(long most, Runnable operation) {
    long comparisons = comparisons(operation);
    assertTrue(comparisons <= most, comparisons + " comparisons");
  }

  private void look() {
    long middle = STEP * (ENTRIES / 2L) + 1;
    for (long key = middle; key < middle + 100; key++) {
      long at = key;
      assertFew(30, () -> map.get(at));
      assertFew(30, () -> assertNotNull(map.floorKey(at)));
      assertFew(30, () -> assertNotNull(map.higherKey(at)));
      assertFew(30, () -> assertNotNull(map.descendingMap().higherKey(at)));
    }
    assertFew(0, () -> assertNotNull(map.firstKey()));
    assertFew(0, () -> assertNotNull(map.lastKey()));
    assertFew(0, () -> assertTrue(map.size() > 0));
    // An exception looks for a damaged key among some of the keys.
    assertFew(3000, () -> assertThrows(NullPointerException.class, () -> map.get(null)));
  }

  private void ranges() {
    long middle = STEP * (ENTRIES / 2L);
    NavigableMap<Long, Long> range = map.subMap(middle, true, middle + 1000L * STEP, true);
    for (NavigableMap<Long, Long> view : List.of(range, range.descendingMap())) {
      int[] count = new int[1];
      // About log n comparisons for each batch of entries that is read, not for each entry.
      assertFew(
          600,
          () -> {
            for (Iterator<Long> i = view.keySet().iterator(); i.hasNext(); ) {
              i.next();
              count[0]++;
            }
          });
      assertTrue(count[0] > 900 && count[0] < 1200, count[0] + " entries");
      assertFew(80, () -> assertEquals(count[0], view.size()));
    }
  }
}
