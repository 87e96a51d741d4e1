package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.collection.PersistentDeque;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What the JDK's concurrent classes promise of their iterators holds for their facades: those of
 * concurrent queues are weakly consistent, those of copy-on-write lists show one state.
 */
class IterationPromisesTest extends StoreTest {
  private Object facade(Class<?> type) {
    Object facade = store().root(Depot.class).all().get(type);
    assertInstanceOf(type, facade);
    return facade;
  }

  @SuppressWarnings("unchecked") // holds what this test adds
  private ConcurrentLinkedQueue<Integer> queue() {
    return fill((ConcurrentLinkedQueue<Integer>) facade(ConcurrentLinkedQueue.class));
  }

  @SuppressWarnings("unchecked") // holds what this test adds
  private ConcurrentLinkedDeque<Integer> deque() {
    return fill((ConcurrentLinkedDeque<Integer>) facade(ConcurrentLinkedDeque.class));
  }

  @SuppressWarnings("unchecked") // holds what this test adds
  private CopyOnWriteArrayList<Integer> list() {
    return fill((CopyOnWriteArrayList<Integer>) facade(CopyOnWriteArrayList.class));
  }

  private static <C extends Collection<Integer>> C fill(C collection) {
    collection.clear();
    for (int i = 0; i < 20; i++) {
      collection.add(i);
    }
    return collection;
  }

  /** Each way to iterate; the consumer changes the collection. */
  private static List<Consumer<Consumer<Integer>>> iterations(Collection<Integer> collection) {
    return List.of(
        change -> collection.iterator().forEachRemaining(change),
        collection::forEach,
        change -> collection.stream().forEach(change),
        change -> collection.parallelStream().sequential().forEach(change),
        change -> collection.spliterator().forEachRemaining(change));
  }

  private void changedWhileItIsIterated(
      Collection<Integer> whole, Collection<Integer> iterated, boolean ascending) {
    for (int i = 0; i < iterations(iterated).size(); i++) {
      fill(whole);
      List<Integer> seen = new ArrayList<>();
      iterations(iterated)
          .get(i)
          .accept(
              element -> {
                seen.add(element);
                if (element == 10) {
                  whole.remove(5);
                  whole.remove(15);
                  whole.add(99);
                }
              });
      seen.remove((Integer) 99); // may be shown
      List<Integer> expected = new ArrayList<>();
      for (int n = 0; n < 20; n++) {
        int element = ascending ? n : 19 - n;
        if (element != (ascending ? 15 : 5)) {
          expected.add(element);
        }
      }
      assertEquals(expected, seen);
      assertTrue(whole.contains(99));
      assertEquals(19, whole.size());
    }
  }

  @Test
  void aConcurrentQueueMayBeChangedWhileItIsIterated() {
    changedWhileItIsIterated(queue(), queue(), true);
    changedWhileItIsIterated(deque(), deque(), true);
    changedWhileItIsIterated(deque(), deque().reversed(), false);
    changedWhileItIsIterated(deque(), deque().reversed().reversed(), true);
    store().transaction(() -> changedWhileItIsIterated(queue(), queue(), true));
    store().transaction(() -> changedWhileItIsIterated(deque(), deque(), true));
  }

  @Test
  void aConcurrentDequeMayBeChangedWhileItIsIteratedBackwards() {
    ConcurrentLinkedDeque<Integer> deque = deque();
    int count = 0;
    for (Iterator<Integer> all = deque.descendingIterator(); all.hasNext(); count++) {
      int element = all.next();
      deque.removeLastOccurrence(element);
      all.remove(); // is gone already
      deque.addLast(-1);
    }
    assertEquals(20, count);
    assertEquals(20, deque.size());
  }

