package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A deque, or a live view of one in reverse. {@link PersistentDeque} states what both guarantee.
 *
 * @param <E> the type of the elements
 */
class DequeView<E> extends HeapCollection<E> implements Deque<E> {
  private final Contents contents;
  private final DequeChunks chunks;
  private final End front;
  private final boolean failFast;

  /**
   * Makes a deque whose first element is that at one end of the chunks.
   *
   * @param failFast whether its iterators fail once their thread has changed the deque otherwise
   */
  DequeView(Contents contents, DequeChunks chunks, End front, boolean failFast) {
    this.contents = contents;
    this.chunks = chunks;
    this.front = front;
    this.failFast = failFast;
  }

  @Override
  public final Contents contents() {
    return contents;
  }

  DequeChunks chunks() {
    return chunks;
  }

  long address() {
    return contents.address();
  }

  @SuppressWarnings("unchecked") // the deque holds what was added to it as E, or its twin
  E element(long chunk, int index) {
    return (E) contents.shown(chunks.read(chunk, index));
  }

  private E stored(E element) {
    return contents.stored(Objects.requireNonNull(element, "a deque has no null elements"));
  }

  // -- the ends

  /** Adds an element at an end; refuses null. */
  private void add(End end, E element) {
    contents.writeAll(
        () -> {
          E stored = stored(element); // first, so that one that cannot be stored changes nothing
          contents.restructure(() -> chunks.add(address(), end, stored));
        });
  }

  /** Returns the element at an end, or null if the deque is empty. */
  private @Nullable E peek(End end) {
    return read(
        () -> {
          long chunk = chunks.at(address(), end);
          return chunk == 0 ? null : element(chunk, chunks.edge(chunk, end));
        });
  }

  /** Removes and returns the element at an end; returns null if the deque is empty. */
  private @Nullable E poll(End end) {
    return write(
        () -> {
          long chunk = chunks.at(address(), end);
          if (chunk == 0) {
            return null;
          }
          int index = chunks.edge(chunk, end);
          E element = element(chunk, index);
          removeAt(chunk, index, end);
          return element;
        });
  }

  private void removeAt(long chunk, int index, End end) {
    contents.restructure(() -> chunks.remove(address(), chunk, index, end));
  }

  private static <T> T present(@Nullable T element) {
    if (element == null) {
      throw new NoSuchElementException(
          "the deque has no elements; ask isEmpty first, or use peek or poll, which return null");
    }
    return element;
  }

  @Override
  public void addFirst(E element) {
    add(front, element);
  }

  @Override
  public void addLast(E element) {
    add(front.other(), element);
  }

  @Override
  public boolean offerFirst(E element) {
    add(front, element);
    return true;
  }

  @Override
  public boolean offerLast(E element) {
    add(front.other(), element);
    return true;
  }

  @Override
  public E removeFirst() {
    return present(poll(front));
  }

  @Override
  public E removeLast() {
    return present(poll(front.other()));
  }

  @Override
  public @Nullable E pollFirst() {
    return poll(front);
  }

  @Override
  public @Nullable E pollLast() {
    return poll(front.other());
  }

  @Override
  public E getFirst() {
    return present(peek(front));
  }

  @Override
  public E getLast() {
    return present(peek(front.other()));
  }

  @Override
  public @Nullable E peekFirst() {
    return peek(front);
  }

  @Override
  public @Nullable E peekLast() {
    return peek(front.other());
  }

  // -- the names that queues, stacks and collections have for them

  @Override
  public boolean add(E element) {
    add(front.other(), element);
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
    return poll(front);
  }

  @Override
  public E element() {
    return getFirst();
  }

  @Override
  public @Nullable E peek() {
    return peek(front);
  }

  @Override
  public void push(E element) {
    addFirst(element);
  }

  @Override
  public E pop() {
    return removeFirst();
  }

  // -- all elements

  @Override
  public int size() {
    return read(() -> (int) Math.min(Integer.MAX_VALUE, chunks.size(address())));
  }

