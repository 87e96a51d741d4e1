package io.pmstore.proxy.collection;

import io.pmstore.StoreDamagedException;
import io.pmstore.proxy.collection.HeapMap.Found;
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
  private final SortedContents<K, V> contents;
  private final boolean ascending;
  private final Function<MapEntry<K, V>, T> shown;

  SortedIterator(
      SortedContents<K, V> contents,
      SortedRange range,
      boolean ascending,
      Function<MapEntry<K, V>, T> shown) {
    super(contents.space().heap(), contents.modifications(), range);
    this.contents = contents;
    this.ascending = ascending;
    this.shown = shown;
  }

  @Override
  Batch<SortedRange, MapEntry<K, V>> read(SortedRange from, int wanted, Reading current) {
    List<MapEntry<K, V>> entries = contents.read(() -> fetch(from, wanted, current));
    boolean isEnd = entries.size() < wanted;
    return new Batch<>(entries, isEnd ? null : behind(from, entries.getLast().getKey()));
  }

  private SortedRange behind(SortedRange range, K key) {
    Edge edge = new Edge(key, false);
    return ascending ? new SortedRange(edge, range.high()) : new SortedRange(range.low(), edge);
  }

  private List<MapEntry<K, V>> fetch(SortedRange range, int wanted, Reading current) {
    List<MapEntry<K, V>> entries = new ArrayList<>(wanted);
    contents
        .tree()
        .visit(
            range,
            ascending,
            entry -> {
              entries.add(new SortedEntry<>(contents, entry, current));
              return entries.size() < wanted;
            });
    Edge before = ascending ? range.low() : range.high();
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
    int comparison = contents.order().compare(key, before);
    if (comparison == 0 || (comparison > 0) != ascending) {
      throw new StoreDamagedException(
          "found key %s behind %s, expected keys in their order; restore the store from a backup"
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
    contents.remove(entry.getKey());
  }

  private static final class SortedEntry<K extends @Nullable Object, V extends @Nullable Object>
      extends MapEntry<K, V> {
    private final SortedContents<K, V> contents;

    SortedEntry(SortedContents<K, V> contents, long entry, Reading reading) {
      super(contents.key(entry), contents.value(entry), reading);
      this.contents = contents;
    }

    @Override
    @Nullable Found<V> lookUp() {
      return contents.lookUp(getKey());
    }

    @Override
    @Nullable Found<V> replace(V newValue) {
      return contents.replaceIfPresent(getKey(), newValue);
    }
  }
}
