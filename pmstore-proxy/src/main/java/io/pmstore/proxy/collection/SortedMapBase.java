package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.SortedContents.Found;
import io.pmstore.proxy.collection.SortedRange.Edge;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map or a view of a part of one, in its order or the other way round: what {@link
 * PersistentSortedMap} says holds for both.
 */
abstract class SortedMapBase<K extends @Nullable Object, V extends @Nullable Object>
    extends AbstractMap<K, V> implements NavigableMap<K, V> {
  private final SortedContents<K, V> contents;
  private final SortedRange range;
  private final boolean ascending;

  SortedMapBase(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
    this.contents = contents;
    this.range = range;
    this.ascending = ascending;
  }

  final SortedContents<K, V> contents() {
    return contents;
  }

  final SortedRange range() {
    return range;
  }

  final boolean isAscending() {
    return ascending;
  }

  private <T extends @Nullable Object> T read(Supplier<T> body) {
    return contents.heap().read(body);
  }

  private <T extends @Nullable Object> T write(Supplier<T> operation) {
    return contents.space().write(operation);
  }

  private boolean isInRange(@Nullable Object key) {
    return range.contains(contents.order(), key);
  }

  /** The entry of a key in the range, or 0. Called inside a transaction or a consistent read. */
  final long find(@Nullable Object key) {
    return isInRange(key) ? contents.tree().find(key) : 0;
  }

  private void checkRange(K key) {
    if (!isInRange(key)) {
      throw new IllegalArgumentException(
          "the key %s is outside of %s, of which this map is a view; put it into the map itself"
              .formatted(key, range));
    }
  }

  private @Nullable Found<V> set(K key, V value) {
    checkRange(key);
    return contents.set(key, value);
  }

  private static <V extends @Nullable Object> @Nullable V orNull(@Nullable Found<V> found) {
    return found == null ? null : found.value();
  }

  // -- Map

  @Override
  public int size() {
    return contents.size(range);
  }

  @Override
  public boolean isEmpty() {
    return contents.isEmpty(range);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return read(() -> find(key) != 0);
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return read(() -> findValue(value) != 0);
  }

  /** The first entry with a value, or 0. Called inside a transaction or a consistent read. */
  final long findValue(@Nullable Object value) {
    long[] found = new long[1];
    contents
        .tree()
        .visit(
            range,
            ascending,
            entry -> {
              found[0] = contents.hasValue(entry, value) ? entry : 0;
              return found[0] == 0;
            });
    return found[0];
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return getOrDefault(key, null);
  }

  @Override
  public @Nullable V getOrDefault(@Nullable Object key, @Nullable V defaultValue) {
    return read(
        () -> {
          long entry = find(key);
          return entry == 0 ? defaultValue : contents.value(entry);
        });
  }

  @Override
  public @Nullable V put(K key, V value) {
    return write(() -> orNull(set(key, value)));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    write(
        () -> {
          List<Entry<K, V>> entries = new ArrayList<>();
          map.forEach(
              (key, value) -> {
                checkRange(key);
                contents.order().checkKey(key);
                entries.add(
                    new SimpleImmutableEntry<>(contents.stored(key), contents.stored(value)));
              });
          contents
              .space()
              .change(() -> entries.forEach(entry -> set(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return write(() -> isInRange(key) ? orNull(contents.remove(key)) : null);
  }

  /**
   * Removes a key; says whether it was there, which {@link #remove(Object)} does not where null is
   * a value.
   */
  final boolean removeKey(@Nullable Object key) {
    return write(() -> isInRange(key) && contents.remove(key) != null);
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return write(
        () -> {
          long entry = find(key);
          return entry != 0 && contents.hasValue(entry, value) && contents.remove(key) != null;
        });
  }

  @Override
  public void clear() {
    contents.clear(range);
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
    V stored = contents.stored(value);
    set(key, stored);
    return stored;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return orNull(replaceIfPresent(key, value));
  }

  private @Nullable Found<V> replaceIfPresent(K key, V value) {
    return write(() -> isInRange(key) ? contents.replaceIfPresent(key, value) : null);
  }

  @Override
  public boolean replace(K key, @Nullable V oldValue, V newValue) {
    return write(
        () -> {
          long entry = find(key);
          boolean matches = entry != 0 && contents.hasValue(entry, oldValue);
          if (matches) {
            contents.replaceIn(entry, newValue);
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
                  entries.add(
                      new SimpleImmutableEntry<>(
                          key, contents.stored(function.apply(key, value)))));
          contents
              .space()
              .change(() -> entries.forEach(entry -> replace(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    new SortedIterator.OfEntries<>(contents, range, ascending)
        .forEachRemaining(entry -> action.accept(entry.getKey(), entry.getValue()));
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new SortedMapViews.Entries<>(this);
  }

  @Override
  public Collection<V> values() {
    return new SortedMapViews.Values<>(this);
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

  // -- SortedMap

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return read(() -> ascending ? contents.order().comparator() : contents.order().reversed());
  }

  @Override
  public K firstKey() {
    return keyOf(firstEntry());
  }

  @Override
  public K lastKey() {
    return keyOf(lastEntry());
  }

  private K keyOf(@Nullable Entry<K, V> entry) {
    if (entry == null) {
      throw new NoSuchElementException("the map has no keys; ask isEmpty first");
    }
    return entry.getKey();
  }

  private static <K extends @Nullable Object> @Nullable K keyOrNull(@Nullable Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  // -- NavigableMap

  /** A copy of the first entry of a part of the range, from a side of this map; or null. */
  private @Nullable Entry<K, V> first(SortedRange part, boolean fromFront) {
    return contents.copy(contents.tree().first(part, fromFront == ascending));
  }

  /** The nearest entry behind a key in the direction of this map, or at it. */
  private @Nullable Entry<K, V> after(K key, boolean inclusive) {
    return read(() -> first(part(new Edge(key, inclusive), ascending), true));
  }

  private @Nullable Entry<K, V> before(K key, boolean inclusive) {
    return read(() -> first(part(new Edge(key, inclusive), !ascending), false));
  }

  /** The part of the range that is above an edge in the order of the keys, or below it. */
  private SortedRange part(Edge edge, boolean above) {
    SortedOrder order = contents.order();
    if (contents.tree().isEmpty()) {
      order.checkQuery(edge.key());
    }
    return above ? range.from(order, edge) : range.to(order, edge);
  }

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return read(() -> first(range, true));
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return read(() -> first(range, false));
  }

  @Override
  public @Nullable Entry<K, V> pollFirstEntry() {
    return contents.poll(range, ascending);
  }

  @Override
  public @Nullable Entry<K, V> pollLastEntry() {
    return contents.poll(range, !ascending);
  }

  @Override
  public @Nullable Entry<K, V> lowerEntry(K key) {
    return before(key, false);
  }

  @Override
  public @Nullable Entry<K, V> floorEntry(K key) {
    return before(key, true);
  }

  @Override
  public @Nullable Entry<K, V> ceilingEntry(K key) {
    return after(key, true);
  }

  @Override
  public @Nullable Entry<K, V> higherEntry(K key) {
    return after(key, false);
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return keyOrNull(lowerEntry(key));
  }

  @Override
  public @Nullable K floorKey(K key) {
    return keyOrNull(floorEntry(key));
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return keyOrNull(ceilingEntry(key));
  }

  @Override
  public @Nullable K higherKey(K key) {
    return keyOrNull(higherEntry(key));
  }

  // -- views

  @Override
  public NavigableSet<K> navigableKeySet() {
    return new SortedSetView<>(contents, range, ascending, false);
  }

  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return new SortedSetView<>(contents, range, !ascending, false);
  }

  @Override
  public NavigableMap<K, V> descendingMap() {
    return new SortedMapView<>(contents, range, !ascending);
  }

  @Override
  public NavigableMap<K, V> subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return view(new Edge(from, fromInclusive), new Edge(to, toInclusive));
  }

  @Override
  public NavigableMap<K, V> headMap(K to, boolean inclusive) {
    return view(null, new Edge(to, inclusive));
  }

  @Override
  public NavigableMap<K, V> tailMap(K from, boolean inclusive) {
    return view(new Edge(from, inclusive), null);
  }

  @Override
  public NavigableMap<K, V> subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public NavigableMap<K, V> headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public NavigableMap<K, V> tailMap(K from) {
    return tailMap(from, true);
  }

  private NavigableMap<K, V> view(@Nullable Edge from, @Nullable Edge to) {
    return new SortedMapView<>(
        contents, read(() -> range.part(contents.order(), from, to, ascending)), ascending);
  }
}
