package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.collection.TestCodec.Orders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on a sorted map, on its views and on views of these, and on a {@link TreeMap}
 * beside it: in and outside transactions, rolled back, reopened. A sorted set always has the same
 * keys.
 */
class PersistentSortedMapModelTest {
  /** Where keys come from, and their order. */
  enum Keys {
    FEW(null) {
      @Override
      @Nullable Object next(Random random) {
        return random.nextInt(12);
      }
    },
    MANY(null) {
      @Override
      @Nullable Object next(Random random) {
        return (long) random.nextInt(3000);
      }
    },
    REVERSED(Comparator.reverseOrder()) {
      @Override
      @Nullable Object next(Random random) {
        return random.nextInt(300);
      }
    },
    STRINGS_AND_NULL(Orders.TEXT) {
      @Override
      @Nullable Object next(Random random) {
        return random.nextInt(40) == 0 ? null : "key " + random.nextInt(300);
      }
    },
    REVERSED_AND_NULL(Collections.reverseOrder(Orders.TEXT)) {
      @Override
      @Nullable Object next(Random random) {
        return random.nextInt(40) == 0 ? null : "key " + random.nextInt(1000);
      }
    };

    private final @Nullable Comparator<?> comparator;

    Keys(@Nullable Comparator<?> comparator) {
      this.comparator = comparator;
    }

    @SuppressWarnings("unchecked")
    @Nullable Comparator<@Nullable Object> comparator() {
      return (Comparator<@Nullable Object>) comparator;
    }

    abstract @Nullable Object next(Random random);
  }

  /** Thrown to roll back. */
  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private TestStore store = new TestStore();
  private PersistentSortedMap<@Nullable Object, @Nullable Object> map = newMap(null);
  private PersistentSortedSet<@Nullable Object> set = newSet(null);
  private TreeMap<@Nullable Object, @Nullable Object> model = new TreeMap<>();

  private PersistentSortedMap<@Nullable Object, @Nullable Object> newMap(
      @Nullable Comparator<@Nullable Object> comparator) {
    return store.newSortedMap(comparator);
  }

  private PersistentSortedSet<@Nullable Object> newSet(
      @Nullable Comparator<@Nullable Object> comparator) {
    return store.newSortedSet(comparator);
  }

  @ParameterizedTest
  @EnumSource
  void behavesAsATreeMap(Keys keys) {
    Random random = Seed.random("PersistentSortedMapModelTest " + keys);
    map = newMap(keys.comparator());
    set = newSet(keys.comparator());
    model = new TreeMap<>(keys.comparator());
    for (int round = 0; round < 400; round++) {
      int steps = random.nextInt(60);
      switch (random.nextInt(4)) {
        case 0 -> store.in(() -> run(keys, random, steps));
        case 1 -> {
          TreeMap<@Nullable Object, @Nullable Object> before = new TreeMap<>(model);
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
        long setAddress = TestStore.address(set);
        store = store.reopen();
        map = new PersistentSortedMap<>(store.space, store.heap.object(address));
        set = new PersistentSortedSet<>(store.space, store.heap.object(setAddress));
      }
      compare();
    }
  }

  private void compare() {
    assertEquals(model, map);
    assertEquals(map, model);
    assertEquals(model.hashCode(), map.hashCode());
    assertEquals(model.toString(), map.toString());
    assertEquals(model.size(), map.size());
    assertEquals(model.isEmpty(), map.isEmpty());
    assertEquals(model.comparator(), map.comparator());
    assertEquals(new ArrayList<>(model.keySet()), new ArrayList<>(map.keySet()));
    assertEquals(new ArrayList<>(model.values()), new ArrayList<>(map.values()));
    assertEquals(
        new ArrayList<>(model.descendingMap().entrySet()),
        new ArrayList<>(map.descendingMap().entrySet()));
    SortedCheck.check(store, map);
    assertEquals(new ArrayList<>(model.keySet()), new ArrayList<>(set));
    assertEquals(model.size(), set.size());
    SortedCheck.check(store, set);
  }

  private void run(Keys keys, Random random, int steps) {
    // Mostly growing or mostly shrinking for a while, so that nodes come and go.
    int growing = random.nextInt(10);
    for (int i = 0; i < steps; i++) {
      Object key = keys.next(random);
      @Nullable Object value = random.nextInt(10) == 0 ? null : Integer.valueOf(random.nextInt(50));
      if (random.nextInt(10) < growing) {
        assertEquals(model.put(key, value), map.put(key, value));
      } else if (random.nextInt(6) == 0) {
        inViews(keys, random);
      } else {
        step(model, map, random, key, value);
      }
      assertEquals(model.get(key), map.get(key));
      assertEquals(model.containsKey(key), map.containsKey(key));
    }
    followInSet();
  }

  /** Makes the set have the keys of the map. */
  private void followInSet() {
    boolean fewer = set.removeIf(element -> !model.containsKey(element));
    assertEquals(set.containsAll(model.keySet()), !set.addAll(model.keySet()));
    assertFalse(fewer && set.isEmpty() && !model.isEmpty());
  }

  /** What both did: returned or threw. */
  private static @Nullable Object outcome(Supplier<@Nullable Object> operation) {
    try {
      return operation.get();
    } catch (IllegalArgumentException | java.util.NoSuchElementException e) {
      return e.getClass();
    }
  }

  private static void assertSame(
      Supplier<@Nullable Object> expected, Supplier<@Nullable Object> actual) {
    Object result = outcome(expected);
    if (result instanceof NullPointerException) {
      throw new AssertionError(result);
    }
    assertEquals(result, outcome(actual));
  }

  /** Looks at, and changes, a view of a view. */
  private void inViews(Keys keys, Random random) {
    NavigableMap<@Nullable Object, @Nullable Object> expected = model;
    NavigableMap<@Nullable Object, @Nullable Object> actual = map;
    for (int depth = random.nextInt(4); depth > 0; depth--) {
      long seed = random.nextLong();
      NavigableMap<@Nullable Object, @Nullable Object> from = expected;
      NavigableMap<@Nullable Object, @Nullable Object> of = actual;
      Object there = outcome(() -> view(from, keys, new Random(seed)));
      Object here = outcome(() -> view(of, keys, new Random(seed)));
      assertEquals(there, here);
      if (there instanceof Class) {
        return; // both refused
      }
      expected = view(from, keys, new Random(seed));
      actual = view(of, keys, new Random(seed));
      assertEquals(expected.comparator() == null, actual.comparator() == null);
    }
    assertEquals(expected.toString(), actual.toString());
    assertEquals(expected.size(), actual.size());
    assertEquals(expected.isEmpty(), actual.isEmpty());
    compareSets(expected.navigableKeySet(), actual.navigableKeySet(), keys, random);
    compareSets(expected.descendingKeySet(), actual.descendingKeySet(), keys, random);
    Object key = keys.next(random);
    for (int i = 0; i < 3; i++) {
      step(expected, actual, random, key, 7);
      near(expected, actual, keys.next(random));
    }
  }

  private static NavigableMap<@Nullable Object, @Nullable Object> view(
      NavigableMap<@Nullable Object, @Nullable Object> map, Keys keys, Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> map.descendingMap();
      case 1 -> map.headMap(keys.next(random), random.nextBoolean());
      case 2 -> map.tailMap(keys.next(random), random.nextBoolean());
      default ->
          map.subMap(
              keys.next(random), random.nextBoolean(), keys.next(random), random.nextBoolean());
    };
  }

