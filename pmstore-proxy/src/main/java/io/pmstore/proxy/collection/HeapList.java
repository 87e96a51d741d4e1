package io.pmstore.proxy.collection;

import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What persistent lists and their sublists have in common: what shows several elements at once is
 * one read.
 *
 * @param <E> the type of the elements
 */
abstract class HeapList<E extends @Nullable Object> extends AbstractList<E>
    implements RandomAccess {
  /** What the collections of the store share. */
  abstract CollectionSpace space();

  /** Runs reads that see one state, while this list is alive. */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    return space().read(this, reads);
  }

  /** All elements, inside a transaction or a consistent read. */
  abstract List<E> readAll();

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
  public boolean contains(@Nullable Object element) {
    return indexOf(element) >= 0;
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    return read(() -> super.containsAll(elements));
  }

  @Override
  public Object[] toArray() {
    return read(() -> readAll().toArray());
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return read(() -> readAll().toArray(array));
  }

  /** Does not rely on the size, which may change beneath a stream. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof List && read(() -> super.equals(other)));
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
