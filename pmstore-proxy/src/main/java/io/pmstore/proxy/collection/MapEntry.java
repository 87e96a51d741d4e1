package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry that an iteration over a map showed. Its value is the map's current one; once the key
 * was removed, or the transaction that put it was rolled back, the last one that was seen.
 */
abstract class MapEntry<K extends @Nullable Object, V extends @Nullable Object>
    implements Entry<K, V>, HashIterator.Seen<K> {
  private final K key;
  private final Reading reading;
  private V value;

  /**
   * Creates an entry.
   *
   * @param value what the map has for the key
   * @param reading which read said so
   */
  MapEntry(K key, V value, Reading reading) {
    this.key = key;
    this.value = value;
    this.reading = reading;
  }

  /** Finds the value that the map has for the key now; null if it has none. */
  abstract @Nullable Found<V> lookUp();

  /** Replaces the value that the map has for the key; returns the old one, null if it had none. */
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

  /** The value as it was last read. */
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
    return old.value();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof Entry<?, ?> entry
        && Objects.equals(key, entry.getKey())
        && Objects.equals(getValue(), entry.getValue());
  }

  @Override
  public final int hashCode() {
    return Objects.hashCode(key) ^ Objects.hashCode(getValue());
  }

  @Override
  public final String toString() {
    return key + "=" + getValue();
  }
}
