package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a map along a {@link Walk}.
 *
 * @param <T> what it shows of them
 */
abstract class MapIterator<
        K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
    extends HashIterator<K, MapEntry<K, V>, T> {
  private final PersistentMap<K, V> map;

  private MapIterator(PersistentMap<K, V> map, Walk walk) {
    super(map.table(), walk);
    this.map = map;
  }

  @Override
  final MapEntry<K, V> read(long entry, Reading current) {
    return new HashEntry<>(map, entry, current);
  }

  static final class OfValues<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, V> {
    OfValues(PersistentMap<K, V> map, Walk walk) {
      super(map, walk);
    }

    @Override
    public V next() {
      return nextSeen().seen();
    }
  }

  static final class OfEntries<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, Entry<K, V>> {
    OfEntries(PersistentMap<K, V> map, Walk walk) {
      super(map, walk);
    }

    @Override
    public Entry<K, V> next() {
      return nextSeen();
    }
  }

  private static final class HashEntry<K extends @Nullable Object, V extends @Nullable Object>
      extends MapEntry<K, V> {
    private final PersistentMap<K, V> map;

    HashEntry(PersistentMap<K, V> map, long entry, Reading reading) {
      super(map.key(entry), map.value(entry), reading);
      this.map = map;
    }

    @Override
    @Nullable Found<V> lookUp() {
      return map.lookUp(getKey());
    }

    @Override
    @Nullable Found<V> replace(V newValue) {
      return map.replaceIfPresent(getKey(), newValue);
    }
  }
}
