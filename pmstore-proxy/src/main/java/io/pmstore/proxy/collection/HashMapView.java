package io.pmstore.proxy.collection;

import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A map on the entries of a hash table: one of the store, or a view of one.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
abstract class HashMapView<K extends @Nullable Object, V extends @Nullable Object>
    extends HeapMap<K, V> {
  private final HashTable<K> table;

  HashMapView(HashTable<K> table) {
    this.table = table;
  }

  @Override
  public final HashTable<K> contents() {
    return table;
  }

  /** Returns a walk through all entries. */
  Walk walk() {
    return table.walk();
  }

  // -- entries

  @Override
  long find(@Nullable Object key) {
    return table.find(key);
  }

  @Override
  K key(long entry) {
    return table.key(entry);
  }

  @Override
  Iterator<Map.Entry<K, V>> entryIterator() {
    return iterator(entry -> entry);
  }

  @Override
  Iterator<K> keyIterator() {
    return HashIterator.ofKeys(table, walk());
  }

  @Override
  Iterator<V> valueIterator() {
    return iterator(MapEntry::seen);
  }

  private <T extends @Nullable Object> Iterator<T> iterator(Function<MapEntry<K, V>, T> shown) {
    return new HashIterator<>(
        table, walk(), (entry, current) -> new MapEntry<>(this, entry, current), shown);
  }

  @Override
  void visit(EntryVisitor visitor) {
    walk().visit(visitor);
  }

  @Override
  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the map holds what was put into it as V, null if V allows it
  V value(long entry) {
    return (V) table.shown(table.trie().entries().value(entry));
  }

  @Override
  boolean hasValue(long entry, @Nullable Object value) {
    return table.trie().entries().hasValue(entry, value);
  }

  @Override
  void check(K storedKey) {
    table.check(storedKey);
  }

  @Override
  @Nullable V set(K key, V value) {
    K storedKey = stored(key);
    V storedValue = stored(value);
    int hash = table.trie().hash(storedKey);
    long entry = table.find(storedKey, hash);
    if (entry != 0) {
      return replaceIn(entry, storedValue);
    }
    table.insert(storedKey, hash, storedValue);
    return null;
  }

  @Override
  V replaceIn(long entry, V value) {
    V old = value(entry);
    table.trie().entries().setValue(entry, value);
    table.modifications().replaced(-1);
    return old;
  }

  @Override
  boolean removeKey(@Nullable Object key) {
    return table.remove(key);
  }

  // -- Map

  @Override
  public int size() {
    return table.size();
  }

  @Override
  public boolean isEmpty() {
    return table.isEmpty();
  }

  @Override
  public void clear() {
    table.clear();
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return write(
        () -> {
          long entry = table.find(key);
          if (entry == 0) {
            return null;
          }
          V old = value(entry);
          table.removeEntry(entry);
          return old;
        });
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return write(
        () -> {
          long entry = table.find(key);
          boolean matches = entry != 0 && hasValue(entry, value);
          if (matches) {
            table.removeEntry(entry);
          }
          return matches;
        });
  }

  @Override
  public Set<K> keySet() {
    return new MapViews.Keys<>(this);
  }
}
