package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.SortedRange.Edge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set, the keys of a sorted map, or a view of a part of them, in their order or in
 * reverse. {@link PersistentSortedSet} states what all guarantee.
 */
abstract class SortedSetBase<E extends @Nullable Object, V extends @Nullable Object>
    extends HeapSet<E> implements NavigableSet<E> {
  private final SortedContents<E, V> contents;
  private final SortedRange range;
  private final boolean ascending;

  SortedSetBase(SortedContents<E, V> contents, SortedRange range, boolean ascending) {
    this.contents = contents;
    this.range = range;
    this.ascending = ascending;
  }

  final SortedContents<E, V> contents() {
    return contents;
  }

  @Override
  final CollectionSpace space() {
    return contents.space();
  }

  private boolean isInRange(@Nullable Object key) {
    return range.contains(contents.order(), key);
  }

  private void checkRange(E element) {
    if (!isInRange(element)) {
      throw new IllegalArgumentException(
          "the element %s is outside of %s, of which this set is a view; add it to the set itself"
              .formatted(element, range));
    }
  }

  // -- adding: overridden where the elements are the keys of a map

  @SuppressWarnings("NullAway") // a set has no values
  private boolean insert(E element) {
    checkRange(element);
    return contents.add(element, null);
  }

  @Override
  public boolean add(E element) {
    return write(() -> insert(element));
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    Objects.requireNonNull(elements, "elements");
    return write(
        () -> {
          List<E> stored = new ArrayList<>(elements.size());
          elements.forEach(this::checkRange);
          contents.checkAll(elements);
          elements.forEach(element -> stored.add(contents.stored(element)));
          boolean[] changed = new boolean[1];
          contents.space().change(() -> stored.forEach(element -> changed[0] |= insert(element)));
          return changed[0];
        });
  }

  // -- Set

  @Override
  public int size() {
    return contents.size(range);
  }

  @Override
  public boolean isEmpty() {
    return contents.isEmpty(range);
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return read(() -> isInRange(element) && contents.tree().find(element) != 0);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return write(() -> isInRange(element) && contents.remove(element) != null);
  }

  @Override
  public void clear() {
    contents.clear(range);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return contents.removeIf(range, ascending, (element, value) -> filter.test(element));
  }

  // -- iteration

  @Override
  public Iterator<E> iterator() {
    return new SortedIterator.OfKeys<>(contents, range, ascending);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return new SortedIterator.OfKeys<>(contents, range, !ascending);
  }

  /** Does not rely on the size, which other threads may change. */
  @Override
  public Spliterator<E> spliterator() {
    Iterator<E> elements = iterator();
    Comparator<? super E> comparator = comparator();
    return new Spliterators.AbstractSpliterator<>(
        Long.MAX_VALUE, Spliterator.DISTINCT | Spliterator.ORDERED | Spliterator.SORTED) {
      @Override
      public boolean tryAdvance(Consumer<? super E> action) {
        boolean hasNext = elements.hasNext();
        if (hasNext) {
          action.accept(elements.next());
        }
        return hasNext;
      }

      @Override
      public @Nullable Comparator<? super E> getComparator() {
        return comparator;
      }
    };
  }

  // -- SortedSet

  @Override
  public @Nullable Comparator<? super E> comparator() {
    return read(() -> ascending ? contents.order().comparator() : contents.order().reversed());
  }

  @Override
  public E first() {
    return required(read(() -> first(range, true)));
  }

  @Override
  public E last() {
    return required(read(() -> first(range, false)));
  }

  private static <E extends @Nullable Object> E required(@Nullable Entry<E, ?> entry) {
    if (entry == null) {
      throw new NoSuchElementException("the set has no elements; ask isEmpty first");
    }
    return entry.getKey();
  }

  private static <E extends @Nullable Object> @Nullable E orNull(@Nullable Entry<E, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public E removeFirst() {
    return required(contents.poll(range, ascending));
  }

  @Override
  public E removeLast() {
    return required(contents.poll(range, !ascending));
  }

  // -- NavigableSet

  private @Nullable Entry<E, V> first(SortedRange part, boolean fromFront) {
    return contents.copy(contents.tree().first(part, fromFront == ascending));
  }

  /**
   * Returns the nearest element behind another in the direction of this set; with {@code
   * inclusive}, also at it.
   */
  private @Nullable E after(E element, boolean inclusive) {
    return orNull(read(() -> first(part(new Edge(element, inclusive), ascending), true)));
  }

  private @Nullable E before(E element, boolean inclusive) {
    return orNull(read(() -> first(part(new Edge(element, inclusive), !ascending), false)));
  }

  /** Returns the part of the range that is above an edge in the order of the keys, or below it. */
  private SortedRange part(Edge edge, boolean above) {
    SortedOrder order = contents.order();
    if (contents.tree().isEmpty()) {
      order.checkQuery(edge.key());
    }
    return above ? range.from(order, edge) : range.to(order, edge);
  }

  @Override
  public @Nullable E lower(E element) {
    return before(element, false);
  }

  @Override
  public @Nullable E floor(E element) {
    return before(element, true);
  }

  @Override
  public @Nullable E ceiling(E element) {
    return after(element, true);
  }

  @Override
  public @Nullable E higher(E element) {
    return after(element, false);
  }

  @Override
  public @Nullable E pollFirst() {
    return orNull(contents.poll(range, ascending));
  }

  @Override
  public @Nullable E pollLast() {
    return orNull(contents.poll(range, !ascending));
  }

  // -- views

  /** Returns a view of a part of the elements. */
  abstract NavigableSet<E> view(SortedRange part, boolean inOrder);

  private NavigableSet<E> view(@Nullable Edge from, @Nullable Edge to) {
    return view(read(() -> range.part(contents.order(), from, to, ascending)), ascending);
  }

  @Override
  public NavigableSet<E> descendingSet() {
    return view(range, !ascending);
  }

  @Override
  public NavigableSet<E> subSet(E from, boolean fromInclusive, E to, boolean toInclusive) {
    return view(new Edge(from, fromInclusive), new Edge(to, toInclusive));
  }

  @Override
  public NavigableSet<E> headSet(E to, boolean inclusive) {
    return view(null, new Edge(to, inclusive));
  }

  @Override
  public NavigableSet<E> tailSet(E from, boolean inclusive) {
    return view(new Edge(from, inclusive), null);
  }

  @Override
  public NavigableSet<E> subSet(E from, E to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<E> headSet(E to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<E> tailSet(E from) {
    return tailSet(from, true);
  }
}
