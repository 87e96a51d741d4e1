package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;

import java.util.AbstractCollection;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The live views of a map. What removes several entries is one transaction; what shows several at
 * once is one read. Streams do not rely on the size, which may change beneath them.
 */
final class MapViews {
  private MapViews() {}

  /** The two sets. */
  abstract static class SetView<
          K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
      extends AbstractSet<T> {
    final PersistentMap<K, V> map;

    SetView(PersistentMap<K, V> map) {
      this.map = map;
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean isEmpty() {
      return map.isEmpty();
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public boolean removeAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return map.space().write(() -> super.removeAll(elements));
    }

    @Override
    public boolean retainAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(element -> !elements.contains(element));
    }

    @Override
    public boolean containsAll(Collection<?> elements) {
      return map.space().heap().read(() -> super.containsAll(elements));
    }

    @Override
    public Object[] toArray() {
      return map.space().heap().read(() -> super.toArray());
    }

    @Override
    public <A extends @Nullable Object> A[] toArray(A[] array) {
      return map.space().heap().read(() -> super.toArray(array));
    }

    @Override
    public Spliterator<T> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.DISTINCT);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other == this || map.space().heap().read(() -> super.equals(other));
    }

    @Override
    public int hashCode() {
      return map.space().heap().read(super::hashCode);
    }

    @Override
    public String toString() {
      return map.space().heap().read(super::toString);
    }
  }

  /** {@code keySet}. */
  static final class Keys<K extends @Nullable Object, V extends @Nullable Object>
      extends SetView<K, V, K> {
    Keys(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public Iterator<K> iterator() {
      return new MapIterator.OfKeys<>(map);
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return map.containsKey(key);
    }

    @Override
    public boolean remove(@Nullable Object key) {
      return map.removeKey(key);
    }

    @Override
    public boolean removeIf(Predicate<? super K> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.removeIf((key, value) -> filter.test(key));
    }
  }

  /** {@code entrySet}. */
  static final class Entries<K extends @Nullable Object, V extends @Nullable Object>
      extends SetView<K, V, Entry<K, V>> {
    Entries(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
      return new MapIterator.OfEntries<>(map);
    }

    @Override
    public boolean contains(@Nullable Object object) {
      CellCodec codec = map.space().codec();
      return object instanceof Entry<?, ?> other
          && map.space()
              .heap()
              .read(
                  () -> {
                    long entry = map.find(other.getKey());
                    return entry != 0 && codec.cellEquals(entry, ENTRY_VALUE, other.getValue());
                  });
    }

    @Override
    public boolean remove(@Nullable Object object) {
      return object instanceof Entry<?, ?> entry && map.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean removeIf(Predicate<? super Entry<K, V>> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.removeIf((key, value) -> filter.test(new SimpleImmutableEntry<>(key, value)));
    }
  }

  /** {@code values}. */
  static final class Values<K extends @Nullable Object, V extends @Nullable Object>
      extends AbstractCollection<V> {
    private final PersistentMap<K, V> map;

    Values(PersistentMap<K, V> map) {
      this.map = map;
    }

    @Override
    public Iterator<V> iterator() {
      return new MapIterator.OfValues<>(map);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean isEmpty() {
      return map.isEmpty();
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public boolean contains(@Nullable Object value) {
      return map.containsValue(value);
    }

    @Override
    public boolean remove(@Nullable Object value) {
      return map.space()
          .write(
              () -> {
                long entry = map.findValue(value);
                return entry != 0 && map.removeKey(map.key(entry));
              });
    }

    @Override
    public boolean removeIf(Predicate<? super V> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.removeIf((key, value) -> filter.test(value));
    }

    @Override
    public boolean removeAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(elements::contains);
    }

    @Override
    public boolean retainAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(element -> !elements.contains(element));
    }

    @Override
    public boolean containsAll(Collection<?> elements) {
      return map.space().heap().read(() -> super.containsAll(elements));
    }

    @Override
    public Object[] toArray() {
      return map.space().heap().read(() -> super.toArray());
    }

    @Override
    public <A extends @Nullable Object> A[] toArray(A[] array) {
      return map.space().heap().read(() -> super.toArray(array));
    }

    @Override
    public Spliterator<V> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), 0);
    }

    @Override
    public String toString() {
      return map.space().heap().read(super::toString);
    }
  }
}
