package io.pmstore.proxy.collection;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What persistent maps have in common, whatever finds their entries: each operation is one read or
 * one transaction; what is put is stored before the first change, so that one that cannot be stored
 * changes nothing; the functions of a bulk operation are asked about all entries before the first
 * change.
 *
 * <p>The methods that take or return an entry's address, and {@link #set}, are called inside a
 * transaction or, if they only read, inside a consistent read.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
abstract class HeapMap<K extends @Nullable Object, V extends @Nullable Object>
    extends AbstractMap<K, V> {
  /** What the collections of the store share. */
  abstract CollectionSpace space();

  /** The entry of a key, or 0. */
  abstract long find(@Nullable Object key);

  /** The first entry with a value, or 0. */
  abstract long findValue(@Nullable Object value);

  /** The value of an entry. */
  abstract V value(long entry);

  /** Whether an entry has a value equal to another. */
  abstract boolean hasValue(long entry, @Nullable Object value);

  /** The key of an entry. */
  abstract K key(long entry);

  /** Iterates over the entries; they can be set and removed. */
  abstract Iterator<Entry<K, V>> entryIterator();

  /** Iterates over the values; their entries can be removed. */
  abstract Iterator<V> valueIterator();

  /** What spliterators of the entries and of the values say of their order. */
  int characteristics() {
    return 0;
  }

  /** What is stored for a key or value on its way into the map. */
  abstract <T extends @Nullable Object> T stored(T keyOrValue);

  /** Refuses keys that the map cannot have, before the first change of a bulk operation. */
  void checkAll(Set<? extends K> keys) {}

  /** Puts a value; returns the old one, null if there was none. */
  abstract @Nullable V set(K key, V value);

  /** Replaces the value of an entry; returns the old one. */
  abstract V replaceIn(long entry, V value);

  /**
   * Removes a key; says whether it was there, which {@link #remove(Object)} does not where null is
   * a value. May be called outside a transaction.
   */
  abstract boolean removeKey(@Nullable Object key);

  /** Runs reads that see one state, while this map is alive. */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    return space().read(this, reads);
  }

  /** Runs an operation that writes, while this map is alive. */
  final <T extends @Nullable Object> T write(Supplier<T> operation) {
    return space().write(this, operation);
  }

  /** A value that is there, perhaps null. */
  record Found<V extends @Nullable Object>(V value) {}

  /** The value of a key; null if there is none. */
  final @Nullable Found<V> lookUp(@Nullable Object key) {
    return read(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : new Found<>(value(entry));
        });
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return read(() -> find(key) != 0);
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return read(() -> findValue(value) != 0);
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return read(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : value(entry);
        });
  }

  @Override
  public @Nullable V getOrDefault(@Nullable Object key, @Nullable V defaultValue) {
    return read(
        () -> {
          long entry = find(key);
          return entry == 0 ? defaultValue : value(entry);
        });
  }

  @Override
  public @Nullable V put(K key, V value) {
    return write(() -> set(key, value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    write(
        () -> {
          List<Entry<K, V>> entries = new ArrayList<>();
          checkAll(map.keySet());
          map.forEach(
              (key, value) -> entries.add(new SimpleImmutableEntry<>(stored(key), stored(value))));
          space().change(() -> entries.forEach(entry -> set(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  /**
   * Removes the entries for which a predicate holds; it is asked about all of them before the first
   * is removed.
   */
  boolean removeIf(BiPredicate<? super K, ? super V> predicate) {
    return write(
        () -> {
          List<K> keys = new ArrayList<>();
          forEach(
              (key, value) -> {
                if (predicate.test(key, value)) {
                  keys.add(key);
                }
              });
          keys.forEach(this::removeKey);
          return !keys.isEmpty();
        });
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return write(
        () -> {
          V old = get(key);
          if (old == null) {
            set(key, value);
          }
          return old;
        });
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    V present = get(key); // without a write transaction where it is there, as it mostly is
    return present != null
        ? present
        : write(
            () -> {
              V old = get(key);
              if (old != null) {
                return old;
              }
              V value = function.apply(key);
              return value == null ? null : update(key, value); // a null that is there stays
            });
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return write(
        () -> {
          V old = get(key);
          return old == null ? null : update(key, function.apply(key, old));
        });
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return write(() -> update(key, function.apply(key, get(key))));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return write(
        () -> {
          V old = get(key);
          return update(key, old == null ? value : function.apply(old, value));
        });
  }

  /** The last step of a computation: a null removes the key. Returns the stored value. */
  private @Nullable V update(K key, @Nullable V value) {
    if (value == null) {
      removeKey(key);
      return null;
    }
    V stored = stored(value);
    set(key, stored);
    return stored;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    Found<V> old = replaceIfPresent(key, value);
    return old == null ? null : old.value();
  }

  /** Replaces a value; returns the old one, or null if the key is not there. */
  @Nullable Found<V> replaceIfPresent(@Nullable Object key, V value) {
    return write(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : new Found<>(replaceIn(entry, value));
        });
  }

  @Override
  public boolean replace(K key, @Nullable V oldValue, V newValue) {
    return write(
        () -> {
          long entry = find(key);
          boolean matches = entry != 0 && hasValue(entry, oldValue);
          if (matches) {
            replaceIn(entry, newValue);
          }
          return matches;
        });
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    write(
        () -> {
          List<Entry<K, V>> entries = new ArrayList<>();
          forEach(
              (key, value) ->
                  entries.add(new SimpleImmutableEntry<>(key, stored(function.apply(key, value)))));
          space().change(() -> entries.forEach(entry -> replace(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    entryIterator().forEachRemaining(entry -> action.accept(entry.getKey(), entry.getValue()));
  }

  @Override
  public Collection<V> values() {
    return new MapViews.Values<>(this);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new MapViews.Entries<>(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof Map && read(() -> super.equals(other)));
  }

  @Override
  public int hashCode() {
    return read(super::hashCode);
  }

  @Override
  public String toString() {
    return read(super::toString);
  }
}
