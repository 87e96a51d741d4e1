package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Deque}, and so a {@link java.util.Queue}, in the store: a linked list of chunks. It
 * refuses null with a {@link NullPointerException}. Equality is identity, as in {@code ArrayDeque}.
 * {@link PersistentCollection} states what holds for all collections.
 *
 * <p><b>Costs.</b> Adding, reading and removing at either end takes constant time and writes a cell
 * and a few words. {@code clear} is bounded too, whatever the size. {@code contains}, {@code
 * remove(Object)} and the like search from an end. An element that is removed from the middle
 * leaves a gap; the store reuses its space with that of its chunk of up to 32 elements.
 *
 * <p><b>Conflicts.</b> Transactions that add at the same end conflict, and so do transactions that
 * remove at the same end. Adding at one end and removing at the other does not conflict while there
 * are more than two chunks (some 64 elements) between the ends. {@link #size} makes a transaction
 * depend on every addition and removal, {@link #isEmpty} on those at the front.
 *
 * <p><b>Iteration.</b> If a thread adds or removes while it iterates, other than through the
 * iterator, the iterator throws {@link java.util.ConcurrentModificationException}. In a
 * transaction, an iteration sees one state: the transaction's. Outside, it never fails because of
 * other threads. It reads some elements at a time, each time a committed state. Every element that
 * is in the deque from the iteration's start to its end is returned exactly once, any other at most
 * once. {@code remove} removes the element that was returned, and no equal one that came later.
 * {@code toArray}, {@code toString} and each search read one state. A {@linkplain #weaklyConsistent
 * view} for the JDK's concurrent deques never throws that exception.
 *
 * @param <E> the type of the elements
 */
public final class PersistentDeque<E> extends HeapDeque<E> implements PersistentCollection {
  private final Contents contents;
  private final DequeChunks chunks;
  private final boolean failFast;

  PersistentDeque(CollectionSpace space, HeapObject handle) {
    chunks = new DequeChunks(space);
    failFast = true;
    contents =
        new Contents(CollectionKind.DEQUE, space, handle) {
          @Override
          void initialize(@Nullable Comparator<?> comparator) {
            chunks.initialize(address());
          }
        };
    contents.owner(this);
  }

  private PersistentDeque(PersistentDeque<E> of, boolean failFast) {
    this.contents = of.contents;
    this.chunks = of.chunks;
    this.failFast = failFast;
  }

  /**
   * Returns this deque with the iterators of the JDK's concurrent ones, also those of its streams
   * and of its reverse: they do not fail when their own thread adds or removes elements meanwhile.
   */
  public PersistentDeque<E> weaklyConsistent() {
    return new PersistentDeque<>(this, false);
  }

  @Override
  public Contents contents() {
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

  private Object stored(E element) {
    Objects.requireNonNull(element, "a deque has no null elements");
    return contents.<Object>stored(element);
  }

  // -- the ends

  @Override
  void add(End end, E element) {
    contents.writeAll(
        () -> {
          Object stored =
              stored(element); // first, so that one that cannot be stored changes nothing
          contents.restructure(() -> chunks.add(address(), end, stored));
        });
  }

  @Override
  @Nullable E peek(End end) {
    return read(
        () -> {
          long chunk = chunks.at(address(), end);
          return chunk == 0 ? null : element(chunk, chunks.edge(chunk, end));
        });
  }

  @Override
  @Nullable E poll(End end) {
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
    return addAll(End.LAST, elements);
  }

  /** Adds elements at an end, one behind the other. */
  boolean addAll(End end, Collection<? extends E> elements) {
    return write(
        () -> {
          List<Object> all = new ArrayList<>(elements.size());
          for (E element : elements) {
            all.add(stored(element));
          }
          if (all.isEmpty()) {
            return false;
          }
          contents.restructure(() -> all.forEach(stored -> chunks.add(address(), end, stored)));
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
    return removeOccurrence(End.FIRST, element);
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object element) {
    return removeOccurrence(End.LAST, element);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return removeOccurrence(End.FIRST, element);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return write(
        () -> {
          if (!failFast) {
            return removeAccepted(filter);
          }
          List<Place> places = new ArrayList<>();
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
    List<DequeChunks.Cell> accepted = new ArrayList<>();
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
    return new DequeIterator<>(this, End.FIRST, failFast);
  }

  @Override
  public Deque<E> reversed() {
    return new ReversedDeque<>(this);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return new DequeIterator<>(this, End.LAST, failFast);
  }
}
