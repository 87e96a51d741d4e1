package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.proxy.collection.PersistentMapModelTest.Keys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A linked map does what a {@link LinkedHashMap} does, in the same order. */
class PersistentLinkedMapModelTest extends ModelRun {
  private PersistentLinkedMap<@Nullable Object, @Nullable Object> map = store.newLinkedMap();
  private LinkedHashMap<@Nullable Object, @Nullable Object> model = new LinkedHashMap<>();
  private Keys keys = Keys.FEW;

  @ParameterizedTest
  @EnumSource
  void behavesAsALinkedHashMap(Keys kind) {
    keys = kind;
    run(Seed.random("PersistentLinkedMapModelTest " + kind), 400, 60);
  }

  @Override
  Runnable remember() {
    LinkedHashMap<@Nullable Object, @Nullable Object> before = new LinkedHashMap<>(model);
    return () -> model = before;
  }

  @Override
  void find() {
    map = new PersistentLinkedMap<>(store.space, store.heap.object(TestStore.address(map)));
  }

  /** What a part of the API shows of a map, in its order. */
  private static List<Object> shown(SequencedMap<@Nullable Object, @Nullable Object> map) {
    List<Object> seen = new ArrayList<>();
    map.forEach((key, value) -> seen.add(key + "=" + value));
    return List.of(
        map.toString(),
        map.keySet().toString(),
        map.values().toString(),
        map.sequencedEntrySet().toString(),
        Stream.of(map.sequencedKeySet().toArray()).map(String::valueOf).toList(),
        map.sequencedValues().stream().map(String::valueOf).toList(),
        seen,
        String.valueOf(map.firstEntry()),
        String.valueOf(map.lastEntry()),
        map.hashCode(),
        map.size());
  }

  @Override
  void compare() {
    assertEquals(model, map);
    assertEquals(map, model);
    assertEquals(shown(model), shown(map));
    assertEquals(shown(model.reversed()), shown(map.reversed()));
    assertEquals(
        model.reversed().sequencedKeySet().reversed().toString(),
        map.reversed().sequencedKeySet().reversed().toString());
    TrieCheck.check(store, map);
  }

  @Override
  void steps(Random random, int count) {
    int growing = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      // The same operation on both, as they are or the other way round.
      boolean reversed = random.nextInt(4) == 0;
      SequencedMap<@Nullable Object, @Nullable Object> expected =
          reversed ? model.reversed() : model;
      SequencedMap<@Nullable Object, @Nullable Object> actual = reversed ? map.reversed() : map;
      Object key = keys.next(random);
      @Nullable Object value = random.nextInt(10) == 0 ? null : Integer.valueOf(random.nextInt(50));
      if (random.nextInt(10) < growing) {
        assertEquals(expected.put(key, value), actual.put(key, value));
      } else {
        step(expected, actual, random, key, value);
      }
      assertEquals(expected.get(key), actual.get(key));
      assertEquals(expected.containsKey(key), actual.containsKey(key));
    }
  }

  private void step(
      SequencedMap<@Nullable Object, @Nullable Object> expected,
      SequencedMap<@Nullable Object, @Nullable Object> actual,
      Random random,
      @Nullable Object key,
      @Nullable Object value) {
    switch (random.nextInt(22)) {
      case 0, 1, 2 -> assertEquals(expected.remove(key), actual.remove(key));
      case 3 -> assertEquals(expected.remove(key, value), actual.remove(key, value));
      case 4 -> assertEquals(expected.putIfAbsent(key, value), actual.putIfAbsent(key, value));
      case 5 ->
          assertEquals(
              expected.computeIfAbsent(key, k -> value), actual.computeIfAbsent(key, k -> value));
      case 6 ->
          assertEquals(
              expected.compute(key, (k, v) -> value), actual.compute(key, (k, v) -> value));
      case 7 ->
          assertEquals(
              expected.merge(key, 1, (a, b) -> a.equals(7) ? null : b),
              actual.merge(key, 1, (a, b) -> a.equals(7) ? null : b));
      case 8 -> assertEquals(expected.replace(key, value), actual.replace(key, value));
      case 9, 10 -> assertEquals(expected.putFirst(key, value), actual.putFirst(key, value));
      case 11, 12 -> assertEquals(expected.putLast(key, value), actual.putLast(key, value));
      case 13 -> assertEquals(expected.pollFirstEntry(), actual.pollFirstEntry());
      case 14 -> assertEquals(expected.pollLastEntry(), actual.pollLastEntry());
      case 15 -> {
        Map<@Nullable Object, @Nullable Object> more = new LinkedHashMap<>();
        more.put("more", value);
        more.put(key, value);
        expected.putAll(more);
        actual.putAll(more);
      }
      case 16 -> {
        int modulus = 2 + random.nextInt(20);
        removeIf(expected.keySet(), modulus);
        removeIf(actual.keySet(), modulus);
      }
      case 17 -> {
        if (!expected.isEmpty()) {
          assertEquals(
              expected.sequencedKeySet().removeLast(), actual.sequencedKeySet().removeLast());
        }
      }
      case 18 -> {
        if (!expected.isEmpty()) {
          assertEquals(
              expected.sequencedValues().removeFirst(), actual.sequencedValues().removeFirst());
        }
      }
      case 19 -> assertEquals(expected.values().remove(value), actual.values().remove(value));
      case 20 -> {
        if (random.nextInt(20) == 0) {
          expected.clear();
          actual.clear();
        }
      }
      default -> iterate(expected, actual, random);
    }
  }

  private static void removeIf(Collection<@Nullable Object> keys, int modulus) {
    keys.removeIf(key -> Objects.hashCode(key) % modulus == 0);
  }

  /** Visits all of both, removes some and changes some on the way. */
  private static void iterate(
      SequencedMap<@Nullable Object, @Nullable Object> expected,
      SequencedMap<@Nullable Object, @Nullable Object> actual,
      Random random) {
    Iterator<Map.Entry<@Nullable Object, @Nullable Object>> model = expected.entrySet().iterator();
    int removing = random.nextInt(11);
    for (Iterator<Map.Entry<@Nullable Object, @Nullable Object>> i = actual.entrySet().iterator();
        i.hasNext(); ) {
      Map.Entry<@Nullable Object, @Nullable Object> entry = i.next();
      Map.Entry<@Nullable Object, @Nullable Object> in = model.next();
      assertEquals(in, entry);
      if (random.nextInt(10) < removing) {
        i.remove();
        model.remove();
      } else if (random.nextInt(8) == 0) {
        assertEquals(in.setValue("set"), entry.setValue("set"));
      } else if (random.nextInt(8) == 0) { // replaces a value: not a change of the structure
        assertEquals(expected.put(in.getKey(), "put"), actual.put(entry.getKey(), "put"));
      }
    }
    assertEquals(false, model.hasNext());
  }
}
