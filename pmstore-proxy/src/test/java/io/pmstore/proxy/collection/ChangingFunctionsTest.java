package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Functions that change the list or deque whose operation calls them, as a mistake: the JDK's list
 * says so, and a list of the store does too, and changes nothing.
 */
class ChangingFunctionsTest {
  private final TestStore store = new TestStore();
  private boolean isDone; // a function makes its change once
  private List<Integer> changed = List.of(); // the list that it changes
  private List<Integer> left = List.of(); // what the change has left there

  /** An operation whose function changes the list. It is done on the list or on a part of it. */
  private interface Operation {
    void on(List<Integer> list, List<Integer> part);
  }

  private void once(Runnable change) {
    if (!isDone) {
      isDone = true;
      change.run();
      left = List.copyOf(changed);
    }
  }

  private static void fill(List<Integer> list, int size) {
    for (int i = 0; i < size; i++) {
      list.add(i);
    }
  }

  private static List<Integer> numbers(int size) {
    List<Integer> numbers = new ArrayList<>();
    fill(numbers, size);
    return numbers;
  }

  /** The operation fails on a plain list, and on one of the store, whose elements stay. */
  private void refused(Operation operation) {
    for (int size : List.of(6, 100)) {
      List<Integer> plain = numbers(size);
      isDone = false;
      // The JDK's list may notice too late, and first call the function with null.
      assertThrows(RuntimeException.class, () -> operation.on(plain, plain));

      PersistentList<Integer> list = store.newList();
      fill(list, size);
      alone(list, () -> operation.on(list, list));
      alone(list, () -> operation.on(list, list.subList(0, size)));
      alone(list, () -> operation.on(list, list.subList(1, size - 1)));
      alone(list, () -> operation.on(list, list.subList(0, size).subList(1, size - 1)));
      List<Integer> part = list.subList(1, size - 1);
      alone(list, () -> operation.on(part, part));
      inTransaction(list, () -> operation.on(list, list));
      inTransaction(list, () -> operation.on(list, list.subList(1, size - 1)));
    }
  }

  private void alone(List<Integer> list, Runnable call) {
    isDone = false;
    List<Integer> before = List.copyOf(list);
    assertThrows(ConcurrentModificationException.class, call::run);
    assertEquals(before, list);
  }

  /** The transaction goes on: it has what the function has changed, and nothing else. */
  private void inTransaction(PersistentList<Integer> list, Runnable call) {
    List<Integer> before = List.copyOf(list);
    changed = list;
    store.in(
        () -> {
          isDone = false;
          assertThrows(ConcurrentModificationException.class, call::run);
          list.add(-1);
        });
    assertEquals(-1, list.removeLast());
    assertEquals(left, list);
    changed = List.of();
    list.clear();
    list.addAll(before);
  }

  @Test
  void aFilterThatChangesTheListIsRefused() {
    refused((list, part) -> part.removeIf(e -> changes(() -> list.add(0, 99)) || e == 3));
    refused((list, part) -> part.removeIf(e -> changes(() -> list.add(99)) || e == 3));
    refused((list, part) -> part.removeIf(e -> changes(() -> list.remove(0)) || e == 3));
    refused((list, part) -> part.removeIf(e -> changes(() -> removeAndAdd(list)) || e == 3));
    refused((list, part) -> part.removeIf(e -> changes(list::clear)));
    refused((list, part) -> part.removeIf(e -> changes(() -> shorten(list)) || e >= 4));
    refused((list, part) -> part.removeIf(e -> changes(() -> list.removeIf(f -> f == 2))));
    refused(
        (list, part) -> part.removeIf(e -> changes(() -> list.sort(Comparator.reverseOrder()))));
  }

  private boolean changes(Runnable change) {
    once(change);
    return false;
  }

  private static void removeAndAdd(List<Integer> list) {
    list.add(0, list.removeLast());
  }

  private static void shorten(List<Integer> list) {
    while (list.size() > 3) {
      list.removeLast();
    }
  }

  @Test
  void anOperatorThatChangesTheListIsRefused() {
    refused((list, part) -> part.replaceAll(e -> then(() -> list.add(0, 99), e * 10)));
    refused((list, part) -> part.replaceAll(e -> then(() -> list.add(99), e * 10)));
    refused((list, part) -> part.replaceAll(e -> then(() -> removeAndAdd(list), e * 10)));
    refused((list, part) -> part.replaceAll(e -> then(list::clear, e * 10)));
  }

  private int then(Runnable change, int result) {
    once(change);
    return result;
  }

  @Test
  void aComparatorThatChangesTheListIsRefused() {
    refused((list, part) -> part.sort((a, b) -> then(() -> list.add(0, 99), b - a)));
    refused((list, part) -> part.sort((a, b) -> then(() -> removeAndAdd(list), b - a)));
    refused((list, part) -> part.sort((a, b) -> then(list::clear, b - a)));
    refused((list, part) -> Collections.sort(part, (a, b) -> then(list::clear, b - a)));
  }

  /** The JDK's list may lose it. */
  @Test
  void aComparatorThatSetsAnElementIsRefused() {
    PersistentList<Integer> list = store.newList();
    fill(list, 9);
    alone(list, () -> list.sort((a, b) -> then(() -> list.set(4, 99), b - a)));
    alone(list, () -> list.subList(2, 7).sort((a, b) -> then(() -> list.set(8, 99), b - a)));
  }

