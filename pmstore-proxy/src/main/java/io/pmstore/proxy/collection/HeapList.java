package io.pmstore.proxy.collection;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * The common code of persistent lists and their sublists.
 *
 * @param <E> the type of the elements
 */
abstract class HeapList<E extends @Nullable Object> extends HeapCollection<E>
    implements List<E>, RandomAccess {
  /** Returns the elements of the list itself, or of the list that a sublist belongs to. */
  @Override
  public abstract ListElements<E> contents();

  @Override
  abstract List<E> elements();

  @Override
  final int characteristics() {
    return Spliterator.ORDERED;
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return indexOf(element) >= 0;
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return write(
        () -> {
          int index = indexOf(element);
          if (index >= 0) {
            remove(index);
          }
          return index >= 0;
        });
  }

  @Override
  public List<E> reversed() {
    return new ReversedList<>(this, List.super.reversed());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof List<?> list && read(() -> hasElementsOf(list)));
  }

  /** Compares arrays by their contents, and with the twins of plain objects. */
  private boolean hasElementsOf(List<?> other) {
    Iterator<?> others = other.iterator();
    for (E element : this) {
      if (!others.hasNext() || !Objects.deepEquals(element, contents().twin(others.next()))) {
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
}
