package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.collection.PersistentMapModelTest.Keys;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A set does what a {@link HashSet} does. */
class PersistentSetModelTest extends ModelRun {
  private PersistentSet<@Nullable Object> set = store.newSet();
  private Set<@Nullable Object> model = new HashSet<>();
  private Keys keys = Keys.FEW;

  @ParameterizedTest
  @EnumSource
  void behavesAsAHashSet(Keys kind) {
    keys = kind;
    run(Seed.random("PersistentSetModelTest " + kind), 400, 60);
  }

  @Override
  Runnable remember() {
    Set<@Nullable Object> before = new HashSet<>(model);
    return () -> model = before;
  }

  @Override
  void find() {
    set = new PersistentSet<>(store.space, store.heap.object(TestStore.address(set)));
  }

  @Override
  void compare() {
    assertEquals(model, set);
    assertEquals(set, model);
    assertEquals(model.hashCode(), set.hashCode());
    assertEquals(model.size(), set.size());
    assertEquals(model.isEmpty(), set.isEmpty());
    assertEquals(model, new HashSet<>(set));
    TrieCheck.check(store, set);
  }

  @Override
  void steps(Random random, int count) {
    int growing = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      Object element = keys.next(random);
      if (random.nextInt(10) < growing) {
        assertEquals(model.add(element), set.add(element));
      } else if (random.nextInt(12) > 0) {
        assertEquals(model.remove(element), set.remove(element));
      } else {
        rare(random, element);
      }
      assertEquals(model.contains(element), set.contains(element));
    }
  }

  private Set<@Nullable Object> some(Random random) {
    Set<@Nullable Object> some = new HashSet<>();
    for (int i = random.nextInt(30); i > 0; i--) {
      some.add(keys.next(random));
    }
    return some;
  }

  private void rare(Random random, @Nullable Object element) {
    Set<@Nullable Object> some = some(random);
    switch (random.nextInt(7)) {
      case 0 -> assertEquals(model.addAll(some), set.addAll(some));
      case 1 -> assertEquals(model.removeAll(some), set.removeAll(some));
      case 2 -> assertEquals(model.containsAll(some), set.containsAll(some));
      case 3 -> {
        some.add(element);
        some.addAll(model.stream().filter(e -> Objects.hashCode(e) % 3 > 0).toList());
        assertEquals(model.retainAll(some), set.retainAll(some));
      }
      case 4 -> {
        int modulus = 2 + random.nextInt(20);
        assertEquals(
            model.removeIf(e -> Objects.hashCode(e) % modulus == 0),
            set.removeIf(e -> Objects.hashCode(e) % modulus == 0));
      }
      case 5 -> {
        if (random.nextInt(10) == 0) {
          model.clear();
          set.clear();
        }
      }
      default -> iterate(random);
    }
  }

  private void iterate(Random random) {
    Set<@Nullable Object> seen = new HashSet<>();
    for (Iterator<@Nullable Object> i = set.iterator(); i.hasNext(); ) {
      Object element = i.next();
      assertTrue(seen.add(element), () -> "twice: " + element);
      assertTrue(model.contains(element));
      if (random.nextInt(8) == 0) {
        i.remove();
        model.remove(element);
        seen.remove(element);
      }
    }
    assertEquals(model, seen);
  }
}
