package io.pmstore.proxy.collection;

import io.pmstore.core.tx.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Phantoms: a transaction depends on what it did not find in a collection, and on the whole range
 * that it asked for, not only on the elements that it read.
 */
@ParameterizedClass(name = "{0} threads, {1} elements")
@CsvSource({"PLATFORM, 0", "VIRTUAL, 0", "PLATFORM, 3", "PLATFORM, 300", "VIRTUAL, 300"})
class PhantomTest {
  private static final int NEW = 1_000_000;

  /** A question about a map, and a change that makes the answer another one. */
  enum OfMap {
    SIZE(map -> map.size(), map -> map.put(NEW, 1)),
    IS_EMPTY(
        map -> map.isEmpty(),
        map -> {
          if (map.isEmpty()) {
            map.put(NEW, 1);
          } else {
            map.clear();
          }
        }),
    GET_ABSENT(map -> map.get(NEW), map -> map.put(NEW, 1)),
    CONTAINS_ABSENT(map -> map.containsKey(NEW), map -> map.put(NEW, 1)),
    DEFAULT_OF_ABSENT(map -> map.getOrDefault(NEW, 7), map -> map.put(NEW, 1)),
    CONTAINS_REMOVED(map -> map.keySet().contains(0), map -> toggle(map, 0)),
    CONTAINS_VALUE(map -> map.containsValue(-1), map -> map.put(NEW, -1)),
    KEYS(map -> List.copyOf(map.keySet()), map -> map.put(NEW, 1)),
    SUM_OF_VALUES(
        map -> map.values().stream().mapToInt(v -> v).sum(), map -> map.merge(0, 5, Integer::sum)),
    FIRST_OF_ITERATION(
        map -> map.isEmpty() ? null : map.keySet().iterator().next(),
        map -> {
          if (map.isEmpty()) {
            map.put(NEW, 1);
          } else {
            map.remove(map.keySet().iterator().next());
          }
        }),
    EQUALS(map -> map.equals(java.util.Map.of(NEW, 1)), map -> keepOnly(map, NEW)),
    TEXT(map -> map.toString(), map -> toggle(map, NEW)),
    ENTRIES(
        map -> {
          List<Integer> all = new ArrayList<>();
          map.forEach(
              (key, value) -> {
                all.add(key);
                all.add(value);
              });
          return all;
        },
        map -> {
          map.remove(0); // one goes, another comes: the size stays
          map.put(NEW, 1);
        });

    private final Function<Map<Integer, Integer>, Object> question;
    private final Consumer<Map<Integer, Integer>> change;

    OfMap(
        Function<Map<Integer, Integer>, Object> question, Consumer<Map<Integer, Integer>> change) {
      this.question = question;
      this.change = change;
    }

    private static void toggle(Map<Integer, Integer> map, int key) {
      if (map.remove(key) == null) {
        map.put(key, 1);
      }
    }

    private static void keepOnly(Map<Integer, Integer> map, int key) {
      map.clear();
      map.put(key, 1);
    }
  }

  /** The same for what only a linked map has. */
  enum OfLinkedMap {
    FIRST(map -> text(map.firstEntry()), map -> map.putFirst(NEW, 1)),
    LAST(map -> text(map.lastEntry()), map -> map.put(NEW, 1)),
    LAST_TAKEN(map -> text(map.lastEntry()), map -> map.pollLastEntry(), 1),
    FIRST_MOVED(map -> text(map.firstEntry()), map -> map.putLast(0, 1), 2),
    ORDER(map -> List.copyOf(map.keySet()), map -> map.putFirst(map.size() - 1, 1), 2),
    REVERSED(map -> List.copyOf(map.reversed().keySet()), map -> map.putFirst(NEW, 1));

    private final Function<PersistentLinkedMap<Integer, Integer>, Object> question;
    private final Consumer<PersistentLinkedMap<Integer, Integer>> change;
    private final int least; // so many entries a map needs for the change to be one

    OfLinkedMap(
        Function<PersistentLinkedMap<Integer, Integer>, Object> question,
        Consumer<PersistentLinkedMap<Integer, Integer>> change) {
      this(question, change, 0);
    }

