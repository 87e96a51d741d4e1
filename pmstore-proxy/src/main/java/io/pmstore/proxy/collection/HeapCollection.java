package io.pmstore.proxy.collection;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The common code of persistent collections and their views. An operation that returns several
 * elements at once is one read; one that removes several is one transaction. Streams do not rely on
 * the size, which other threads may change.
 *
 * @param <E> the type of the elements
 */
abstract class HeapCollection<E extends @Nullable Object> extends AbstractCollection<E> {
  public abstract Contents contents();

  /** Runs reads that see one state. */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    return contents().read(reads);
  }

  /** Runs an operation that writes. */
  final <T extends @Nullable Object> T write(Supplier<T> operation) {
    return contents().write(operation);
  }

  /** Returns the {@link Spliterator} characteristics. */
  int characteristics() {
    return 0;
  }

  /**
   * Removes the elements that a filter accepts. It tests all of them before it removes the first.
   */
  @Override
  public abstract boolean removeIf(Predicate<? super E> filter);

  @Override
  public boolean removeAll(Collection<?> elements) {
    return removeIf(new Contained(contents(), elements));
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    return removeIf(new Contained(contents(), elements).negate());
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    return read(() -> super.containsAll(elements));
  }

  @Override
  public Object[] toArray() {
    return read(() -> elements().toArray());
  }

  /**
   * Returns all elements, without relying on the size: damage may make the size any number. Runs
   * inside a transaction or a consistent read.
   */
  List<E> elements() {
    List<E> elements = new ArrayList<>();
    iterator().forEachRemaining(elements::add);
    return elements;
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return read(() -> elements().toArray(array));
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(
        new LateIterator<>(this::iterator), characteristics());
  }

  @Override
  public String toString() {
    return read(super::toString);
  }
}