  @Test
  void anotherThreadThatChangesTheListMeanwhileHidesNothing() {
    PersistentList<Integer> list = store.newList();
    fill(list, 9);
    Runnable change =
        () -> {
          list.addFirst(99);
          onOtherThread(() -> list.contents().modifications().restructured());
        };
    alone(list, () -> list.removeIf(e -> changes(change) || e == 3));
    alone(list, () -> list.replaceAll(e -> then(change, -e)));
    alone(list, () -> list.sort((a, b) -> then(change, b - a)));
    PersistentDeque<Integer> deque = store.newDeque();
    deque.addAll(numbers(9));
    isDone = false;
    assertThrows(
        ConcurrentModificationException.class,
        () ->
            deque.removeIf(
                e ->
                    changes(
                            () -> {
                              deque.addFirst(99);
                              onOtherThread(() -> deque.contents().modifications().restructured());
                            })
                        || e == 3));
    assertEquals(numbers(9), List.copyOf(deque));
  }

  private static void onOtherThread(Runnable action) {
    Thread thread = Thread.ofPlatform().start(action);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Another thread's change is another transaction, which decides itself whether it conflicts. */
  @Test
  void anotherThreadThatChangesTheListIsNoMistake() {
    PersistentList<Integer> list = store.newList();
    fill(list, 9);
    list.removeIf(e -> changes(() -> onOtherThread(() -> list.add(9))) || e == 3);
    assertEquals(List.of(0, 1, 2, 4, 5, 6, 7, 8, 9), list);
    isDone = false;
    list.sort((a, b) -> then(() -> onOtherThread(() -> list.add(10)), b - a));
    assertEquals(List.of(10, 9, 8, 7, 6, 5, 4, 2, 1, 0), list);
    isDone = false;
    list.replaceAll(e -> then(() -> onOtherThread(() -> list.set(0, 20)), e + 1));
    assertEquals(List.of(21, 10, 9, 8, 7, 6, 5, 3, 2, 1), list);
  }

  /** The same is left of both. */
  private void same(Operation operation) {
    for (int size : List.of(9, 100)) {
      List<Integer> plain = numbers(size);
      isDone = false;
      operation.on(plain, plain);
      PersistentList<Integer> list = store.newList();
      fill(list, size);
      isDone = false;
      operation.on(list, list);
      assertEquals(plain, list);

      List<Integer> another = numbers(size);
      isDone = false;
      operation.on(another, another.subList(2, 7));
      list.clear();
      fill(list, size);
      isDone = false;
      operation.on(list, list.subList(2, 7));
      assertEquals(another, list);
    }
  }

  @Test
  void whatAnOperatorSetsInTheListIsKeptAsInAPlainList() {
    Consumer<List<Integer>> forwards = list -> list.set(5, 1000);
    Consumer<List<Integer>> backwards = list -> list.set(2, 2000);
    Consumer<List<Integer>> outside = list -> list.set(8, 3000);
    for (Consumer<List<Integer>> set : List.of(forwards, backwards, outside)) {
      for (int at = 2; at < 7; at++) {
        int when = at;
        same((list, part) -> part.replaceAll(e -> e == when ? after(set, list, 77) : e * 10));
      }
    }
    same((list, part) -> part.replaceAll(e -> after(l -> l.set(3, -e), list, e * 10)));
    same((list, part) -> part.replaceAll(e -> after(l -> swap(l, e), list, e * 10)));
  }

  private static void swap(List<Integer> list, int e) {
    if (e == 4) {
      list.set(2, 44);
      list.set(4, 45);
      list.set(6, 46);
      list.set(2, 2);
    }
  }

  private static int after(Consumer<List<Integer>> set, List<Integer> list, int result) {
    set.accept(list);
    return result;
  }

  @Test
  void whatAFilterSetsInTheListIsKeptAsInAPlainList() {
    same((list, part) -> part.removeIf(e -> after(l -> l.set(5, 50), list, e) % 2 == 0));
    same((list, part) -> part.removeIf(e -> after(l -> l.set(2, 50), list, e) == 5));
  }

  @Test
  void anElementThatIsComparedCannotBeChangedByAnOperationInside() {
    PersistentList<Integer> list = store.newList();
    fill(list, 9);
    alone(list, () -> list.replaceAll(e -> then(() -> list.replaceAll(f -> f + 100), e * 10)));
    alone(list, () -> list.sort((a, b) -> then(() -> list.replaceAll(f -> f + 100), b - a)));
  }

  @Test
  void functionsThatReadTheListSeeItAsItWas() {
    PersistentList<Integer> list = store.newList();
    fill(list, 9);
    list.removeIf(e -> list.contains(e + 1) && list.indexOf(e) < 4);
    assertEquals(List.of(4, 5, 6, 7, 8), list);
    list.replaceAll(e -> list.get(0) + e);
    assertEquals(List.of(8, 9, 10, 11, 12), list);
    list.sort(Comparator.comparing(e -> -list.indexOf(e)));
    assertEquals(List.of(12, 11, 10, 9, 8), list);
  }
}
