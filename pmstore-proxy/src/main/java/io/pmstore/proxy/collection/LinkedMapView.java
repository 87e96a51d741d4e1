package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * A linked map, or a live view of one in reverse order. As in a {@code LinkedHashMap}, a new key
 * that is put into the view comes last in the map.
 */
class LinkedMapView<K extends @Nullable Object, V extends @Nullable Object>
    extends HashMapView<K, V> implements SequencedMap<K, V> {
  private final End front;

  /** Makes a map whose first entry is that at one end of the table. */
  LinkedMapView(HashTable<K> table, End front) {
    super(table);
    this.front = front;
  }

  @Override
  final Walk walk() {
    return contents().walk(front);
  }

  @Override
  final int characteristics() {
    return Spliterator.ORDERED;
  }

  // -- the ends

  /** Returns a copy of the entry at an end, or null if the map is empty. */
  private @Nullable Entry<K, V> peek(End end) {
    return read(() -> copy(contents().at(end)));
  }

  private @Nullable Entry<K, V> copy(long entry) {
    return entry == 0 ? null : new SimpleImmutableEntry<>(key(entry), value(entry));
  }

  /** Removes the entry at an end. Returns a copy, or null if the map is empty. */
  private @Nullable Entry<K, V> poll(End end) {
    return write(
        () -> {
          Entry<K, V> entry = copy(contents().at(end));
          if (entry != null) {
            contents().removeAt(end);
          }
          return entry;
        });
  }

  /** Puts a value and moves its key to an end. Returns the old value, or null if there was none. */
  private @Nullable V put(End end, K key, V value) {
    return contents()
        .store(
            key,
            value,
            () -> {
              K storedKey = stored(key);
              V storedValue = stored(value);
              int hash = contents().trie().hash(storedKey);
              long entry = contents().find(storedKey, hash);
              if (entry == 0) {
                contents().insert(storedKey, hash, storedValue, end);
                return null;
              }
              contents().move(entry, end);
              return replaceIn(entry, storedValue);
            });
  }

  // -- SequencedMap

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return peek(front);
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return peek(front.other());
  }

  @Override
  public @Nullable Entry<K, V> pollFirstEntry() {
    return poll(front);
  }

  @Override
  public @Nullable Entry<K, V> pollLastEntry() {
    return poll(front.other());
  }

  @Override
  public @Nullable V putFirst(K key, V value) {
    return put(front, key, value);
  }

  @Override
  public @Nullable V putLast(K key, V value) {
    return put(front.other(), key, value);
  }

  @Override
  public SequencedMap<K, V> reversed() {
    return new LinkedMapView<>(contents(), front.other()) {
      @Override
      public SequencedMap<K, V> reversed() {
        return LinkedMapView.this;
      }
    };
  }

  @Override
  public SequencedSet<K> keySet() {
    return new LinkedViews.Keys<>(this);
  }

  @Override
  public SequencedSet<K> sequencedKeySet() {
    return keySet();
  }

  @Override
  public SequencedCollection<V> values() {
    return new LinkedViews.Values<>(this);
  }

  @Override
  public SequencedCollection<V> sequencedValues() {
    return values();
  }

  @Override
  public SequencedSet<Map.Entry<K, V>> entrySet() {
    return new LinkedViews.Entries<>(this);
  }

  @Override
  public SequencedSet<Map.Entry<K, V>> sequencedEntrySet() {
    return entrySet();
  }
}
