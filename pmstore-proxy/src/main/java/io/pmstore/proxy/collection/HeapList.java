package io.pmstore.proxy.collection;

import java.util.AbstractList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The common code of persistent lists and their sublists. An operation that returns several
 * elements at once is one read.
 *
 * @param <E> the type of the elements
 */
abstract class HeapList<E extends @Nullable Object> extends AbstractList<E>
    implements RandomAccess {
  /** Returns the elements of the list itself, or of the list that a sublist belongs to. */
  public abstract ListElements<E> contents();

  /** Runs reads that see one state. */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    return contents().read(reads);
  }

  /** Returns all elements. Runs inside a transaction or a consistent read. */
  abstract List<E> readAll();

  @Override
  public boolean removeAll(Collection<?> elements) {
    return removeIf(new Contained(contents(), elements));
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    return removeIf(new Contained(contents(), elements).negate());
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

  @Override
  public List<E> reversed() {
    return new ReversedList<>(this, super.reversed());
  }

  /** Does not rely on the size, which other threads may change. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        new LateIterator<>(this::iterator), Spliterator.ORDERED);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof List<?> list && read(() -> hasElementsOf(list)));
  }

  /** Compares arrays by their contents. */
  private boolean hasElementsOf(List<?> other) {
    Iterator<?> others = other.iterator();
    for (E element : this) {
      if (!others.hasNext() || !Objects.deepEquals(element, others.next())) {
        return false;
      }
    }
    return !others.hasNext();
  }

  @Override
  public int hashCode() {
    return read(
        () -> {
          int hash = 1;
          for (E element : this) {
            hash = 31 * hash + ArrayContents.hash(element);
          }
          return hash;
        });
  }

  @Override
  public String toString() {
    return read(super::toString);
  }
}
