package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry that an iteration over a map returned. Its value is the map's current one; once the key
 * was removed, or the transaction that put it was rolled back, it is the value that was last seen.
 */
abstract class MapEntry<K extends @Nullable Object, V extends @Nullable Object>
    implements Entry<K, V>, HashIterator.Seen<K> {
  private final K key;
  private final Reading reading;
  private V value;

  /**
   * Creates an entry.
   *
   * @param value the map's value for the key
   * @param reading the read that returned the value
   */
  MapEntry(K key, V value, Reading reading) {
    this.key = key;
    this.value = value;
    this.reading = reading;
  }

  /** Returns the map's current value for the key, or null if the key is not there. */
  abstract @Nullable Found<V> lookUp();

  /** Replaces the map's value for the key. Returns the old one, or null if the key is not there. */
  abstract @Nullable Found<V> replace(V newValue);

  @Override
  public final boolean refresh() {
    if (reading.isCurrent()) {
      return true;
    }
    Found<V> found = lookUp();
    if (found != null) {
      value = found.value();
    }
    return found != null;
  }

  /** Returns the value as it was last read. */
  final V seen() {
    return value;
  }

  @Override
  public final K getKey() {
    return key;
  }

  @Override
  public final V getValue() {
    refresh();
    return value;
  }

  @Override
  public final V setValue(V newValue) {
    Found<V> old = replace(newValue);
    if (old == null) {
      throw new IllegalStateException(
          "the entry was removed from the map, so its value cannot be set; put the key again");
    }
    refresh(); // the entry shows the new value even once the key is removed
    return old.value();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof Entry<?, ?> entry
        && Objects.equals(key, entry.getKey())
        && Objects.deepEquals(getValue(), entry.getValue());
  }

  @Override
  public final int hashCode() {
    return Objects.hashCode(key) ^ ArrayContents.hash(getValue());
  }

  @Override
  public final String toString() {
    return key + "=" + getValue();
  }
}