    OfLinkedMap(
        Function<PersistentLinkedMap<Integer, Integer>, Object> question,
        Consumer<PersistentLinkedMap<Integer, Integer>> change,
        int least) {
      this.question = question;
      this.change = change;
      this.least = least;
    }

    private static String text(java.util.Map.@Nullable Entry<Integer, Integer> entry) {
      return String.valueOf(entry);
    }
  }

  /** The same for a list. */
  enum OfList {
    SIZE(list -> list.size(), list -> list.add(NEW)),
    IS_EMPTY(
        list -> list.isEmpty(),
        list -> {
          if (list.isEmpty()) {
            list.add(NEW);
          } else {
            list.clear();
          }
        }),
    LAST(list -> list.isEmpty() ? null : list.getLast(), list -> list.add(NEW)),
    FIRST(list -> list.isEmpty() ? null : list.getFirst(), list -> list.addFirst(NEW)),
    CONTAINS_ABSENT(list -> list.contains(NEW), list -> list.add(list.size() / 2, NEW)),
    INDEX_OF_ABSENT(list -> list.lastIndexOf(NEW), list -> list.add(list.size() / 2, NEW)),
    ITERATION(list -> List.copyOf(list), list -> list.add(list.size() / 2, NEW)),
    SUM(
        list -> list.stream().mapToInt(v -> v).sum(),
        list -> {
          if (list.isEmpty()) {
            list.add(5);
          } else {
            list.set(list.size() / 2, NEW);
          }
        }),
    SUBLIST(
        list -> List.copyOf(list.subList(0, (list.size() + 1) / 2)), list -> list.addFirst(NEW)),
    EQUALS(list -> list.equals(List.of()), OfList::toggle),
    TEXT(list -> list.toString(), OfList::toggle);

    private final Function<PersistentList<Integer>, Object> question;
    private final Consumer<PersistentList<Integer>> change;

    OfList(
        Function<PersistentList<Integer>, Object> question,
        Consumer<PersistentList<Integer>> change) {
      this.question = question;
      this.change = change;
    }

    private static void toggle(PersistentList<Integer> list) {
      if (list.isEmpty()) {
        list.add(NEW);
      } else {
        list.clear();
      }
    }
  }

  @Parameter(0)
  ThreadKind threads;

  @Parameter(1)
  int size;

  private final TestStore store = new TestStore();

  private PersistentMap<Integer, Integer> map() {
    PersistentMap<Integer, Integer> map = store.newMap();
    store.in(() -> IntStream.range(0, size).forEach(i -> map.put(i, i)));
    return map;
  }

  private PersistentList<Integer> list() {
    PersistentList<Integer> list = store.newList();
    store.in(() -> IntStream.range(0, size).forEach(list::add));
    return list;
  }

  @ParameterizedTest
  @EnumSource
  void ofAMap(OfMap phantom) {
    PersistentMap<Integer, Integer> map = map();
    new PhantomCheck(store, threads)
        .check(() -> phantom.question.apply(map), () -> phantom.change.accept(map));
  }

  private PersistentLinkedMap<Integer, Integer> linkedMap() {
    PersistentLinkedMap<Integer, Integer> map = store.newLinkedMap();
    store.in(() -> IntStream.range(0, size).forEach(i -> map.put(i, i)));
    return map;
  }

  @ParameterizedTest
  @EnumSource
  void ofALinkedMap(OfMap phantom) {
    PersistentLinkedMap<Integer, Integer> map = linkedMap();
    new PhantomCheck(store, threads)
        .check(() -> phantom.question.apply(map), () -> phantom.change.accept(map));
  }

  @ParameterizedTest
  @EnumSource
  void ofTheOrderOfALinkedMap(OfLinkedMap phantom) {
    PersistentLinkedMap<Integer, Integer> map = linkedMap();
    if (size >= phantom.least) {
      new PhantomCheck(store, threads)
          .check(() -> phantom.question.apply(map), () -> phantom.change.accept(map));
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofAList(OfList phantom) {
    PersistentList<Integer> list = list();
    new PhantomCheck(store, threads)
        .check(() -> phantom.question.apply(list), () -> phantom.change.accept(list));
  }
}
