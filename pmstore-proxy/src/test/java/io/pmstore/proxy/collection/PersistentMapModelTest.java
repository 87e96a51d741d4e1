package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.proxy.collection.TestCodec.Colliding;
import io.pmstore.proxy.collection.TestCodec.Fleeting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on a map and on a {@link HashMap} beside it: in and outside transactions,
 * rolled back, reopened.
 */
class PersistentMapModelTest {
  /** Where keys come from. */
  enum Keys {
    FEW {
      @Override
      @Nullable Object next(Random random) {
        return random.nextInt(20) == 0 ? null : Integer.valueOf(random.nextInt(12));
      }
    },
    MANY {
      @Override
      @Nullable Object next(Random random) {
        return random.nextBoolean()
            ? "key" + random.nextInt(3000)
            : Long.valueOf(random.nextInt(3000));
      }
    },
    /**
     * Numbers that number entries can have and cannot have: equal ones of two classes, and many
     * with one hash code.
     */
    NUMBERS {
      @Override
      @Nullable Object next(Random random) {
        int n = random.nextInt(300) - 150;
        return switch (random.nextInt(8)) {
          case 0, 1 -> Integer.valueOf(n);
          case 2, 3 -> Long.valueOf(n);
          case 4 -> random.nextBoolean() ? Integer.MAX_VALUE - n / 8 : Integer.MIN_VALUE + n / 8;
          case 5 -> (1L << 62) + n / 8; // less than that has room
          case 6 -> -(1L << 62) + n / 8;
          default -> (long) n << 32 | Integer.toUnsignedLong(n < 0 ? ~n : n); // hash code 0
        };
      }
    },
    /** Many keys with each of few hash codes, some of which differ in few bits only. */
    COLLIDING {
      @Override
      @Nullable Object next(Random random) {
        return new Colliding(random.nextInt(80), new int[] {0, 1, 2, 1 << 31}[random.nextInt(4)]);
      }
    },
    /** Keys that have other hash codes when the store was opened again. */
    FLEETING {
      @Override
      @Nullable Object next(Random random) {
        return new Fleeting(random.nextInt(400));
      }
    },
    /**
     * Different hash codes whose spread hashes agree in their first 28 bits or more: tries of full
     * depth.
     */
    DEEP {
      @Override
      @Nullable Object next(Random random) {
        int spread = 0x12345600 | random.nextInt(32);
        return new Colliding(random.nextInt(3), unspread(spread));
      }
    };

    abstract @Nullable Object next(Random random);

    /** The inverse of the hash's finalizer. */
    private static int unspread(int h) {
      h ^= h >>> 16;
      h *= 0x7ed1b41d;
      h ^= h >>> 13 ^ h >>> 26;
      h *= 0xa5cb9243;
      return h ^ h >>> 16;
    }
  }

  /** Thrown to roll back. */
  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private TestStore store = new TestStore();
  private PersistentMap<@Nullable Object, @Nullable Object> map = store.newMap();
  private Map<@Nullable Object, @Nullable Object> model = new HashMap<>();

  @ParameterizedTest
  @EnumSource
  void behavesAsAHashMap(Keys keys) {
    Random random = Seed.random("PersistentMapModelTest " + keys);
    for (int round = 0; round < 400; round++) {
      int steps = random.nextInt(60);
      switch (random.nextInt(4)) {
        case 0 -> store.in(() -> run(keys, random, steps));
        case 1 -> {
          Map<@Nullable Object, @Nullable Object> before = new HashMap<>(model);
          assertThrows(
              RollBack.class,
              () ->
                  store.in(
                      () -> {
                        run(keys, random, steps);
                        throw new RollBack();
                      }));
          model = before;
        }
        default -> run(keys, random, steps);
      }
      if (random.nextInt(40) == 0) {
        long address = TestStore.address(map);
        store = store.reopen();
        map = store.map(address);
      }
      compare();
    }
  }

  private void compare() {
    assertEquals(model, map);
    assertEquals(map, model);
    assertEquals(model.hashCode(), map.hashCode());
    assertEquals(model.size(), map.size());
    assertEquals(model.isEmpty(), map.isEmpty());
    assertEquals(model.keySet(), new HashSet<>(map.keySet()));
    TrieCheck.check(store, map);
  }

