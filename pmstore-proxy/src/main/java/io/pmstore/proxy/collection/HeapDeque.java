package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.Deque;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Implements the many methods at a deque's ends by three.
 *
 * @param <E> the type of the elements
 */
abstract class HeapDeque<E> extends HeapCollection<E> implements Deque<E> {
  /** Adds an element at an end; refuses null. */
  abstract void add(End end, E element);

  /** Returns the element at an end, or null if the deque is empty. */
  abstract @Nullable E peek(End end);

  /** Removes and returns the element at an end; returns null if the deque is empty. */
  abstract @Nullable E poll(End end);

  private static <T> T present(@Nullable T element) {
    if (element == null) {
      throw new NoSuchElementException(
          "the deque has no elements; ask isEmpty first, or use peek or poll, which return null");
    }
    return element;
  }

  @Override
  public void addFirst(E element) {
    add(End.FIRST, element);
  }

  @Override
  public void addLast(E element) {
    add(End.LAST, element);
  }

  @Override
  public boolean offerFirst(E element) {
    add(End.FIRST, element);
    return true;
  }

  @Override
  public boolean offerLast(E element) {
    add(End.LAST, element);
    return true;
  }

  @Override
  public E removeFirst() {
    return present(poll(End.FIRST));
  }

  @Override
  public E removeLast() {
    return present(poll(End.LAST));
  }

  @Override
  public @Nullable E pollFirst() {
    return poll(End.FIRST);
  }

  @Override
  public @Nullable E pollLast() {
    return poll(End.LAST);
  }

  @Override
  public E getFirst() {
    return present(peek(End.FIRST));
  }

  @Override
  public E getLast() {
    return present(peek(End.LAST));
  }

  @Override
  public @Nullable E peekFirst() {
    return peek(End.FIRST);
  }

  @Override
  public @Nullable E peekLast() {
    return peek(End.LAST);
  }

  // -- the names that queues, stacks and collections have for them

  @Override
  public boolean add(E element) {
    add(End.LAST, element);
    return true;
  }

  @Override
  public boolean offer(E element) {
    return offerLast(element);
  }

  @Override
  public E remove() {
    return removeFirst();
  }

  @Override
  public @Nullable E poll() {
    return poll(End.FIRST);
  }

  @Override
  public E element() {
    return getFirst();
  }

  @Override
  public @Nullable E peek() {
    return peek(End.FIRST);
  }

  @Override
  public void push(E element) {
    addFirst(element);
  }

  @Override
  public E pop() {
    return removeFirst();
  }
}
