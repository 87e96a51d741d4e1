package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.SortedRange.Edge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map, or a live view of a part of one, in its order or in reverse. {@link
 * PersistentSortedMap} states what both guarantee.
 */
class SortedMapView<K extends @Nullable Object, V extends @Nullable Object> extends HeapMap<K, V>
    implements NavigableMap<K, V> {
  private static final int BATCH = 1024;

  private final SortedContents<K, V> contents;
  private final SortedRange range;
  private final boolean ascending;

  SortedMapView(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
    this.contents = contents;
    this.range = range;
    this.ascending = ascending;
  }

  @Override
  public final SortedContents<K, V> contents() {
    return contents;
  }

  final SortedRange range() {
    return range;
  }

  final boolean isAscending() {
    return ascending;
  }

  final boolean isInRange(@Nullable Object key) {
    return range.contains(contents.order(), key);
  }

  @Override
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

  @Override
  final @Nullable V set(K key, V value) {
    checkRange(key);
    return orNull(contents.set(key, value));
  }

  @Override
  final void checkAll(Set<? extends K> keys) {
    keys.forEach(this::checkRange);
    contents.checkAll(keys);
  }

  @Override
  final void visit(EntryVisitor visitor) {
    contents.tree().visit(range, ascending, visitor);
  }

  @Override
  final K key(long entry) {
    return contents.key(entry);
  }

  @Override
  final Iterator<Entry<K, V>> entryIterator() {
    return new SortedIterator<>(this, entry -> entry);
  }

  @Override
  final Iterator<K> keyIterator() {
    return new SortedIterator<>(this, MapEntry::getKey);
  }

  @Override
  final Iterator<V> valueIterator() {
    return new SortedIterator<>(this, MapEntry::seen);
  }

  @Override
  final int characteristics() {
    return Spliterator.ORDERED;
  }

  @Override
  final V value(long entry) {
    return contents.value(entry);
  }

  @Override
  final boolean hasValue(long entry, @Nullable Object value) {
    return contents.hasValue(entry, value);
  }

  @Override
  final V replaceIn(long entry, V value) {
    return contents.replaceIn(entry, value);
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
  public @Nullable V remove(@Nullable Object key) {
    return write(() -> isInRange(key) ? orNull(contents.remove(key)) : null);
  }

  @Override
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
    contents.writeAll(
        () -> {
          if (range.isAll()) {
            contents.clear();
          } else {
            contents.space().change(this::removeAll);
          }
        });
  }

  /** Removes the entries in batches, so that it holds few keys at a time. */
  private void removeAll() {
    List<K> keys = new ArrayList<>(BATCH);
    boolean isAnyRemoved; // not if the comparator finds none of its keys
    do {
      keys.clear();
      Iterator<K> next = keyIterator();
      while (keys.size() < BATCH && next.hasNext()) {
        keys.add(next.next());
      }
      isAnyRemoved = false;
      for (K key : keys) {
        isAnyRemoved |= removeKey(key);
      }
    } while (isAnyRemoved);
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

  static <K extends @Nullable Object> @Nullable K keyOrNull(@Nullable Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  // -- NavigableMap

  /**
   * Returns a copy of the first entry of a part of the range, from one side of this map; null if
   * there is none.
   */
  private @Nullable Entry<K, V> first(SortedRange part, boolean fromFront) {
    return contents.copy(contents.tree().first(part, fromFront == ascending));
  }

  /**
   * Returns the nearest entry behind a key in the direction of this map; with {@code inclusive},
   * also at it.
   */
  private @Nullable Entry<K, V> after(K key, boolean inclusive) {
    return read(() -> first(part(new Edge(key, inclusive), ascending), true));
  }

  private @Nullable Entry<K, V> before(K key, boolean inclusive) {
    return read(() -> first(part(new Edge(key, inclusive), !ascending), false));
  }

  /** Returns the part of the range that is above an edge in the order of the keys, or below it. */
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
    return new SortedSetView<>(this, false);
  }

  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return new SortedSetView<>(descendingMap(), false);
  }

  @Override
  public SortedMapView<K, V> descendingMap() {
    return new SortedMapView<>(contents, range, !ascending);
  }

  @Override
  public SortedMapView<K, V> subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return view(new Edge(from, fromInclusive), new Edge(to, toInclusive));
  }

  @Override
  public SortedMapView<K, V> headMap(K to, boolean inclusive) {
    return view(null, new Edge(to, inclusive));
  }

  @Override
  public SortedMapView<K, V> tailMap(K from, boolean inclusive) {
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

  private SortedMapView<K, V> view(@Nullable Edge from, @Nullable Edge to) {
    return new SortedMapView<>(
        contents, read(() -> range.part(contents.order(), from, to, ascending)), ascending);
  }
}