  private void run(Keys keys, Random random, int steps) {
    // Mostly growing or mostly shrinking for a while, so that nodes come and go.
    int growing = random.nextInt(10);
    for (int i = 0; i < steps; i++) {
      Object key = keys.next(random);
      Object value = value(random);
      if (random.nextInt(10) < growing) {
        assertEquals(model.put(key, value), map.put(key, value));
      } else {
        step(random, key, value);
      }
      assertEquals(model.get(key), map.get(key));
      assertEquals(model.containsKey(key), map.containsKey(key));
    }
  }

  /** Returns what needs a cell, or what a reference can hold. */
  private static @Nullable Object value(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> null;
      case 1, 2, 3, 4 -> "value" + random.nextInt(50);
      default -> random.nextInt(50);
    };
  }

  private void step(Random random, @Nullable Object key, @Nullable Object value) {
    switch (random.nextInt(18)) {
      case 0, 1, 2, 3, 4 -> assertEquals(model.remove(key), map.remove(key));
      case 5 -> assertEquals(model.remove(key, value), map.remove(key, value));
      case 6 -> assertEquals(model.putIfAbsent(key, value), map.putIfAbsent(key, value));
      case 7 ->
          assertEquals(
              model.computeIfAbsent(key, k -> value), map.computeIfAbsent(key, k -> value));
      case 8 ->
          assertEquals(
              model.computeIfPresent(key, (k, v) -> value),
              map.computeIfPresent(key, (k, v) -> value));
      case 9 ->
          assertEquals(model.compute(key, (k, v) -> value), map.compute(key, (k, v) -> value));
      case 10 ->
          assertEquals(
              model.merge(key, 1, (a, b) -> a.equals(7) ? null : b),
              map.merge(key, 1, (a, b) -> a.equals(7) ? null : b));
      case 11 -> assertEquals(model.replace(key, value), map.replace(key, value));
      case 12 -> assertEquals(model.replace(key, value, 7), map.replace(key, value, 7));
      case 13 -> assertEquals(model.getOrDefault(key, "none"), map.getOrDefault(key, "none"));
      case 14 -> assertEquals(model.containsValue(value), map.containsValue(value));
      case 15 -> {
        Map<@Nullable Object, @Nullable Object> more = new HashMap<>();
        more.put(key, value);
        more.put("more", value);
        model.putAll(more);
        map.putAll(more);
      }
      case 16 -> {
        int modulus = 2 + random.nextInt(20);
        model.keySet().removeIf(k -> Objects.hashCode(k) % modulus == 0);
        map.keySet().removeIf(k -> Objects.hashCode(k) % modulus == 0);
      }
      case 17 -> iterate(random);
      default -> throw new AssertionError();
    }
  }

  /** Visits all, removes some and changes some on the way. */
  private void iterate(Random random) {
    if (random.nextInt(20) == 0) {
      model.clear();
      map.clear();
      return;
    }
    Map<@Nullable Object, @Nullable Object> seen = new HashMap<>();
    for (Iterator<Map.Entry<@Nullable Object, @Nullable Object>> i = map.entrySet().iterator();
        i.hasNext(); ) {
      Map.Entry<@Nullable Object, @Nullable Object> entry = i.next();
      assertEquals(false, seen.containsKey(entry.getKey()), "twice: " + entry);
      seen.put(entry.getKey(), entry.getValue());
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> {
          i.remove();
          model.remove(entry.getKey());
        }
        case 3, 4 -> {
          assertEquals(entry.getValue(), entry.setValue("set"));
          assertEquals("set", entry.getValue());
          model.put(entry.getKey(), "set");
          seen.put(entry.getKey(), "set");
        }
        case 5 -> {
          map.put(entry.getKey(), "put"); // replaces a value: not a change of the structure
          assertEquals("put", entry.getValue());
          model.put(entry.getKey(), "put");
          seen.put(entry.getKey(), "put");
        }
        default -> assertEquals(model.get(entry.getKey()), entry.getValue());
      }
    }
    seen.keySet().retainAll(model.keySet());
    assertEquals(model, seen);
  }

  @Test
  void aMapThatWasLargeAndIsEmptyHasNoNodes() {
    for (int i = 0; i < 5000; i++) {
      map.put(i, i);
    }
    for (int i = 0; i < 5000; i++) {
      assertEquals(i, map.remove(i));
    }
    TrieCheck.check(store, map);
    assertEquals(0, store.heap.getLong(TestStore.address(map), CollectionShapes.MAP_ROOT));
  }
}
