package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations on a list and on an {@link ArrayList} beside it: in and outside transactions,
 * rolled back, reopened.
 */
class PersistentListModelTest {
  /** Thrown to roll back. */
  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final Comparator<@Nullable Object> ORDER =
      Comparator.comparingInt(o -> o == null ? -1 : Integer.parseInt(o.toString()) % 100);

  private TestStore store = new TestStore();
  private PersistentList<@Nullable Object> list = store.newList();
  private List<@Nullable Object> model = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {5, 40, 3000})
  void behavesAsAnArrayList(int typicalSize) {
    Random random = Seed.random("PersistentListModelTest " + typicalSize);
    for (int round = 0; round < 300; round++) {
      int steps = random.nextInt(Math.max(10, typicalSize / 10));
      switch (random.nextInt(4)) {
        case 0 -> store.in(() -> run(random, steps, typicalSize));
        case 1 -> {
          List<@Nullable Object> before = new ArrayList<>(model);
          assertThrows(
              RollBack.class,
              () ->
                  store.in(
                      () -> {
                        run(random, steps, typicalSize);
                        throw new RollBack();
                      }));
          model = before;
        }
        default -> run(random, steps, typicalSize);
      }
      if (random.nextInt(40) == 0) {
        long address = TestStore.address(list);
        store = store.reopen();
        list = store.list(address);
      }
      compare();
    }
  }

  private void compare() {
    assertEquals(model, list);
    assertEquals(list, model);
    assertEquals(model.hashCode(), list.hashCode());
    assertArrayEquals(model.toArray(), list.toArray());
    for (int i = 0; i < model.size(); i++) {
      assertEquals(model.get(i), list.get(i));
    }
    TreeCheck.check(store, list);
  }

  private void run(Random random, int steps, int typicalSize) {
    int appending = random.nextInt(6);
    int numbers = Math.max(0, random.nextInt(20) - 10);
    for (int i = 0; i < steps; i++) {
      @Nullable Object value = value(random, numbers);
      int size = model.size();
      if (random.nextInt(6) < appending && size < typicalSize * 2) {
        assertTrue(list.add(value));
        model.add(value);
      } else {
        step(random, value, size, typicalSize);
      }
      assertEquals(model.size(), list.size());
    }
  }

  /** Returns null, or a text, which is kept in a reference, or a number, which needs a cell. */
  private static @Nullable Object value(Random random, int numbers) {
    Integer number = random.nextInt(500);
    return random.nextInt(10) == 0
        ? null
        : random.nextInt(10) < numbers ? number : number.toString();
  }

  private void step(Random random, @Nullable Object value, int size, int typicalSize) {
    int at = random.nextInt(size + 1);
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> {
        model.add(at, value);
        list.add(at, value);
      }
      case 4 -> {
        model.addFirst(value);
        list.addFirst(value);
      }
      case 5, 6, 7, 8 -> {
        if (at < size) {
          assertEquals(model.remove(at), list.remove(at));
        } else {
          assertThrows(IndexOutOfBoundsException.class, () -> list.remove(at));
        }
      }
      case 9 -> {
        if (size > 0) {
          assertEquals(model.removeFirst(), list.removeFirst());
        }
      }
      case 10 -> assertEquals(model.remove(value), list.remove(value));
      case 11 -> {
        if (at < size) {
          assertEquals(model.set(at, value), list.set(at, value));
        }
      }
      case 12 -> {
        assertEquals(model.indexOf(value), list.indexOf(value));
        assertEquals(model.lastIndexOf(value), list.lastIndexOf(value));
        assertEquals(model.contains(value), list.contains(value));
      }
      case 13 -> {
        List<@Nullable Object> more =
            new ArrayList<>(Collections.nCopies(random.nextInt(70), value));
        assertEquals(model.addAll(at, more), list.addAll(at, more));
      }
      case 14 -> {
        int modulus = 2 + random.nextInt(20);
        assertEquals(
            model.removeIf(o -> Objects.hashCode(o) % modulus == 0),
            list.removeIf(o -> Objects.hashCode(o) % modulus == 0));
      }
      case 15 -> {
        model.replaceAll(o -> o == null ? value : o);
        list.replaceAll(o -> o == null ? value : o);
      }
      case 16 -> {
        model.sort(ORDER);
        list.sort(ORDER);
      }
      case 17 -> subList(random, at, at + random.nextInt(size - at + 1), value);
      case 18 -> iterate(random, at);
      case 19 -> {
        if (size > typicalSize || random.nextInt(10) == 0) {
          model.subList(at / 2, at).clear();
          list.subList(at / 2, at).clear();
        }
      }
      default -> throw new AssertionError();
    }
  }

  private void subList(Random random, int from, int to, @Nullable Object value) {
    List<@Nullable Object> expected = model.subList(from, to);
    List<@Nullable Object> actual = list.subList(from, to);
    assertEquals(expected, actual);
    switch (random.nextInt(5)) {
      case 0 -> {
        expected.sort(ORDER);
        actual.sort(ORDER);
      }
      case 1 -> {
        expected.add(value);
        actual.add(value);
      }
      case 2 -> {
        expected.removeIf(o -> Objects.equals(o, value));
        actual.removeIf(o -> Objects.equals(o, value));
      }
      case 3 -> {
        List<@Nullable Object> expectedInner = expected.subList(0, expected.size() / 2);
        List<@Nullable Object> actualInner = actual.subList(0, actual.size() / 2);
        expectedInner.add(0, value);
        actualInner.add(0, value);
        assertEquals(expectedInner, actualInner);
      }
      default -> {
        expected.replaceAll(o -> value);
        actual.replaceAll(o -> value);
      }
    }
    assertEquals(expected, actual);
    assertEquals(expected.size(), actual.size());
  }

  private void iterate(Random random, int from) {
    ListIterator<@Nullable Object> expected = model.listIterator(from);
    ListIterator<@Nullable Object> actual = list.listIterator(from);
    for (int i = 0; i < 100; i++) {
      assertEquals(expected.nextIndex(), actual.nextIndex());
      assertEquals(expected.hasNext(), actual.hasNext());
      assertEquals(expected.hasPrevious(), actual.hasPrevious());
      if (!expected.hasNext() && !expected.hasPrevious()) {
        return;
      }
      if (!expected.hasNext() || (expected.hasPrevious() && random.nextInt(3) == 0)) {
        assertEquals(expected.previous(), actual.previous());
      } else {
        assertEquals(expected.next(), actual.next());
      }
      switch (random.nextInt(12)) {
        case 0 -> {
          expected.remove();
          actual.remove();
        }
        case 1 -> {
          expected.set(-1);
          actual.set(-1);
        }
        case 2 -> {
          expected.add(-2);
          actual.add(-2);
        }
        default -> {}
      }
    }
  }

  @Test
  void aListThatIsOnlyAppendedToIsPackedAndLogsLittle() {
    for (int i = 0; i < 992; i++) {
      list.add(i);
    }
    long root = store.heap.getLong(TestStore.address(list), ListShapes.LIST_ROOT);
    assertEquals(32, store.heap.getInt(root, ListShapes.LIST_NODE_COUNT), "leaves, all full");
    assertEquals(new TreeCheck.Leaves(0, 32), TreeCheck.check(store, list));
  }

  @Test
  void onlyALeafThatGetsAnotherKindOfElementChangesItsForm() {
    for (int i = 0; i < 310; i++) {
      list.add("" + i);
    }
    list.set(4, null);
    assertEquals(new TreeCheck.Leaves(10, 0), TreeCheck.check(store, list));
    list.set(100, 100);
    assertEquals(new TreeCheck.Leaves(9, 1), TreeCheck.check(store, list));
    list.set(309, 309);
    assertEquals(new TreeCheck.Leaves(8, 2), TreeCheck.check(store, list));
    list.add(310);
    list.add("311");
    assertEquals(new TreeCheck.Leaves(8, 3), TreeCheck.check(store, list));
    list.add(40, 40);
    assertEquals(new TreeCheck.Leaves(8, 4), TreeCheck.check(store, list), "the left half");
    list.add(92, 92);
    assertEquals(new TreeCheck.Leaves(8, 5), TreeCheck.check(store, list), "the right half");
    list.add(2, "text");
    assertEquals(new TreeCheck.Leaves(9, 5), TreeCheck.check(store, list), "two of references");
    assertEquals(Arrays.asList("3", null, "5"), list.subList(4, 7));
    assertEquals(100, list.get(103));
    assertEquals(list.indexOf(310), list.size() - 2);
    list.removeIf(Integer.class::isInstance);
    assertEquals(310, list.size());
    TreeCheck.check(store, list);
  }

  @Test
  void aSortNeedsComparableElementsAndChangesNothingWithout() {
    list.addAll(List.of(1, "a", 2));
    store.in(() -> assertThrows(ClassCastException.class, () -> list.sort(null)));
    assertEquals(List.of(1, "a", 2), list);
  }
}
