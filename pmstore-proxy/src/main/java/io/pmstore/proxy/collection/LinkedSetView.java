package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.Collection;
import java.util.Iterator;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A live view of a linked set in reverse order. As in a {@code LinkedHashSet}, a new element that
 * is added to the view comes last in the set.
 */
final class LinkedSetView<E extends @Nullable Object> extends HeapSet<E>
    implements SequencedSet<E> {
  private final PersistentLinkedSet<E> set;

  LinkedSetView(PersistentLinkedSet<E> set) {
    this.set = set;
  }

  @Override
  CollectionSpace space() {
    return set.space();
  }

  @Override
  int characteristics() {
    return set.characteristics();
  }

  @Override
  public int size() {
    return set.size();
  }

  @Override
  public boolean isEmpty() {
    return set.isEmpty();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return set.contains(element);
  }

  @Override
  public boolean add(E element) {
    return set.add(element);
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return set.addAll(elements);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return set.remove(element);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return set.removeIf(filter);
  }

  @Override
  public void clear() {
    set.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return set.iterator(End.LAST);
  }

  @Override
  public E getFirst() {
    return set.getLast();
  }

  @Override
  public E getLast() {
    return set.getFirst();
  }

  @Override
  public E removeFirst() {
    return set.removeLast();
  }

  @Override
  public E removeLast() {
    return set.removeFirst();
  }

  @Override
  public void addFirst(E element) {
    set.addLast(element);
  }

  @Override
  public void addLast(E element) {
    set.addFirst(element);
  }

  @Override
  public SequencedSet<E> reversed() {
    return set;
  }
}
