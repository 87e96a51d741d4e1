package io.pmstore.proxy.collection;

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
 * The live views of the entries and of the values of a sorted map. What removes several entries is
 * one transaction; what shows several at once is one read. Streams do not rely on the size, which
 * may change beneath them.
 */
final class SortedMapViews {
  private SortedMapViews() {}

  /** {@code entrySet}. */
  static final class Entries<K extends @Nullable Object, V extends @Nullable Object>
      extends AbstractSet<Entry<K, V>> {
    private final SortedMapBase<K, V> map;

    Entries(SortedMapBase<K, V> map) {
      this.map = map;
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
      return new SortedIterator.OfEntries<>(map.contents(), map.range(), map.isAscending());
    }

    @Override
    public Spliterator<Entry<K, V>> spliterator() {
      return Spliterators.spliteratorUnknownSize(
          iterator(), Spliterator.DISTINCT | Spliterator.ORDERED);
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
    public boolean contains(@Nullable Object object) {
      return object instanceof Entry<?, ?> other
          && map.contents()
              .heap()
              .read(
                  () -> {
                    long entry = map.find(other.getKey());
                    return entry != 0 && map.contents().hasValue(entry, other.getValue());
                  });
    }

    @Override
    public boolean remove(@Nullable Object object) {
      return object instanceof Entry<?, ?> entry && map.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean removeIf(Predicate<? super Entry<K, V>> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.contents()
          .removeIf(
              map.range(),
              map.isAscending(),
              (key, value) -> filter.test(new SimpleImmutableEntry<>(key, value)));
    }

    @Override
    public boolean removeAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return map.contents().space().write(() -> super.removeAll(elements));
    }

    @Override
    public boolean retainAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(element -> !elements.contains(element));
    }

    @Override
    public boolean containsAll(Collection<?> elements) {
      return map.contents().heap().read(() -> super.containsAll(elements));
    }

    @Override
    public Object[] toArray() {
      return map.contents().heap().read(() -> super.toArray());
    }

    @Override
    public <A extends @Nullable Object> A[] toArray(A[] array) {
      return map.contents().heap().read(() -> super.toArray(array));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other == this || map.contents().heap().read(() -> super.equals(other));
    }

    @Override
    public int hashCode() {
      return map.contents().heap().read(super::hashCode);
    }

    @Override
    public String toString() {
      return map.contents().heap().read(super::toString);
    }
  }

  /** {@code values}. */
  static final class Values<K extends @Nullable Object, V extends @Nullable Object>
      extends AbstractCollection<V> {
    private final SortedMapBase<K, V> map;

    Values(SortedMapBase<K, V> map) {
      this.map = map;
    }

    @Override
    public Iterator<V> iterator() {
      return new SortedIterator.OfValues<>(map.contents(), map.range(), map.isAscending());
    }

    @Override
    public Spliterator<V> spliterator() {
      return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
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
      return map.contents()
          .space()
          .write(
              () -> {
                long entry = map.findValue(value);
                return entry != 0 && map.removeKey(map.contents().key(entry));
              });
    }

    @Override
    public boolean removeIf(Predicate<? super V> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.contents()
          .removeIf(map.range(), map.isAscending(), (key, value) -> filter.test(value));
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
      return map.contents().heap().read(() -> super.containsAll(elements));
    }

    @Override
    public Object[] toArray() {
      return map.contents().heap().read(() -> super.toArray());
    }

    @Override
    public <A extends @Nullable Object> A[] toArray(A[] array) {
      return map.contents().heap().read(() -> super.toArray(array));
    }

    @Override
    public String toString() {
      return map.contents().heap().read(super::toString);
    }
  }
}