  @Override
  public boolean isEmpty() {
    return read(() -> chunks.isEmpty(address()));
  }

  @Override
  public void clear() {
    contents.writeAll(
        () -> {
          if (!chunks.isEmpty(address())) {
            contents.restructure(() -> chunks.clear(address()));
          }
        });
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return write(
        () -> {
          List<E> all = contents.allStored(elements, this::stored);
          if (all.isEmpty()) {
            return false;
          }
          contents.restructure(
              () -> all.forEach(stored -> chunks.add(address(), front.other(), stored)));
          return true;
        });
  }

  /** The place of an element. */
  private record Place(long chunk, int index) {}

  /** Returns the first place, from an end on, of an element equal to a value, or null. */
  private @Nullable Place find(End from, @Nullable Object value) {
    @Nullable Place[] found = new @Nullable Place[1];
    if (value != null) {
      chunks.visit(
          address(),
          from,
          (chunk, index) -> {
            if (chunks.isEqual(chunk, index, value)) {
              found[0] = new Place(chunk, index);
            }
            return found[0] == null;
          });
    }
    return found[0];
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return read(() -> find(End.FIRST, element) != null);
  }

  private boolean removeOccurrence(End from, @Nullable Object element) {
    return write(
        () -> {
          Place place = find(from, element);
          if (place != null) {
            removeAt(place.chunk, place.index, from);
          }
          return place != null;
        });
  }

  @Override
  public boolean removeFirstOccurrence(@Nullable Object element) {
    return removeOccurrence(front, element);
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object element) {
    return removeOccurrence(front.other(), element);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return removeFirstOccurrence(element);
  }

  /** Tests from the deque's first element on, whichever end is the front. */
  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return write(
        () -> {
          if (!failFast) {
            return removeAccepted(filter);
          }
          List<Place> places = contents.gathered();
          try (Modifications.Watch watch = contents.modifications().watch(null)) {
            chunks.visit(
                address(),
                End.FIRST,
                (chunk, index) -> {
                  if (filter.test(element(chunk, index))) {
                    places.add(new Place(chunk, index));
                  }
                  watch.check();
                  return true;
                });
          }
          if (!places.isEmpty()) {
            contents.restructure(
                () ->
                    places.forEach(
                        place -> chunks.remove(address(), place.chunk, place.index, End.FIRST)));
          }
          return !places.isEmpty();
        });
  }

  /** Removes what a filter accepts, although the filter may add and remove elements itself. */
  private boolean removeAccepted(Predicate<? super E> filter) {
    List<DequeChunks.Cell> accepted = contents.gathered();
    DequeIterator<E> iterator = new DequeIterator<>(this, End.FIRST, false);
    while (iterator.hasNext()) {
      if (filter.test(iterator.next())) {
        accepted.add(iterator.last().cell());
      }
    }
    boolean isAnyRemoved = false;
    for (DequeChunks.Cell cell : accepted) {
      isAnyRemoved |= removeSeen(cell, End.FIRST);
    }
    return isAnyRemoved;
  }

  /** Removes an element that an iterator returned, if it is still there. */
  boolean removeSeen(DequeChunks.Cell seen, End from) {
    return write(
        () -> {
          boolean isThere = chunks.hasStill(address(), seen);
          if (isThere) {
            removeAt(seen.chunk().address(), seen.index(), from);
          }
          return isThere;
        });
  }

  @Override
  int characteristics() {
    return Spliterator.ORDERED | Spliterator.NONNULL;
  }

  @Override
  public Iterator<E> iterator() {
    return new DequeIterator<>(this, front, failFast);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return new DequeIterator<>(this, front.other(), failFast);
  }

  @Override
  public Deque<E> reversed() {
    return new DequeView<>(contents, chunks, front.other(), failFast) {
      @Override
      public Deque<E> reversed() {
        return DequeView.this;
      }
    };
  }
}