  @Test
  void aFilterMayChangeAConcurrentQueue() {
    for (Collection<Integer> queue : List.of(queue(), deque())) {
      assertTrue(
          queue.removeIf(
              element -> {
                if (element == 4) {
                  queue.remove(2); // was accepted
                  queue.remove(8);
                  queue.add(100);
                }
                return element % 2 == 0 && element < 20;
              }));
      assertEquals(List.of(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 100), List.copyOf(queue));
      assertFalse(queue.removeIf(element -> element > 100));
      assertTrue(queue.removeAll(List.of(1, 3)));
      assertTrue(queue.retainAll(List.of(5, 7)));
      assertEquals(List.of(5, 7), List.copyOf(queue));
    }
  }

  @Test
  @SuppressWarnings("unchecked") // holds what this test adds
  void anArrayDequeMayNot() {
    ArrayDeque<Integer> deque = fill((ArrayDeque<Integer>) facade(ArrayDeque.class));
    Iterator<Integer> iterator = deque.iterator();
    deque.add(20);
    assertThrows(ConcurrentModificationException.class, iterator::next);
  }

  /** The view for the iterations is the deque itself for all that refers to it. */
  @Test
  void theReverseOfTheReverseIsTheSameDeque() {
    ConcurrentLinkedDeque<Integer> deque = deque();
    PersistentDeque<?> again = assertInstanceOf(PersistentDeque.class, deque.reversed().reversed());
    assertSame(((View) deque).pmstoreCollection().pmstoreHandle(), again.pmstoreHandle());
  }

  @Test
  @SuppressWarnings("unchecked") // holds what this test adds
  void theReverseOfTheReverseIsTheSameList() {
    CopyOnWriteArrayList<Integer> list = list();
    assertSame(list, list.reversed().reversed());
    List<Integer> part = list.subList(2, 12);
    assertSame(part, part.reversed().reversed());
    LinkedList<Integer> linked = fill((LinkedList<Integer>) facade(LinkedList.class));
    assertSame(linked, linked.reversed().reversed());
  }

  @Test
  void aViewOfACopyOnWriteListIsACopyWhenItIsAssigned() {
    Depot depot = store().root(Depot.class);
    for (Function<List<Integer>, List<Integer>> of : VIEWS) {
      CopyOnWriteArrayList<Integer> list = list();
      List<Integer> view = of.apply(list);
      List<Integer> before = List.copyOf(view);
      depot.setAny(view);
      assertEquals(before, depot.getAny());
      list.removeLast();
      list.removeFirst();
      list.set(5, 77);
      assertEquals(view == list ? list : before, depot.getAny());
    }
  }

  /** Lists, plain and stored, that a program gets of a copy-on-write list. */
  private static final List<Function<List<Integer>, List<Integer>>> VIEWS =
      List.of(
          list -> list,
          list -> list.subList(2, 12),
          List::reversed,
          list -> list.reversed().reversed(),
          list -> list.subList(2, 12).reversed(),
          list -> list.reversed().subList(2, 12),
          list -> list.subList(2, 12).subList(1, 5),
          list -> list.subList(2, 12).reversed().reversed());

  private interface Call {
    @Nullable Object on(List<Integer> view, List<Integer> list);
  }

  private void asPlain(String what, Call call) {
    for (int i = 0; i < VIEWS.size(); i++) {
      List<Integer> plain = fill(new CopyOnWriteArrayList<>());
      String expected = outcome(plain, VIEWS.get(i).apply(plain), call);
      CopyOnWriteArrayList<Integer> stored = list();
      assertEquals(
          expected, outcome(stored, VIEWS.get(i).apply(stored), call), what + " of view " + i);
    }
  }

  private static String outcome(List<Integer> list, List<Integer> view, Call call) {
    String result;
    try {
      result = "" + call.on(view, list);
    } catch (IndexOutOfBoundsException e) {
      result = "a bad index"; // of one class or another
    } catch (UnsupportedOperationException | NoSuchElementException e) {
      result = e.getClass().getName();
    }
    return result + " " + list + " " + view;
  }

  private static @Nullable Object nothing(Runnable call) {
    call.run();
    return null;
  }

