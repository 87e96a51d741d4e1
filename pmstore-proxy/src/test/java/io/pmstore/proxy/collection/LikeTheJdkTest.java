package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each program runs on collections of the JDK and of the store, and does the same. */
class LikeTheJdkTest {
  private final TestStore store = new TestStore();

  private <E> PersistentSortedSet<E> sortedSet() {
    return store.newSortedSet(null);
  }

  private <K, V> PersistentSortedMap<K, V> sortedMap() {
    return store.newSortedMap(null);
  }

  /** Returns maps of the JDK, and at the same indexes maps of the store, all of them empty. */
  private List<List<Map<String, Integer>>> maps() {
    return List.of(
        List.of(new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>()),
        List.of(store.newMap(), store.newLinkedMap(), sortedMap()));
  }

  private List<List<Set<Integer>>> sets() {
    return List.of(
        List.of(new LinkedHashSet<>(), new TreeSet<>()),
        List.of(store.newLinkedSet(), sortedSet()));
  }

  private List<List<Collection<String>>> collections() {
    List<Collection<String>> plain =
        List.of(new ArrayList<>(), new ArrayDeque<>(), new LinkedHashSet<>(), new TreeSet<>());
    List<Collection<String>> stored =
        List.of(store.newList(), store.newDeque(), store.newLinkedSet(), sortedSet());
    return List.of(plain, stored);
  }

  /** A program with a map. */
  private interface Program {
    Object run(Map<String, Integer> map);
  }

  private void sameOnMaps(Program program) {
    List<List<Map<String, Integer>>> maps = maps();
    for (int i = 0; i < maps.get(0).size(); i++) {
      Map<String, Integer> plain = maps.get(0).get(i);
      Map<String, Integer> stored = maps.get(1).get(i);
      Object expected = program.run(plain);
      assertEquals(expected, program.run(stored), () -> plain.getClass().getName());
      assertEquals(plain, stored);
    }
  }

  @Test
  void anEntryKeepsTheValueThatWasSetOnceItsKeyIsRemoved() {
    for (int way = 0; way < 3; way++) {
      int how = way;
      sameOnMaps(
          map -> {
            map.put("a", 1);
            Iterator<Entry<String, Integer>> entries = map.entrySet().iterator();
            Entry<String, Integer> entry = entries.next();
            entry.setValue(5);
            switch (how) {
              case 0 -> entries.remove();
              case 1 -> map.remove("a");
              default -> map.clear();
            }
            return entry.getValue();
          });
    }
  }

  @Test
  void aFilterOfEntriesMaySetTheirValues() {
    sameOnMaps(
        map -> {
          for (int i = 0; i < 50; i++) {
            map.put("k" + i, i % 3);
          }
          return map.entrySet()
              .removeIf(
                  entry -> {
                    boolean isLast = entry.getValue() == 0;
                    if (!isLast) {
                      entry.setValue(entry.getValue() - 1);
                    }
                    return isLast;
                  });
        });
  }

  /** The last element too: no iterator looks again after it. */
  @Test
  void aFunctionThatAddsOrRemovesIsRefused() {
    for (List<Map<String, Integer>> maps : maps()) {
      for (Map<String, Integer> map : maps) {
        map.put("a", 1);
        Map<String, Integer> before = Map.copyOf(map);
        refused(() -> map.replaceAll((key, value) -> put(map, "b", value)));
        map.keySet().retainAll(before.keySet());
        refused(() -> map.keySet().removeIf(key -> put(map, "b", 2) == 2));
        map.keySet().retainAll(before.keySet());
        refused(() -> map.entrySet().removeIf(entry -> put(map, "b", 2) == 2));
        map.keySet().retainAll(before.keySet());
        refused(() -> map.values().removeIf(value -> put(map, "b", 2) == 2));
      }
    }
    for (List<Set<Integer>> sets : sets()) {
      for (Set<Integer> set : sets) {
        set.add(1);
        refused(() -> set.removeIf(element -> set.add(2)));
      }
    }
  }

  private static int put(Map<String, Integer> map, String key, int value) {
    map.put(key, value);
    return value;
  }

  private static void refused(Runnable operation) {
    assertThrows(ConcurrentModificationException.class, operation::run);
  }

  /** A map of the JDK keeps what the function has put; one of the store would overwrite it. */
  @Test
  void aFunctionOfReplaceAllThatPutsIsRefusedAndNothingIsChanged() {
    for (Map<String, Integer> map : maps().get(1)) {
      map.put("a", 1);
      map.put("b", 2);
      refused(() -> map.replaceAll((key, value) -> put(map, "a", 100) + value));
      assertEquals(Map.of("a", 1, "b", 2), map);
    }
  }

  @Test
  void streamsBindLate() {
    for (List<Collection<String>> collections : collections()) {
      for (Collection<String> collection : collections) {
        collection.add("one");
        Stream<String> stream = collection.stream();
        collection.add("two");
        assertEquals(List.of("one", "two"), stream.toList());
      }
    }
    for (List<Map<String, Integer>> maps : maps()) {
      for (Map<String, Integer> map : maps) {
        Stream<String> keys = map.keySet().stream();
        Stream<Integer> values = map.values().stream();
        map.put("a", 1);
        assertEquals(List.of("a"), keys.toList());
        assertEquals(List.of(1), values.toList());
      }
    }
  }

  @Test
  void partsOfAListAreSortedOneAfterTheOther() {
    for (List<Integer> list : List.<List<Integer>>of(new ArrayList<>(), store.newList())) {
      list.addAll(List.of(4, 2, 3, 1, 6, 5));
      List<Integer> left = list.subList(0, 3);
      List<Integer> right = list.subList(3, 6);
      left.sort(null);
      right.sort(Comparator.reverseOrder());
      left.subList(0, 2).sort(Comparator.reverseOrder());
      assertEquals(List.of(3, 2, 4, 6, 5, 1), list);
      assertEquals(List.of(3, 2, 4), left);
      Iterator<Integer> elements = list.iterator();
      elements.next();
      list.sort(null);
      assertThrows(ConcurrentModificationException.class, elements::next);
      assertThrows(ConcurrentModificationException.class, left::size);
    }
  }

  /** It looks up all elements first. */
  @Test
  void aRemovalOfAllThatThrowsRemovesNothing() {
    Set<Integer> set = sortedSet();
    set.addAll(List.of(1, 2, 3, 4));
    store.in(
        () -> {
          assertThrows(ClassCastException.class, () -> set.removeAll(Arrays.asList(1, "x")));
          set.add(5);
        });
    assertEquals(Set.of(1, 2, 3, 4, 5), set);
  }

  @Test
  void aSetsOwnPartIsRemovedFromIt() {
    NavigableSet<Integer> set = sortedSet();
    set.addAll(List.of(1, 2, 3, 4));
    set.removeAll(set.headSet(3));
    assertEquals(Set.of(3, 4), set);
  }
}
