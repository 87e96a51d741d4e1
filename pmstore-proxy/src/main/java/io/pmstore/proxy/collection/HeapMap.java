package io.pmstore.proxy.collection;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The common code of all persistent maps. Subclasses find the entries. Each operation is one read
 * or one transaction. Keys and values are stored before the first change, so that one that cannot
 * be stored changes nothing. The functions of a bulk operation run for all entries before the first
 * change.
 *
 * <p>The methods that take or return an entry's address, and {@link #set}, are called inside a
 * transaction; those that only read may also be called inside a consistent read.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
abstract class HeapMap<K extends @Nullable Object, V extends @Nullable Object>
    extends AbstractMap<K, V> {
  public abstract Contents contents();

  /** Returns the entry of a key, or 0. */
  abstract long find(@Nullable Object key);

  /** Shows the entries to a visitor, in the order of the iterators. */
  abstract void visit(EntryVisitor visitor);

  abstract V value(long entry);

  /** Returns true if an entry's value equals another. */
  abstract boolean hasValue(long entry, @Nullable Object value);

  abstract K key(long entry);

  /** Iterates over the entries. The iterator can set and remove them. */
  abstract Iterator<Entry<K, V>> entryIterator();

  /** Iterates over the keys. The iterator can remove them. */
  abstract Iterator<K> keyIterator();

  /** Iterates over the values. The iterator can remove their entries. */
  abstract Iterator<V> valueIterator();

  /** Returns the {@link java.util.Spliterator} characteristics of the entries and values. */
  int characteristics() {
    return 0;
  }

  /** Returns what is stored for a key or value. */
  <T extends @Nullable Object> T stored(T keyOrValue) {
    return contents().stored(keyOrValue);
  }

  /**
   * Throws if the map cannot have one of the keys. Runs before the first change of a bulk
   * operation.
   */
  void checkAll(Set<? extends K> keys) {}

  /** Checks that the map can have a key that is stored. Runs before the first change too. */
  void check(K storedKey) {}

  private Entry<K, V> storedEntry(Entry<K, V> entry) {
    K key = stored(entry.getKey());
    check(key);
    return new SimpleImmutableEntry<>(key, stored(entry.getValue()));
  }

  /** Puts a value. Returns the old one, or null if there was none. */
  abstract @Nullable V set(K key, V value);

  /** Replaces the value of an entry. Returns the old one. */
  abstract V replaceIn(long entry, V value);

  /**
   * Removes a key. Returns true if it was there, which {@link #remove(Object)} does not tell if
   * null is a value. May be called outside a transaction.
   */
  abstract boolean removeKey(@Nullable Object key);

  /** Runs reads that see one state. */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    return contents().read(reads);
  }

  /** Runs an operation that writes. */
  final <T extends @Nullable Object> T write(Supplier<T> operation) {
    return contents().write(operation);
  }

  /** A value that was found, perhaps null. */
  record Found<V extends @Nullable Object>(V value) {}

  /** Returns the value of a key, or null if the key is not there. */
  final @Nullable Found<V> lookUp(@Nullable Object key) {
    return read(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : new Found<>(value(entry));
        });
  }

  /** Returns the first entry with a value, or 0. */
  final long findValue(@Nullable Object value) {
    long[] found = new long[1];
    visit(
        entry -> {
          if (found[0] == 0 && hasValue(entry, value)) {
            found[0] = entry;
          }
          return found[0] == 0;
        });
    return found[0];
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
    return contents().store(key, value, () -> set(key, value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    write(
        () -> {
          List<Entry<K, V>> given = new ArrayList<>();
          checkAll(map.keySet());
          map.forEach((key, value) -> given.add(new SimpleImmutableEntry<>(key, value)));
          List<Entry<K, V>> entries = contents().allStored(given, this::storedEntry);
          contents()
              .space()
              .change(() -> entries.forEach(entry -> set(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  /**
   * Removes the entries that a predicate accepts. It tests all of them before it removes the first.
   */
  final boolean removeIf(Predicate<? super Entry<K, V>> predicate) {
    return write(
        () -> {
          List<K> keys = contents().accepted(entryIterator(), predicate, Entry::getKey);
          contents().space().change(() -> keys.forEach(this::removeKey));
          return !keys.isEmpty();
        });
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return contents()
        .store(
            key,
            value,
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
    V present = get(key); // mostly it is present, and needs no write transaction
    return present != null
        ? present
        : write(
            () -> {
              V old = get(key);
              if (old != null) {
                return old;
              }
              V value = function.apply(key);
              return value == null ? null : update(key, value); // a present null stays
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

  /**
   * Ends a computation: puts the value, or removes the key if the value is null. Returns the stored
   * value.
   */
  private @Nullable V update(K key, @Nullable V value) {
    if (value == null) {
      removeKey(key);
      return null;
    }
    return contents()
        .store(
            key,
            value,
            () -> {
              V stored = stored(value);
              set(key, stored);
              return contents().shown(stored);
            });
  }

  @Override
  public @Nullable V replace(K key, V value) {
    Found<V> old = replaceIfPresent(key, value);
    return old == null ? null : old.value();
  }

  /** Replaces a value. Returns the old one, or null if the key is not there. */
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
          List<Entry<K, V>> computed = contents().gathered();
          try (Modifications.Watch watch = contents().modifications().watch(null)) {
            forEach(
                (key, value) -> {
                  computed.add(new SimpleImmutableEntry<>(key, function.apply(key, value)));
                  watch.check();
                });
          }
          List<Entry<K, V>> entries =
              contents()
                  .allStored(
                      computed,
                      entry ->
                          new SimpleImmutableEntry<>(entry.getKey(), stored(entry.getValue())));
          contents()
              .space()
              .change(() -> entries.forEach(entry -> replace(entry.getKey(), entry.getValue())));
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
    return other == this || (other instanceof Map<?, ?> map && read(() -> hasEntriesOf(map)));
  }

  /** Compares arrays among the values by their contents, and with the twins of plain objects. */
  private boolean hasEntriesOf(Map<?, ?> other) {
    if (other.size() != size()) {
      return false;
    }
    try {
      Map<?, ?> asked = withTwins(other);
      for (Entry<K, V> entry : entrySet()) {
        Object value = asked.get(entry.getKey());
        if (!Objects.deepEquals(entry.getValue(), contents().twin(value))
            || (value == null && !asked.containsKey(entry.getKey()))) {
          return false;
        }
      }
      return true;
    } catch (ClassCastException | NullPointerException e) {
      return false; // the other map cannot have such a key
    }
  }

  /** Returns a map that finds what this one has for its plain keys; the same one if it has none. */
  private Map<?, ?> withTwins(Map<?, ?> other) {
    CellCodec codec = contents().space().codec();
    if (other.keySet().stream().allMatch(codec::convertsNothing)) {
      return other;
    }
    Map<@Nullable Object, @Nullable Object> twins = emptyLike(other);
    other.forEach((key, value) -> twins.put(codec.twin(key), value));
    return twins;
  }

  @SuppressWarnings("unchecked") // it compares the same keys
  private static Map<@Nullable Object, @Nullable Object> emptyLike(Map<?, ?> map) {
    return map instanceof SortedMap
        ? new TreeMap<>(((SortedMap<@Nullable Object, ?>) map).comparator())
        : new HashMap<>();
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
