package io.pmstore.jmh.structures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each structure does what a {@link TreeMap} does, before and after reopening. */
final class LongMapTest {
  @TempDir Path directory;

  private final TreeMap<Long, Object> model = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(classes = {SkipListMap.class, SortedLinkedList.class})
  void behavesAsATreeMap(Class<? extends LongMap> type) {
    Long given = Long.getLong("pmstore.seed");
    long seed = given != null ? given : System.nanoTime();
    System.out.println("LongMapTest: replay with -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    for (int opening = 0; opening < 3; opening++) {
      try (PmStore store = PmStore.open(directory)) {
        LongMap map = store.root(type);
        compare(map);
        for (int round = 0; round < 20; round++) {
          int growing = 2 + random.nextInt(7);
          store.transaction(() -> change(store, map, random, growing));
          compare(map);
        }
      }
    }
  }

  private void change(PmStore store, LongMap map, Random random, int growing) {
    for (int i = 0; i < 100; i++) {
      long key = random.nextInt(1000) - 500;
      if (random.nextInt(10) < growing) {
        assertEquals(model.put(key, i), map.put(store, key, i));
      } else {
        assertEquals(model.remove(key), map.remove(key));
      }
      assertEquals(model.get(key + 1), map.get(key + 1));
    }
  }

  private void compare(LongMap map) {
    for (Map.Entry<Long, Long> range :
        Map.of(Long.MIN_VALUE, Long.MAX_VALUE, -100L, 100L, 0L, 0L).entrySet()) {
      TreeMap<Long, Object> seen = new TreeMap<>();
      map.visit(
          range.getKey(),
          range.getValue(),
          (value, key) -> {
            assertTrue(seen.isEmpty() || seen.lastKey() < key, "order");
            seen.put(key, value);
          });
      assertEquals(model.subMap(range.getKey(), range.getValue()), seen);
    }
  }

  @Test
  void levelsAreGeometricallyDistributed() {
    int[] count = new int[21];
    for (long key = 0; key < 100_000; key++) {
      count[SkipListMap.levels(key)]++;
    }
    for (int level = 1; level < 5; level++) {
      double share = count[level + 1] / (double) count[level];
      assertTrue(share > 0.2 && share < 0.3, "level " + (level + 1) + ": " + share);
    }
  }
}
