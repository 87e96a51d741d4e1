package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a map.
 *
 * @param <T> what it shows of them
 */
abstract class MapIterator<
        K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
    extends HashIterator<K, MapIterator.MapEntry<K, V>, T> {
  private final PersistentMap<K, V> map;

  private MapIterator(PersistentMap<K, V> map) {
    super(map.table());
    this.map = map;
  }

  @Override
  final MapEntry<K, V> read(long entry, Reading current) {
    return new MapEntry<>(map, entry, current);
  }

  /** Over values. */
  static final class OfValues<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, V> {
    OfValues(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public V next() {
      return nextSeen().value;
    }
  }

  /** Over entries. */
  static final class OfEntries<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, Entry<K, V>> {
    OfEntries(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public Entry<K, V> next() {
      return nextSeen();
    }
  }

  /**
   * An entry that an iteration showed. Its value is the map's current one; once the key was
   * removed, or the transaction that put it was rolled back, the last one that was seen.
   */
  static final class MapEntry<K extends @Nullable Object, V extends @Nullable Object>
      extends HashIterator.Seen<K> implements Entry<K, V> {
    private final PersistentMap<K, V> map;
    private V value;

    MapEntry(PersistentMap<K, V> map, long entry, Reading reading) {
      super(map.table(), entry, reading);
      this.map = map;
      this.value = map.value(entry);
    }

    @Override
    boolean refresh() {
      if (reading.isCurrent()) {
        return true;
      }
      Found<V> found = map.lookUp(key);
      if (found != null) {
        value = found.value();
      }
      return found != null;
    }

    @Override
    public K getKey() {
      return key;
    }

    @Override
    public V getValue() {
      refresh();
      return value;
    }

    @Override
    public V setValue(V newValue) {
      Found<V> old = map.replaceIfPresent(key, newValue);
      if (old == null) {
        throw new IllegalStateException(
            "the entry was removed from the map, so its value cannot be set; put the key again");
      }
      return old.value();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Entry<?, ?> entry
          && Objects.equals(key, entry.getKey())
          && Objects.equals(getValue(), entry.getValue());
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(key) ^ Objects.hashCode(getValue());
    }

    @Override
    public String toString() {
      return key + "=" + getValue();
    }
  }
}
