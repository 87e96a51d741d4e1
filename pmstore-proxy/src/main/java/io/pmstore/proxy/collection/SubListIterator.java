package io.pmstore.proxy.collection;

import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a sublist: an iterator over the list that stays within the bounds. It has no state
 * of its own.
 */
final class SubListIterator<E extends @Nullable Object> implements ListIterator<E> {
  private final SubList<E> view;
  private final int offset; // of the view in the list
  private final PersistentListIterator<E> inList;

  SubListIterator(SubList<E> view, int offset, PersistentListIterator<E> inList) {
    this.view = view;
    this.offset = offset;
    this.inList = inList;
  }

  @Override
  public boolean hasNext() {
    return inList.nextIndex() < view.end() && inList.hasNext();
  }

  @Override
  public E next() {
    view.check();
    if (inList.nextIndex() >= view.end()) {
      throw new NoSuchElementException("the iteration has no more elements; ask hasNext first");
    }
    return inList.next();
  }

  @Override
  public boolean hasPrevious() {
    return inList.nextIndex() > offset;
  }

  @Override
  public E previous() {
    view.check();
    if (!hasPrevious()) {
      throw new NoSuchElementException(
          "the iteration is at its first element; ask hasPrevious first");
    }
    return inList.previous();
  }

  @Override
  public int nextIndex() {
    return inList.nextIndex() - offset;
  }

  @Override
  public int previousIndex() {
    return nextIndex() - 1;
  }

  @Override
  public void remove() {
    view.check();
    inList.remove();
    view.resized(-1);
  }

  @Override
  public void set(E element) {
    view.check();
    inList.set(element);
  }

  @Override
  public void add(E element) {
    view.check();
    inList.add(element);
    view.resized(1);
  }
}
