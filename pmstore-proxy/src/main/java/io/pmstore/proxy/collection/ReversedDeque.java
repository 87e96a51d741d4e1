package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A live view of a deque in reverse. Each operation is one of the deque, and so atomic. */
final class ReversedDeque<E> extends HeapDeque<E> {
  private final PersistentDeque<E> deque;

  ReversedDeque(PersistentDeque<E> deque) {
    this.deque = deque;
  }

  @Override
  public Contents contents() {
    return deque.contents();
  }

  @Override
  void add(End end, E element) {
    deque.add(end.other(), element);
  }

  @Override
  @Nullable E peek(End end) {
    return deque.peek(end.other());
  }

  @Override
  @Nullable E poll(End end) {
    return deque.poll(end.other());
  }

  @Override
  public int size() {
    return deque.size();
  }

  @Override
  public boolean isEmpty() {
    return deque.isEmpty();
  }

  @Override
  public void clear() {
    deque.clear();
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return deque.addAll(End.FIRST, elements);
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return deque.contains(element);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return deque.removeLastOccurrence(element);
  }

  @Override
  public boolean removeFirstOccurrence(@Nullable Object element) {
    return deque.removeLastOccurrence(element);
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object element) {
    return deque.removeFirstOccurrence(element);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return deque.removeIf(filter);
  }

  @Override
  int characteristics() {
    return deque.characteristics();
  }

  @Override
  public Iterator<E> iterator() {
    return deque.descendingIterator();
  }

  @Override
  public Iterator<E> descendingIterator() {
    return deque.iterator();
  }

  @Override
  public Deque<E> reversed() {
    return deque;
  }
}