  private static void near(
      NavigableMap<@Nullable Object, @Nullable Object> expected,
      NavigableMap<@Nullable Object, @Nullable Object> actual,
      @Nullable Object key) {
    assertSame(() -> expected.lowerEntry(key), () -> actual.lowerEntry(key));
    assertSame(() -> expected.floorEntry(key), () -> actual.floorEntry(key));
    assertSame(() -> expected.ceilingEntry(key), () -> actual.ceilingEntry(key));
    assertSame(() -> expected.higherEntry(key), () -> actual.higherEntry(key));
    assertSame(() -> expected.lowerKey(key), () -> actual.lowerKey(key));
    assertSame(() -> expected.higherKey(key), () -> actual.higherKey(key));
    assertSame(expected::firstEntry, actual::firstEntry);
    assertSame(expected::lastEntry, actual::lastEntry);
    assertSame(expected::firstKey, actual::firstKey);
    assertSame(expected::lastKey, actual::lastKey);
  }

  private void compareSets(
      NavigableSet<@Nullable Object> expected,
      NavigableSet<@Nullable Object> actual,
      Keys keys,
      Random random) {
    assertEquals(new ArrayList<>(expected), new ArrayList<>(actual));
    assertEquals(
        new ArrayList<>(expected.descendingSet()), new ArrayList<>(actual.descendingSet()));
    Object key = keys.next(random);
    assertSame(() -> expected.lower(key), () -> actual.lower(key));
    assertSame(() -> expected.floor(key), () -> actual.floor(key));
    assertSame(() -> expected.ceiling(key), () -> actual.ceiling(key));
    assertSame(() -> expected.higher(key), () -> actual.higher(key));
    assertSame(expected::first, actual::first);
    assertSame(expected::last, actual::last);
    boolean inclusive = random.nextBoolean();
    assertSame(
        () -> List.copyOf(notNull(expected.headSet(key, inclusive))),
        () -> List.copyOf(notNull(actual.headSet(key, inclusive))));
    assertSame(
        () -> List.copyOf(notNull(expected.tailSet(key, inclusive))),
        () -> List.copyOf(notNull(actual.tailSet(key, inclusive))));
    assertEquals(List.copyOf(notNull(expected)), actual.stream().map(String::valueOf).toList());
  }

  private static List<String> notNull(NavigableSet<@Nullable Object> set) {
    List<String> texts = new ArrayList<>();
    set.forEach(element -> texts.add(String.valueOf(element)));
    return texts;
  }