  @Test
  void iteratorsOfCopyOnWriteListsAndTheirViewsDoNotWrite() {
    asPlain("set", (view, list) -> nothing(() -> second(view).set(77)));
    asPlain("add", (view, list) -> nothing(() -> second(view).add(77)));
    asPlain("remove", (view, list) -> nothing(() -> second(view).remove()));
    asPlain("remove", (view, list) -> nothing(() -> removeFirst(view.iterator())));
    asPlain("position", (view, list) -> second(view).nextIndex());
    asPlain("position", (view, list) -> view.listIterator(2).previous());
    asPlain("bad position", (view, list) -> view.listIterator(21));
  }

  private static ListIterator<Integer> second(List<Integer> list) {
    ListIterator<Integer> iterator = list.listIterator();
    iterator.next();
    iterator.next();
    return iterator;
  }

  private static void removeFirst(Iterator<Integer> iterator) {
    iterator.next();
    iterator.remove();
  }

  @Test
  void iteratorsOfViewsShowTheStateInWhichTheyWereMade() {
    for (Function<List<Integer>, List<Integer>> of : VIEWS) {
      CopyOnWriteArrayList<Integer> list = list();
      List<Integer> view = of.apply(list);
      List<Integer> before = List.copyOf(view);
      Iterator<Integer> iterator = view.iterator();
      ListIterator<Integer> ofList = view.listIterator();
      list.addFirst(-1);
      list.remove((Integer) 5);
      List<Integer> seen = new ArrayList<>();
      iterator.forEachRemaining(seen::add);
      assertEquals(before, seen);
      seen.clear();
      ofList.forEachRemaining(seen::add);
      assertEquals(before, seen);
    }
  }

  @Test
  void viewsOfCopyOnWriteListsCanBeChanged() {
    asPlain("set", (view, list) -> view.set(1, 77));
    asPlain("add", (view, list) -> view.add(77));
    asPlain("add at", (view, list) -> nothing(() -> view.add(1, 77)));
    asPlain("addFirst", (view, list) -> nothing(() -> view.addFirst(77)));
    asPlain("addLast", (view, list) -> nothing(() -> view.addLast(77)));
    asPlain("addAll", (view, list) -> view.addAll(List.of(77, 78)));
    asPlain("addAll at", (view, list) -> view.addAll(1, List.of(77, 78)));
    asPlain("remove at", (view, list) -> view.remove(1));
    asPlain("remove", (view, list) -> view.remove((Integer) 4));
    asPlain("removeFirst", (view, list) -> view.removeFirst());
    asPlain("removeLast", (view, list) -> view.removeLast());
    asPlain("removeAll", (view, list) -> view.removeAll(List.of(4, 5, 19)));
    asPlain("retainAll", (view, list) -> view.retainAll(List.of(4, 5, 19)));
    asPlain("removeIf", (view, list) -> view.removeIf(e -> e % 2 == 0));
    asPlain("replaceAll", (view, list) -> nothing(() -> view.replaceAll(e -> -e)));
    asPlain("sort", (view, list) -> nothing(() -> view.sort((a, b) -> b - a)));
    asPlain("clear", (view, list) -> nothing(view::clear));
    asPlain("get", (view, list) -> "" + view.get(1) + view.getFirst() + view.getLast());
    asPlain("indexOf", (view, list) -> "" + view.indexOf(4) + view.lastIndexOf(4));
    asPlain("contains", (view, list) -> "" + view.contains(4) + view.contains(77));
    asPlain("containsAll", (view, list) -> view.containsAll(List.of(4, 5)));
    asPlain("toArray", (view, list) -> Arrays.toString(view.toArray()));
    asPlain("toArray", (view, list) -> Arrays.toString(view.toArray(new Integer[0])));
    asPlain("isEmpty", (view, list) -> view.isEmpty());
    asPlain("stream", (view, list) -> view.stream().toList());
    asPlain("equals", (view, list) -> view.equals(List.copyOf(view)) + " " + view.hashCode());
    asPlain("get of a bad index", (view, list) -> view.get(20));
  }
}
