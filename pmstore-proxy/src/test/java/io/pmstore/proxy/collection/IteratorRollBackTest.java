package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * An iterator that was made before a transaction and makes changes in it: a roll-back takes it back
 * to where it was before its first change, and so does an attempt that has to be repeated.
 */
class IteratorRollBackTest {
  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final TestStore store = new TestStore();
  private final PersistentList<Integer> other = store.newList();

  IteratorRollBackTest() {
    other.add(0);
  }

  private void rolledBack(Runnable body) {
    assertThrows(
        RollBack.class,
        () ->
            store.in(
                () -> {
                  body.run();
                  throw new RollBack();
                }));
  }

  /** Runs the body twice: another thread makes the first attempt fail. */
  private void twice(Runnable body) {
    int[] attempts = new int[1];
    store.in(
        () -> {
          int before = other.get(0);
          body.run();
          if (attempts[0]++ == 0) {
            onOtherThread(() -> other.set(0, before + 1));
          }
          other.set(0, before + 10);
        });
    assertEquals(2, attempts[0]);
  }

  private static void onOtherThread(Runnable action) {
    Thread thread = Thread.ofPlatform().start(action);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static <C extends Collection<Integer>> C filled(C collection) {
    for (int i = 0; i < 40; i++) {
      collection.add(i);
    }
    return collection;
  }

  private static <M extends Map<Integer, Integer>> M filled(M map) {
    for (int i = 0; i < 40; i++) {
      map.put(i, -i);
    }
    return map;
  }

  /** Every kind of collection and view that has an iterator of its own. */
  private Map<String, Supplier<Collection<?>>> collections() {
    Map<String, Supplier<Collection<?>>> all = new LinkedHashMap<>();
    all.put("list", () -> filled(store.<Integer>newList()));
    all.put("reversed list", () -> filled(store.<Integer>newList()).reversed());
    all.put("sublist", () -> filled(store.<Integer>newList()).subList(3, 33));
    all.put(
        "sublist of a sublist",
        () -> filled(store.<Integer>newList()).subList(3, 33).subList(0, 20));
    all.put("deque", () -> filled(store.<Integer>newDeque()));
    all.put("concurrent deque", () -> filled(store.<Integer>newDeque()).weaklyConsistent());
    all.put("set", () -> filled(store.<Integer>newSet()));
    all.put("linked set", () -> filled(store.<Integer>newLinkedSet()));
    all.put("sorted set", () -> filled(store.<Integer>newSortedSet(null)));
    all.put("keys", () -> filled(store.<Integer, Integer>newMap()).keySet());
    all.put("entries", () -> filled(store.<Integer, Integer>newMap()).entrySet());
    all.put("values", () -> filled(store.<Integer, Integer>newLinkedMap()).values());
    all.put(
        "concurrent entries", () -> filled(store.<Integer, Integer>newConcurrentMap()).entrySet());
    return all;
  }

  private List<DynamicTest> ofEach(Consumer<Collection<?>> check) {
    return collections().entrySet().stream()
        .map(
            kind ->
                DynamicTest.dynamicTest(kind.getKey(), () -> check.accept(kind.getValue().get())))
        .toList();
  }

  /** The elements; entries as they are now, because an entry shows a later value too. */
  private static List<Object> elements(Collection<?> collection) {
    List<Object> elements = new ArrayList<>();
    collection.forEach(
        e -> elements.add(e instanceof Map.Entry<?, ?> entry ? Map.entry(entry.getKey(), 0) : e));
    return elements;
  }

  private static List<Object> rest(Iterator<?> iterator) {
    List<Object> rest = new ArrayList<>();
    iterator.forEachRemaining(rest::add);
    return elements(rest);
  }

  @TestFactory
  List<DynamicTest> aRolledBackRemovalCanBeMadeAgain() {
    return ofEach(
        collection -> {
          List<Object> all = elements(collection);
          Iterator<?> iterator = collection.iterator();
          iterator.next();
          iterator.next();
          rolledBack(
              () -> {
                iterator.remove();
                iterator.next();
                iterator.remove();
                iterator.next();
              });
          assertEquals(all, elements(collection));
          iterator.remove(); // the second one, as it was to be
          assertEquals(all.subList(2, all.size()), rest(iterator));
          List<Object> expected = new ArrayList<>(all);
          expected.remove(1);
          assertEquals(expected, elements(collection));
        });
  }

  @TestFactory
  List<DynamicTest> theIterationGoesOnAfterARolledBackRemoval() {
    return ofEach(
        collection -> {
          List<Object> all = elements(collection);
          Iterator<?> iterator = collection.iterator();
          iterator.next();
          rolledBack(
              () -> {
                iterator.remove();
                while (iterator.hasNext()) {
                  iterator.next();
                  iterator.remove();
                }
              });
          assertEquals(all.subList(1, all.size()), rest(iterator));
          assertEquals(all, elements(collection));
        });
  }

  @TestFactory
  List<DynamicTest> aTransactionThatRunsAgainRemovesTheSameElement() {
    return ofEach(
        collection -> {
          List<Object> all = elements(collection);
          Iterator<?> iterator = collection.iterator();
          iterator.next();
          twice(iterator::remove);
          assertThrows(IllegalStateException.class, iterator::remove);
          assertEquals(all.subList(1, all.size()), elements(collection));
          assertEquals(all.subList(1, all.size()), rest(iterator));
        });
  }

  @TestFactory
  List<DynamicTest> twoTransactionsInARowAreTwo() {
    return ofEach(
        collection -> {
          List<Object> all = elements(collection);
          Iterator<?> iterator = collection.iterator();
          for (int i = 0; i < 3; i++) {
            iterator.next();
            store.in(iterator::remove);
            iterator.next();
            rolledBack(iterator::remove);
          }
          List<Object> expected = new ArrayList<>(all);
          expected.removeAll(List.of(all.get(0), all.get(2), all.get(4)));
          assertEquals(expected, elements(collection));
          assertEquals(all.subList(6, all.size()), rest(iterator));
        });
  }

  /** Where the change of the first attempt is not the iterator's own either. */
  @Test
  void aTransactionThatRunsAgainDoesNotMindWhatItsFirstAttemptDidBehind() {
    PersistentList<Integer> list = filled(store.newList());
    Iterator<Integer> iterator = list.iterator();
    iterator.next();
    List<Integer> part = list.subList(10, 20);
    PersistentSet<Integer> set = filled(store.newSet());
    Iterator<Integer> ofSet = set.iterator();
    int first = ofSet.next();
    twice(
        () -> {
          iterator.remove();
          list.add(40);
          ofSet.remove();
          set.add(40);
        });
    assertEquals(40, list.size());
    assertEquals(1, list.getFirst());
    assertFalse(set.contains(first));
    assertEquals(40, set.size());
    assertThrows(ConcurrentModificationException.class, part::size);

    List<Integer> again = list.subList(10, 20);
    twice(
        () -> {
          again.add(99);
          list.add(98);
        });
    assertEquals(99, list.get(20));
    assertEquals(42, list.size());
  }

  private void ofLists(Consumer<List<Integer>> check) {
    check.accept(filled(store.newList()));
    check.accept(filled(store.<Integer>newList()).subList(0, 40));
    check.accept(longer().subList(3, 43));
    check.accept(longer().subList(2, 44).subList(1, 41));
  }

  private List<Integer> longer() {
    PersistentList<Integer> longer = store.newList();
    longer.addAll(List.of(-3, -2, -1));
    filled(longer).add(40);
    return longer;
  }

  private static List<Integer> numbers() {
    return filled(new ArrayList<>());
  }

  @Test
  void anInsertionInATransactionThatRunsAgainIsMadeAtItsPlace() {
    ofLists(
        list -> {
          ListIterator<Integer> iterator = list.listIterator();
          iterator.next();
          twice(
              () -> {
                iterator.add(77);
                iterator.add(78);
              });
          List<Integer> expected = numbers();
          expected.addAll(1, List.of(77, 78));
          assertEquals(expected, list);
          assertEquals(3, iterator.nextIndex());
          assertEquals(1, iterator.next());
          assertEquals(1, iterator.previous());
          assertEquals(78, iterator.previous());
        });
  }

  @Test
  void theIterationGoesOnAfterARolledBackInsertion() {
    ofLists(
        list -> {
          ListIterator<Integer> iterator = list.listIterator(5);
          assertEquals(5, iterator.next());
          rolledBack(
              () -> {
                iterator.add(77);
                assertEquals(7, iterator.nextIndex());
                iterator.previous();
                iterator.set(78);
                iterator.remove();
                iterator.add(79);
                iterator.next();
              });
          assertEquals(numbers(), list);
          assertEquals(6, iterator.nextIndex());
          iterator.set(50);
          assertEquals(6, iterator.next());
          assertEquals(6, iterator.previous());
          assertEquals(50, iterator.previous());
          iterator.add(55);
          assertEquals(50, iterator.next());
          assertEquals(41, list.size());
        });
  }

  /** A collection, and an addition to it. */
  private record Added(Collection<?> to, Runnable addition) {
    static Added to(Collection<Integer> collection) {
      return new Added(collection, () -> collection.add(1));
    }

    static Added to(Map<Integer, Integer> map, Collection<?> view) {
      return new Added(view, () -> map.put(1, 2));
    }
  }

  @Test
  void anElementThatWasNeverCommittedIsNotReturned() {
    PersistentMap<Integer, Integer> map = store.newMap();
    PersistentLinkedMap<Integer, Integer> linked = store.newLinkedMap();
    PersistentConcurrentMap<Integer, Integer> concurrent = store.newConcurrentMap();
    PersistentDeque<Integer> deque = store.newDeque();
    List<Added> additions =
        List.of(
            Added.to(store.<Integer>newList()),
            Added.to(store.<Integer>newSet()),
            Added.to(store.<Integer>newLinkedSet()),
            Added.to(store.<Integer>newSortedSet(null)),
            Added.to(deque),
            Added.to(deque.weaklyConsistent()),
            Added.to(map, map.entrySet()),
            Added.to(linked, linked.keySet()),
            Added.to(concurrent, concurrent.values()));
    for (Added added : additions) {
      List<Iterator<?>> iterators = new ArrayList<>();
      rolledBack(
          () -> {
            added.addition.run();
            iterators.add(added.to.iterator());
            iterators.add(added.to.iterator());
            iterators.forEach(iterator -> assertTrue(iterator.hasNext()));
          });
      assertThrows(NoSuchElementException.class, () -> iterators.get(0).next());
      assertFalse(iterators.get(1).hasNext());
      store.in(
          () -> {
            added.addition.run();
            iterators.add(added.to.iterator());
            assertTrue(iterators.get(2).hasNext());
          });
      onOtherThread(added.to::clear);
      assertNotNull(iterators.get(2).next(), "promised, and committed");
    }
  }

  /** A collection or view, and a change of the collection. */
  private record Changed(Collection<?> view, Runnable change) {}

  private Changed changed(Collection<Integer> collection) {
    return new Changed(collection, () -> collection.add(-1));
  }

  private Map<String, Changed> changedCollections() {
    PersistentSortedSet<Integer> sorted = filled(store.newSortedSet(null));
    PersistentSortedMap<Integer, Integer> sortedMap = filled(store.newSortedMap(null));
    PersistentMap<Integer, Integer> map = filled(store.newMap());
    PersistentLinkedMap<Integer, Integer> linkedMap = filled(store.newLinkedMap());
    PersistentList<Integer> list = filled(store.newList());
    PersistentDeque<Integer> deque = filled(store.newDeque());
    PersistentLinkedSet<Integer> linkedSet = filled(store.newLinkedSet());
    Map<String, Changed> all = new LinkedHashMap<>();
    all.put("list", changed(filled(store.newList())));
    all.put("reversed list", new Changed(list.reversed(), () -> list.addFirst(-1)));
    PersistentList<Integer> other = filled(store.newList());
    all.put("sublist", new Changed(other.subList(3, 33), other::removeLast));
    PersistentList<Integer> third = filled(store.newList());
    all.put(
        "sublist of a sublist",
        new Changed(third.subList(3, 33).subList(0, 20), third::removeFirst));
    all.put("deque", changed(filled(store.newDeque())));
    all.put("reversed deque", new Changed(deque.reversed(), deque::pollFirst));
    all.put("set", changed(filled(store.newSet())));
    all.put("linked set", changed(filled(store.newLinkedSet())));
    all.put("moved element", new Changed(linkedSet, () -> linkedSet.addFirst(7)));
    all.put("sorted set", changed(sorted));
    all.put("range", new Changed(sorted.subSet(3, 20), sorted::pollFirst));
    all.put("descending set", new Changed(sorted.descendingSet(), sorted::clear));
    all.put("keys", new Changed(map.keySet(), () -> map.put(-1, 1)));
    all.put("entries", new Changed(map.entrySet(), () -> map.remove(3)));
    all.put("values", new Changed(linkedMap.values(), () -> linkedMap.putFirst(5, 5)));
    all.put("sorted entries", new Changed(sortedMap.entrySet(), () -> sortedMap.remove(3)));
    return all;
  }

  /** A roll-back leaves the collection as it was, for iterators too. */
  @TestFactory
  List<DynamicTest> anIteratorGoesOnAfterChangesThatWereRolledBack() {
    return changedCollections().entrySet().stream()
        .map(
            kind ->
                DynamicTest.dynamicTest(
                    kind.getKey(),
                    () -> {
                      Changed changed = kind.getValue();
                      List<Object> all = elements(changed.view);
                      Iterator<?> untouched = changed.view.iterator();
                      Iterator<?> iterator = changed.view.iterator();
                      Iterator<?> ends = changed.view.iterator();
                      iterator.next();
                      assertEquals(all, rest(ends));
                      for (int i = 0; i < 2; i++) {
                        rolledBack(changed.change);
                        rolledBack(
                            () -> {
                              changed.change.run();
                              assertThrows(ConcurrentModificationException.class, iterator::next);
                              changed.change.run();
                            });
                      }
                      assertEquals(all.subList(1, all.size()), rest(iterator));
                      assertEquals(all, rest(untouched));
                      assertFalse(ends.hasNext());
                      assertEquals(all, elements(changed.view));

                      Iterator<?> last = changed.view.iterator();
                      last.next();
                      store.in(changed.change);
                      rolledBack(changed.change);
                      assertThrows(ConcurrentModificationException.class, last::next);
                    }))
        .toList();
  }

  /** Where another thread has changed the collection between the iterator and the roll-back. */
  @Test
  void anIteratorGoesOnAfterChangesOfAnotherThreadAndOnesThatWereRolledBack() {
    List<Collection<Integer>> collections =
        List.of(store.newList(), store.newSet(), store.newLinkedSet(), store.newDeque());
    for (Collection<Integer> collection : collections) {
      Iterator<Integer> iterator = filled(collection).iterator();
      iterator.next();
      onOtherThread(() -> collection.add(-2));
      rolledBack(() -> collection.add(-1));
      rolledBack(() -> collection.add(-1));
      iterator.next();
      onOtherThread(() -> rolledBack(() -> collection.add(-3)));
      rolledBack(() -> collection.add(-1));
      iterator.next();
      collection.add(-1);
      assertThrows(ConcurrentModificationException.class, iterator::next);
    }
  }

  /** What the documentation says: a mere step is not undone. */
  @Test
  void aStepStaysWhereTheTransactionMadeIt() {
    PersistentList<Integer> list = filled(store.newList());
    Iterator<Integer> iterator = list.iterator();
    rolledBack(iterator::next);
    assertEquals(1, iterator.next());
    rolledBack(
        () -> {
          iterator.next();
          iterator.remove();
          iterator.next();
        });
    assertEquals(3, iterator.next());
    Iterator<Integer> ofSet = filled(store.<Integer>newLinkedSet()).iterator();
    rolledBack(
        () -> {
          ofSet.next();
          ofSet.remove();
          ofSet.next();
        });
    assertEquals(1, ofSet.next());
  }

  @Test
  void anIteratorOfASublistStaysWithinIt() {
    PersistentList<Integer> list = filled(store.newList());
    List<Integer> part = list.subList(10, 13);
    ListIterator<Integer> iterator = part.listIterator();
    assertFalse(iterator.hasPrevious());
    assertEquals(-1, iterator.previousIndex());
    assertEquals(10, iterator.next());
    iterator.remove();
    assertEquals(11, iterator.next());
    assertEquals(12, iterator.next());
    iterator.add(99);
    assertFalse(iterator.hasNext());
    assertEquals(3, iterator.nextIndex());
    assertEquals(List.of(11, 12, 99), part);
    assertEquals(List.of(9, 11, 12, 99, 13), list.subList(9, 14));
    Iterator<Integer> stale = list.subList(10, 13).iterator();
    list.addFirst(-1);
    assertThrows(ConcurrentModificationException.class, stale::next);
    assertThrows(ConcurrentModificationException.class, iterator::previous);
  }

  /** Equals 2. When it is first compared with that, another thread changes the list. */
  private static final class Two {
    private final Runnable change;
    private boolean isDone;

    Two(Runnable change) {
      this.change = change;
    }

    @Override
    public boolean equals(Object other) {
      boolean isTwo = other instanceof Integer number && number == 2;
      if (isTwo && !isDone) {
        isDone = true;
        onOtherThread(change);
      }
      return isTwo;
    }

    @Override
    public int hashCode() {
      return 2;
    }
  }

  @Test
  void aSublistCountsARemovalOnceThoughItsTransactionRunsAgain() {
    PersistentList<Integer> list = store.newList();
    list.addAll(List.of(0, 1, 2, 3, 4));
    List<Integer> outer = list.subList(0, 4);
    List<Integer> part = outer.subList(1, 4);
    Two two = new Two(() -> list.add(5));
    assertTrue(part.remove((Object) two));
    assertTrue(two.isDone);
    assertEquals(List.of(1, 3), part);
    assertEquals(List.of(0, 1, 3), outer);
    assertEquals(List.of(0, 1, 3, 4, 5), list);
    part.add(6);
    assertEquals(List.of(0, 1, 3, 6, 4, 5), list);
  }
}