  private void step(
      NavigableMap<@Nullable Object, @Nullable Object> model,
      NavigableMap<@Nullable Object, @Nullable Object> map,
      Random random,
      @Nullable Object key,
      @Nullable Object value) {
    switch (random.nextInt(21)) {
      case 0, 1, 2, 3, 4 -> assertEquals(model.remove(key), map.remove(key));
      case 5 -> assertEquals(model.remove(key, value), map.remove(key, value));
      case 6 -> assertSame(() -> model.putIfAbsent(key, value), () -> map.putIfAbsent(key, value));
      case 7 ->
          assertSame(
              () -> model.computeIfAbsent(key, k -> value),
              () -> map.computeIfAbsent(key, k -> value));
      case 8 ->
          assertSame(
              () -> model.computeIfPresent(key, (k, v) -> value),
              () -> map.computeIfPresent(key, (k, v) -> value));
      case 9 -> {
        if (value != null) {
          assertSame(
              () -> model.compute(key, (k, v) -> value), () -> map.compute(key, (k, v) -> value));
        }
      }
      case 10 ->
          assertSame(
              () -> model.merge(key, 1, (a, b) -> a.equals(7) ? null : b),
              () -> map.merge(key, 1, (a, b) -> a.equals(7) ? null : b));
      case 11 -> assertSame(() -> model.replace(key, value), () -> map.replace(key, value));
      case 12 -> assertSame(() -> model.replace(key, value, 7), () -> map.replace(key, value, 7));
      case 13 -> assertEquals(model.getOrDefault(key, "none"), map.getOrDefault(key, "none"));
      case 14 -> assertEquals(model.containsValue(value), map.containsValue(value));
      case 15 -> assertSame(() -> model.put(key, value), () -> map.put(key, value));
      case 16 -> {
        int modulus = 2 + random.nextInt(20);
        model.keySet().removeIf(k -> String.valueOf(k).hashCode() % modulus == 0);
        map.keySet().removeIf(k -> String.valueOf(k).hashCode() % modulus == 0);
      }
      case 17 -> iterate(model, map, random);
      case 18 -> assertEquals(model.pollFirstEntry(), map.pollFirstEntry());
      case 19 -> assertEquals(model.pollLastEntry(), map.pollLastEntry());
      case 20 -> near(model, map, key);
      default -> throw new AssertionError();
    }
  }

  /** Visits all, removes some and changes some on the way. */
  private void iterate(
      NavigableMap<@Nullable Object, @Nullable Object> model,
      NavigableMap<@Nullable Object, @Nullable Object> map,
      Random random) {
    if (random.nextInt(20) == 0) {
      model.clear();
      map.clear();
      return;
    }
    List<Map.Entry<@Nullable Object, @Nullable Object>> expected = new ArrayList<>();
    model.forEach((k, v) -> expected.add(new java.util.AbstractMap.SimpleEntry<>(k, v)));
    Iterator<Map.Entry<@Nullable Object, @Nullable Object>> i = map.entrySet().iterator();
    for (Map.Entry<@Nullable Object, @Nullable Object> next : expected) {
      assertTrue(i.hasNext());
      Map.Entry<@Nullable Object, @Nullable Object> entry = i.next();
      assertEquals(next, entry);
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> {
          i.remove();
          model.remove(entry.getKey());
        }
        case 3, 4 -> {
          assertEquals(entry.getValue(), entry.setValue("set"));
          assertEquals("set", entry.getValue());
          model.put(entry.getKey(), "set");
        }
        case 5 -> {
          map.put(entry.getKey(), "put"); // replaces a value: not a change of the structure
          assertEquals("put", entry.getValue());
          model.put(entry.getKey(), "put");
        }
        default -> assertEquals(model.get(entry.getKey()), entry.getValue());
      }
    }
    assertFalse(i.hasNext());
  }

  @Test
  void aMapThatWasLargeAndIsEmptyHasNoNodes() {
    for (int direction = 0; direction < 3; direction++) {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        order.add(i);
      }
      if (direction == 1) {
        Collections.reverse(order);
      } else if (direction == 2) {
        Collections.shuffle(order, Seed.random("aMapThatWasLargeAndIsEmptyHasNoNodes"));
      }
      for (int i : order) {
        assertNull(map.put(i, i));
      }
      long leaves = SortedCheck.check(store, map);
      if (direction < 2) {
        assertEquals((5000 + 14) / 15, leaves, "what is filled in order is packed");
      }
      for (int i : order) {
        assertEquals(i, map.remove(i));
        if (i % 512 == 0) {
          SortedCheck.check(store, map);
        }
      }
      SortedCheck.check(store, map);
      assertEquals(0, store.heap.getLong(TestStore.address(map), SortedShapes.ROOT));
    }
  }

  @Test
  void removingMostOfALargeMapGivesItsSpaceBack() {
    Random random = Seed.random("removingMostOfALargeMapGivesItsSpaceBack");
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    store.in(() -> order.forEach(i -> map.put(i, i)));
    Collections.shuffle(order, random);
    TreeSet<Integer> left = new TreeSet<>(order);
    for (int i : order.subList(0, 19_000)) {
      map.remove(i);
      left.remove(i);
    }
    assertEquals(left, map.keySet());
    long leaves = SortedCheck.check(store, map);
    assertTrue(leaves <= 1000 * 2 / 5 + 1, leaves + " leaves for 1000 entries");
  }
}
