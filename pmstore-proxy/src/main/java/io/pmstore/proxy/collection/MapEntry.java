package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry that an iteration over a map returned. Its value is the map's current one; once the key
 * was removed, or the transaction that put it was rolled back, it is the value that was last seen.
 */
final class MapEntry<K extends @Nullable Object, V extends @Nullable Object>
    implements Entry<K, V>, HashIterator.Seen<K> {
  private final HeapMap<K, V> map;
  private final K key;
  private final Reading reading;
  private V value;

  /**
   * Creates an entry.
   *
   * @param entry as {@link HeapMap#find} returns it
   * @param reading the read that found it
   */
  MapEntry(HeapMap<K, V> map, long entry, Reading reading) {
    this.map = map;
    this.key = map.key(entry);
    this.value = map.value(entry);
    this.reading = reading;
  }

  @Override
  public boolean refresh() {
    if (reading.isCurrent()) {
      return true;
    }
    Found<V> found = map.lookUp(key);
    if (found != null) {
      value = found.value();
    }
    return found != null;
  }

  /** Returns the value as it was last read. */
  V seen() {
    return value;
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
    refresh(); // the entry shows the new value even once the key is removed
    return old.value();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Entry<?, ?> entry
        && Objects.equals(key, map.contents().twin(entry.getKey()))
        && Objects.deepEquals(getValue(), map.contents().twin(entry.getValue()));
  }

  @Override
  public int hashCode() {
    return ArrayContents.hash(this);
  }

  @Override
  public String toString() {
    return key + "=" + getValue();
  }
}
