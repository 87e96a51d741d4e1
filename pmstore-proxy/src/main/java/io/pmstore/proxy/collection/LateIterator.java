package io.pmstore.proxy.collection;

import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An iterator that is made when it is used first. A stream over it binds late: it shows the
 * elements that are there when its terminal operation begins.
 */
final class LateIterator<E extends @Nullable Object> implements Iterator<E> {
  private final Supplier<Iterator<E>> maker;
  private @Nullable Iterator<E> made;

  LateIterator(Supplier<Iterator<E>> maker) {
    this.maker = maker;
  }

  private Iterator<E> made() {
    Iterator<E> iterator = made;
    if (iterator == null) {
      iterator = maker.get();
      made = iterator;
    }
    return iterator;
  }

  @Override
  public boolean hasNext() {
    return made().hasNext();
  }

  @Override
  public E next() {
    return made().next();
  }

  @Override
  public void forEachRemaining(Consumer<? super E> action) {
    made().forEachRemaining(action);
  }
}
