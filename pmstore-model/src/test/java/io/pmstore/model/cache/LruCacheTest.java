package io.pmstore.model.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LruCacheTest {
  @Test
  void evictsWhatWasNotUsedLongest() {
    LruCache cache = new LruCache(2, 2);
    assertFalse(cache.use(1));
    assertFalse(cache.use(2));
    assertTrue(cache.use(1));
    assertFalse(cache.use(3)); // in place of 2
    assertTrue(cache.use(1));
    assertFalse(cache.use(2));
    assertEquals(2, cache.hits());
    assertEquals(4, cache.misses());
  }

  @Test
  void aCacheThatIsLargeEnoughMissesEachUnitOnce() {
    LruCache cache = new LruCache(2_048, 16);
    for (int round = 0; round < 3; round++) {
      for (int unit = 0; unit < 1_000; unit++) {
        cache.use(unit);
      }
    }
    assertEquals(1_000, cache.misses());
  }

  /** Uniform use of n units hits a cache of c in c / n of all cases. */
  @Test
  void uniformUseHitsAsMuchAsThereIsRoom() {
    LruCache cache = new LruCache(1_024, 16);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 50_000; i++) {
      cache.use(random.nextInt(4_096));
    }
    long before = cache.hits();
    for (int i = 0; i < 200_000; i++) {
      cache.use(random.nextInt(4_096));
    }
    assertEquals(0.25, (cache.hits() - before) / 200_000.0, 0.01);
  }

  @Test
  void aCacheWithoutRoomIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LruCache(0, 4));
  }
}
