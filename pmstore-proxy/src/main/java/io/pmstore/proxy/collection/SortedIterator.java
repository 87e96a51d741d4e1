package io.pmstore.proxy.collection;

import io.pmstore.StoreDamagedException;
import io.pmstore.proxy.collection.SortedRange.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a range of a sorted collection, in either direction. {@link PersistentSortedMap}
 * states what an iterator guarantees.
 *
 * @param <T> what it iterates over
 */
final class SortedIterator<
        K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
    extends BatchIterator<SortedRange, MapEntry<K, V>, T> {
  private final SortedMapView<K, V> map;
  private final Function<MapEntry<K, V>, T> shown;

  SortedIterator(SortedMapView<K, V> map, Function<MapEntry<K, V>, T> shown) {
    super(map.contents().space().heap(), map.contents().modifications(), map.range());
    this.map = map;
    this.shown = shown;
  }

  @Override
  Batch<SortedRange, MapEntry<K, V>> read(SortedRange from, int wanted, Reading current) {
    List<MapEntry<K, V>> entries = map.read(() -> fetch(from, wanted, current));
    boolean isEnd = entries.size() < wanted;
    return new Batch<>(entries, isEnd ? null : behind(from, entries.getLast().getKey()));
  }

  private SortedRange behind(SortedRange range, K key) {
    Edge edge = new Edge(key, false);
    return map.isAscending()
        ? new SortedRange(edge, range.high())
        : new SortedRange(range.low(), edge);
  }

  private List<MapEntry<K, V>> fetch(SortedRange range, int wanted, Reading current) {
    List<MapEntry<K, V>> entries = new ArrayList<>(wanted);
    map.contents()
        .tree()
        .visit(
            range,
            map.isAscending(),
            entry -> {
              entries.add(new MapEntry<>(map, entry, current));
              return entries.size() < wanted;
            });
    Edge before = map.isAscending() ? range.low() : range.high();
    if (entries.size() == wanted && before != null && !before.inclusive()) {
      checkGoesOn(before.key(), entries.getLast().getKey());
    }
    return entries;
  }

  /**
   * Throws if the keys have not moved away from where the range starts: the iteration might never
   * end.
   */
  private void checkGoesOn(@Nullable Object before, K key) {
    int comparison = map.contents().order().compare(key, before);
    if (comparison == 0 || (comparison > 0) != map.isAscending()) {
      throw new StoreDamagedException(
          "found key %s after key %s, expected keys in the collection's order; restore the store from a backup"
              .formatted(key, before));
    }
  }

  @Override
  boolean isThere(MapEntry<K, V> entry) {
    return entry.refresh();
  }

  @Override
  T shown(MapEntry<K, V> entry) {
    entry.refresh();
    return shown.apply(entry);
  }

  @Override
  void remove(MapEntry<K, V> entry) {
    map.contents().remove(entry.getKey());
  }
}
