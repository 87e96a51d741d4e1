package io.pmstore.proxy.collection;

import io.pmstore.StoreDamagedException;
import io.pmstore.proxy.collection.HeapMap.Found;
import io.pmstore.proxy.collection.Modifications.Stamp;
import io.pmstore.proxy.collection.SortedRange.Edge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a range of a sorted collection, in either direction. It reads some entries ahead in
 * one consistent read and keeps only the last key, so that no change of the tree can invalidate it.
 * {@link PersistentSortedMap} states what an iterator guarantees.
 *
 * @param <T> what it iterates over
 */
abstract class SortedIterator<
        K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
    implements Iterator<T> {
  private static final int BATCH_FIRST = 8;
  private static final int BATCH_MAX = 128;

  private final SortedContents<K, V> contents;
  private final boolean ascending;
  private Stamp structure;
  private @Nullable Reading reading;
  private @Nullable SortedRange rest; // what has not been read; null if nothing
  private List<MapEntry<K, V>> batch = List.of();
  private int batchSize = BATCH_FIRST;
  private int index; // of the next element in the batch
  private boolean promised; // hasNext returned true, so next must not fail
  private @Nullable MapEntry<K, V> last;

  private SortedIterator(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
    this.contents = contents;
    this.rest = range;
    this.ascending = ascending;
    this.structure = contents.modifications().structure();
  }

  @Override
  public boolean hasNext() {
    promised = promised || prepare();
    return promised;
  }

  /** Moves to the next entry that is still there; returns false if there is none. */
  private boolean prepare() {
    while (true) {
      while (index < batch.size()) {
        if (batch.get(index).refresh()) {
          return true;
        }
        index++;
      }
      SortedRange range = rest;
      if (range == null) {
        return false;
      }
      Reading current = Reading.begin(contents.heap(), contents.modifications(), reading);
      batch = contents.read(() -> fetch(range, current));
      reading = current;
      index = 0;
      rest = batch.size() < batchSize ? null : behind(range, batch.getLast().getKey());
      batchSize = Math.min(BATCH_MAX, batchSize * 2);
    }
  }

  private SortedRange behind(SortedRange range, K key) {
    Edge edge = new Edge(key, false);
    return ascending ? new SortedRange(edge, range.high()) : new SortedRange(range.low(), edge);
  }

  private List<MapEntry<K, V>> fetch(SortedRange range, Reading current) {
    List<MapEntry<K, V>> entries = new ArrayList<>(batchSize);
    int wanted = batchSize;
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

  /** Returns the next entry. */
  final MapEntry<K, V> nextEntry() {
    contents.modifications().check(structure);
    if (!hasNext()) {
      throw new NoSuchElementException("the iteration has no more elements; ask hasNext first");
    }
    promised = false;
    MapEntry<K, V> entry = batch.get(index++);
    entry.refresh();
    last = entry;
    return entry;
  }

  @Override
  public void remove() {
    contents.modifications().check(structure);
    MapEntry<K, V> entry = last;
    if (entry == null) {
      throw new IllegalStateException(
          "remove needs a call of next before it, one for each removal");
    }
    contents.remove(entry.getKey());
    last = null;
    structure = contents.modifications().structure();
  }

  static final class OfKeys<K extends @Nullable Object, V extends @Nullable Object>
      extends SortedIterator<K, V, K> {
    OfKeys(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
      super(contents, range, ascending);
    }

    @Override
    public K next() {
      return nextEntry().getKey();
    }
  }

  static final class OfValues<K extends @Nullable Object, V extends @Nullable Object>
      extends SortedIterator<K, V, V> {
    OfValues(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
      super(contents, range, ascending);
    }

    @Override
    public V next() {
      return nextEntry().seen();
    }
  }

  static final class OfEntries<K extends @Nullable Object, V extends @Nullable Object>
      extends SortedIterator<K, V, Entry<K, V>> {
    OfEntries(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
      super(contents, range, ascending);
    }

    @Override
    public Entry<K, V> next() {
      return nextEntry();
    }
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
