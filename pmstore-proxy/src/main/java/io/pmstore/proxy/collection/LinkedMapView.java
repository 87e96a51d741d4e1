package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.Iterator;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * A live view of a linked map in reverse order. As in a {@code LinkedHashMap}, a new key that is
 * put into the view comes last in the map.
 */
final class LinkedMapView<K extends @Nullable Object, V extends @Nullable Object>
    extends HeapMap<K, V> implements SequencedMap<K, V> {
  private final PersistentLinkedMap<K, V> map;

  LinkedMapView(PersistentLinkedMap<K, V> map) {
    this.map = map;
  }

  @Override
  CollectionSpace space() {
    return map.space();
  }

  @Override
  int characteristics() {
    return Spliterator.ORDERED;
  }

  // -- entries

  @Override
  long find(@Nullable Object key) {
    return map.find(key);
  }

  @Override
  long findValue(@Nullable Object value) {
    return map.findValue(value, map.table().walk(End.LAST));
  }

  @Override
  V value(long entry) {
    return map.value(entry);
  }

  @Override
  boolean hasValue(long entry, @Nullable Object value) {
    return map.hasValue(entry, value);
  }

  @Override
  K key(long entry) {
    return map.key(entry);
  }

  @Override
  Iterator<Map.Entry<K, V>> entryIterator() {
    return map.entryIterator(End.LAST);
  }

  @Override
  Iterator<K> keyIterator() {
    return map.keyIterator(End.LAST);
  }

  @Override
  Iterator<V> valueIterator() {
    return map.valueIterator(End.LAST);
  }

  @Override
  <T extends @Nullable Object> T stored(T keyOrValue) {
    return map.stored(keyOrValue);
  }

  @Override
  @Nullable V set(K key, V value) {
    return map.set(key, value);
  }

  @Override
  V replaceIn(long entry, V value) {
    return map.replaceIn(entry, value);
  }

  @Override
  boolean removeKey(@Nullable Object key) {
    return map.removeKey(key);
  }

  // -- Map

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return map.remove(key);
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return map.remove(key, value);
  }

  @Override
  public void clear() {
    map.clear();
  }

  // -- SequencedMap

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return map.lastEntry();
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return map.firstEntry();
  }

  @Override
  public @Nullable Entry<K, V> pollFirstEntry() {
    return map.pollLastEntry();
  }

  @Override
  public @Nullable Entry<K, V> pollLastEntry() {
    return map.pollFirstEntry();
  }

  @Override
  public @Nullable V putFirst(K key, V value) {
    return map.putLast(key, value);
  }

  @Override
  public @Nullable V putLast(K key, V value) {
    return map.putFirst(key, value);
  }

  @Override
  public SequencedMap<K, V> reversed() {
    return map;
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
