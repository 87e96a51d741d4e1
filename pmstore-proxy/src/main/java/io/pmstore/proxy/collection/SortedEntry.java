package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry that an iteration over a sorted map showed. Its value is the map's current one; once the
 * key was removed, or the transaction that put it was rolled back, the last one that was seen.
 */
final class SortedEntry<K extends @Nullable Object, V extends @Nullable Object>
    implements Entry<K, V> {
  private final SortedContents<K, V> contents;
  private final K key;
  private final Reading reading;
  private V value;

  SortedEntry(SortedContents<K, V> contents, K key, V value, Reading reading) {
    this.contents = contents;
    this.key = key;
    this.value = value;
    this.reading = reading;
  }

  /** Reads the value again if it may have changed; says whether the key is still there. */
  boolean refresh() {
    if (reading.isCurrent()) {
      return true;
    }
    Found<V> found = contents.lookUp(key);
    if (found != null) {
      value = found.value();
    }
    return found != null;
  }

  /** The value as it was last read. */
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
    Found<V> old = contents.replaceIfPresent(key, newValue);
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
