package io.pmstore.proxy.collection;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What persistent collections and views of them have in common: what shows several elements at once
 * is one read, what removes several is one transaction. Streams do not rely on the size, which may
 * change beneath them.
 *
 * @param <E> the type of the elements
 */
abstract class HeapCollection<E extends @Nullable Object> extends AbstractCollection<E> {
  /** What the collections of the store share. */
  abstract CollectionSpace space();

  /** Runs reads that see one state, while this collection is alive. */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    return space().read(this, reads);
  }

  /** Runs an operation that writes, while this collection is alive. */
  final <T extends @Nullable Object> T write(Supplier<T> operation) {
    return space().write(this, operation);
  }

  /** What a spliterator says of the elements, as {@link Spliterator} has it. */
  int characteristics() {
    return 0;
  }

  /** Removes what a filter wants removed; it is asked about all before the first is. */
  @Override
  public abstract boolean removeIf(Predicate<? super E> filter);

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
    return read(() -> super.containsAll(elements));
  }

  @Override
  public Object[] toArray() {
    return read(() -> super.toArray());
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return read(() -> super.toArray(array));
  }

  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(iterator(), characteristics());
  }

  @Override
  public String toString() {
    return read(super::toString);
  }
}
