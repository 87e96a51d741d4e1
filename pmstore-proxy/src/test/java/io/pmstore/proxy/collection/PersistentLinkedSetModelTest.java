package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.proxy.collection.PersistentMapModelTest.Keys;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A linked set does what a {@link LinkedHashSet} does, in the same order. */
class PersistentLinkedSetModelTest extends ModelRun {
  private PersistentLinkedSet<@Nullable Object> set = store.newLinkedSet();
  private LinkedHashSet<@Nullable Object> model = new LinkedHashSet<>();
  private Keys keys = Keys.FEW;

  @ParameterizedTest
  @EnumSource
  void behavesAsALinkedHashSet(Keys kind) {
    keys = kind;
    run(Seed.random("PersistentLinkedSetModelTest " + kind), 400, 60);
  }

  @Override
  Runnable remember() {
    LinkedHashSet<@Nullable Object> before = new LinkedHashSet<>(model);
    return () -> model = before;
  }

  @Override
  void find() {
    set = new PersistentLinkedSet<>(store.space, store.heap.object(TestStore.address(set)));
  }

  private static List<Object> shown(SequencedSet<@Nullable Object> set) {
    return List.of(
        set.toString(),
        Stream.of(set.toArray()).map(String::valueOf).toList(),
        set.stream().map(String::valueOf).toList(),
        set.isEmpty() ? "none" : set.getFirst() + " to " + set.getLast(),
        set.hashCode(),
        set.size());
  }

  @Override
  void compare() {
    assertEquals(model, set);
    assertEquals(set, model);
    assertEquals(shown(model), shown(set));
    assertEquals(shown(model.reversed()), shown(set.reversed()));
    TrieCheck.check(store, set);
  }

  @Override
  void steps(Random random, int count) {
    int growing = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      boolean reversed = random.nextInt(4) == 0;
      SequencedSet<@Nullable Object> expected = reversed ? model.reversed() : model;
      SequencedSet<@Nullable Object> actual = reversed ? set.reversed() : set;
      Object element = keys.next(random);
      if (random.nextInt(10) < growing) {
        assertEquals(expected.add(element), actual.add(element));
      } else {
        step(expected, actual, random, element);
      }
      assertEquals(expected.contains(element), actual.contains(element));
    }
  }

  private Set<@Nullable Object> some(Random random) {
    Set<@Nullable Object> some = new LinkedHashSet<>();
    for (int i = random.nextInt(30); i > 0; i--) {
      some.add(keys.next(random));
    }
    return some;
  }

  private void step(
      SequencedSet<@Nullable Object> expected,
      SequencedSet<@Nullable Object> actual,
      Random random,
      @Nullable Object element) {
    switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> assertEquals(expected.remove(element), actual.remove(element));
      case 4 -> {
        expected.addFirst(element);
        actual.addFirst(element);
      }
      case 5 -> {
        expected.addLast(element);
        actual.addLast(element);
      }
      case 6 -> {
        if (!expected.isEmpty()) {
          assertEquals(expected.removeFirst(), actual.removeFirst());
        }
      }
      case 7 -> {
        if (!expected.isEmpty()) {
          assertEquals(expected.removeLast(), actual.removeLast());
        }
      }
      case 8 -> {
        Set<@Nullable Object> some = some(random);
        assertEquals(expected.addAll(some), actual.addAll(some));
      }
      case 9 -> {
        Set<@Nullable Object> some = some(random);
        assertEquals(expected.removeAll(some), actual.removeAll(some));
      }
      case 10 -> {
        int modulus = 2 + random.nextInt(20);
        assertEquals(
            expected.removeIf(e -> Objects.hashCode(e) % modulus == 0),
            actual.removeIf(e -> Objects.hashCode(e) % modulus == 0));
      }
      case 11 -> {
        if (random.nextInt(20) == 0) {
          expected.clear();
          actual.clear();
        }
      }
      default -> iterate(expected, actual, random);
    }
  }

  private static void iterate(
      SequencedSet<@Nullable Object> expected,
      SequencedSet<@Nullable Object> actual,
      Random random) {
    Iterator<@Nullable Object> model = expected.iterator();
    int removing = random.nextInt(11);
    for (Iterator<@Nullable Object> i = actual.iterator(); i.hasNext(); ) {
      assertEquals(model.next(), i.next());
      if (random.nextInt(10) < removing) {
        i.remove();
        model.remove();
      }
    }
    assertEquals(false, model.hasNext());
  }
}
