package io.pmstore.proxy.collection;

import io.pmstore.core.tx.ThreadKind;
import java.util.List;
import java.util.NavigableMap;
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
 * Phantoms in sorted collections: a transaction depends on the whole of the range that it asked
 * about, on what was nearest to a key, and on what was not there. Keys are the multiples of 10.
 */
@ParameterizedClass(name = "{0} threads, {1} elements")
@CsvSource({
  "PLATFORM, 0",
  "VIRTUAL, 0",
  "PLATFORM, 3",
  "PLATFORM, 15",
  "PLATFORM, 300",
  "VIRTUAL, 300"
})
class SortedPhantomTest {
  /** A question about a map, and a change that makes the answer another one. */
  enum OfMap {
    SIZE(map -> map.size(), map -> map.put(15, 1)),
    IS_EMPTY(map -> map.isEmpty(), OfMap::toggleAll),
    GET_ABSENT(map -> map.get(15), map -> map.put(15, 1)),
    CONTAINS(map -> map.containsKey(10), map -> toggle(map, 10)),
    FIRST(map -> map.firstEntry(), map -> map.put(-1, 1)),
    LAST(map -> map.lastEntry(), map -> map.put(1_000_000, 1)),
    FLOOR(map -> map.floorKey(16), map -> map.put(15, 1)),
    LOWER_AFTER_REMOVAL(map -> map.lowerKey(11), map -> toggle(map, 10)),
    CEILING(map -> map.ceilingKey(14), map -> map.put(15, 1)),
    HIGHER_AFTER_REMOVAL(map -> map.higherKey(9), map -> toggle(map, 10)),
    RANGE(map -> map.subMap(11, 19).toString(), map -> map.put(15, 1)),
    RANGE_SIZE(map -> map.subMap(5, 2000).size(), map -> toggle(map, 1990)),
    RANGE_IS_EMPTY(map -> map.subMap(11, 19).isEmpty(), map -> map.put(15, 1)),
    RANGE_BACKWARDS(
        map -> List.copyOf(map.descendingMap().headMap(5, true).keySet()), map -> map.put(15, 1)),
    HEAD(map -> map.headMap(11).toString(), map -> toggle(map, 10)),
    TAIL_VALUES(
        map -> map.tailMap(5).values().stream().mapToInt(v -> v).sum(),
        map -> map.merge(10, 5, Integer::sum)),
    TEXT(map -> map.toString(), map -> toggle(map, 0)),
    FIRST_OF_ITERATION(
        map -> map.isEmpty() ? null : map.keySet().iterator().next(),
        map -> {
          if (map.pollFirstEntry() == null) {
            map.put(0, 0);
          }
        });

    private final Function<NavigableMap<Integer, Integer>, @Nullable Object> question;
    private final Consumer<NavigableMap<Integer, Integer>> change;

    OfMap(
        Function<NavigableMap<Integer, Integer>, @Nullable Object> question,
        Consumer<NavigableMap<Integer, Integer>> change) {
      this.question = question;
      this.change = change;
    }

    private static void toggle(NavigableMap<Integer, Integer> map, int key) {
      if (map.remove(key) == null) {
        map.put(key, 1);
      }
    }

    private static void toggleAll(NavigableMap<Integer, Integer> map) {
      if (map.isEmpty()) {
        map.put(15, 1);
      } else {
        map.clear();
      }
    }
  }

  @Parameter(0)
  ThreadKind threads;

  @Parameter(1)
  int size;

  private final TestStore store = new TestStore();

  @ParameterizedTest
  @EnumSource
  void ofASortedMap(OfMap phantom) {
    PersistentSortedMap<Integer, Integer> map = store.newSortedMap(null);
    store.in(() -> IntStream.range(0, size).forEach(i -> map.put(10 * i, i)));
    new PhantomCheck(store, threads)
        .check(() -> phantom.question.apply(map), () -> phantom.change.accept(map));
  }

  @ParameterizedTest
  @EnumSource(names = {"CONTAINS", "RANGE", "RANGE_BACKWARDS"})
  void ofASortedSet(OfMap phantom) {
    PersistentSortedSet<Integer> set = store.newSortedSet(null);
    store.in(() -> IntStream.range(0, size).forEach(i -> set.add(10 * i)));
    new PhantomCheck(store, threads)
        .check(
            () ->
                switch (phantom) {
                  case CONTAINS -> set.contains(15);
                  case RANGE -> set.subSet(11, 19).size();
                  default -> List.copyOf(set.descendingSet());
                },
            () -> set.add(15));
  }
}
