package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An entry that an iteration over a hash map returned. */
final class HashEntry<K extends @Nullable Object, V extends @Nullable Object>
    extends MapEntry<K, V> {
  private final HashMapView<K, V> map;

  private HashEntry(HashMapView<K, V> map, long entry, Reading reading) {
    super(map.key(entry), map.value(entry), reading);
    this.map = map;
  }

  static <K extends @Nullable Object, V extends @Nullable Object> Iterator<V> values(
      HashMapView<K, V> map, Walk walk) {
    return iterator(map, walk, MapEntry::seen);
  }

  static <K extends @Nullable Object, V extends @Nullable Object> Iterator<Entry<K, V>> entries(
      HashMapView<K, V> map, Walk walk) {
    return iterator(map, walk, entry -> entry);
  }

  private static <
          K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
      Iterator<T> iterator(HashMapView<K, V> map, Walk walk, Function<HashEntry<K, V>, T> shown) {
    return new HashIterator<>(
        map.contents(), walk, (entry, current) -> new HashEntry<>(map, entry, current), shown);
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
