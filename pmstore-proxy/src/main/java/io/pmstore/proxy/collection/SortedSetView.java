package io.pmstore.proxy.collection;

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
 * reverse: the keys of a {@link SortedMapView}. {@link PersistentSortedSet} states what all
 * guarantee. The keys of a map refuse additions.
 */
class SortedSetView<E extends @Nullable Object, V extends @Nullable Object>
    extends MapViews.Keys<E, V> implements NavigableSet<E> {
  private final SortedMapView<E, V> sorted;
  private final boolean growing;

  SortedSetView(SortedMapView<E, V> map, boolean growing) {
    super(map);
    this.sorted = map;
    this.growing = growing;
  }

  @Override
  public final SortedContents<E, V> contents() {
    return sorted.contents();
  }

  // -- adding

  private void checkGrowing() {
    if (!growing) {
      throw new UnsupportedOperationException(
          "a key cannot be added to a map without a value; put both into the map");
    }
  }

  private void checkRange(E element) {
    if (!sorted.isInRange(element)) {
      throw new IllegalArgumentException(
          "the element %s is outside of %s, of which this set is a view; add it to the set itself"
              .formatted(element, sorted.range()));
    }
  }

  @SuppressWarnings("NullAway") // a set has no values
  private boolean insert(E element) {
    checkRange(element);
    return contents().add(element, null);
  }

  @Override
  public boolean add(E element) {
    checkGrowing();
    return contents().store(element, null, () -> insert(element));
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    if (elements.isEmpty()) {
      return false; // as in the JDK, also where nothing can be added
    }
    checkGrowing();
    return write(
        () -> {
          elements.forEach(this::checkRange);
          contents().checkAll(elements);
          List<E> stored = contents().allStored(elements, contents()::stored);
          boolean[] changed = new boolean[1];
          contents().space().change(() -> stored.forEach(element -> changed[0] |= insert(element)));
          return changed[0];
        });
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return sorted.removeIf(entry -> filter.test(entry.getKey()));
  }

  // -- iteration

  @Override
  public Iterator<E> descendingIterator() {
    return sorted.descendingMap().keyIterator();
  }

  /** Does not rely on the size, which other threads may change. */
  @Override
  public Spliterator<E> spliterator() {
    Iterator<E> elements = new LateIterator<>(this::iterator);
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
    return sorted.comparator();
  }

  @Override
  public E first() {
    return required(sorted.firstEntry());
  }

  @Override
  public E last() {
    return required(sorted.lastEntry());
  }

  @Override
  public E removeFirst() {
    return required(sorted.pollFirstEntry());
  }

  @Override
  public E removeLast() {
    return required(sorted.pollLastEntry());
  }

  private static <E extends @Nullable Object> E required(@Nullable Entry<E, ?> entry) {
    if (entry == null) {
      throw new NoSuchElementException("the set has no elements; ask isEmpty first");
    }
    return entry.getKey();
  }

  // -- NavigableSet

  @Override
  public @Nullable E lower(E element) {
    return sorted.lowerKey(element);
  }

  @Override
  public @Nullable E floor(E element) {
    return sorted.floorKey(element);
  }

  @Override
  public @Nullable E ceiling(E element) {
    return sorted.ceilingKey(element);
  }

  @Override
  public @Nullable E higher(E element) {
    return sorted.higherKey(element);
  }

  @Override
  public @Nullable E pollFirst() {
    return SortedMapView.keyOrNull(sorted.pollFirstEntry());
  }

  @Override
  public @Nullable E pollLast() {
    return SortedMapView.keyOrNull(sorted.pollLastEntry());
  }

  // -- views

  private NavigableSet<E> view(SortedMapView<E, V> part) {
    return new SortedSetView<>(part, growing);
  }

  @Override
  public NavigableSet<E> descendingSet() {
    return view(sorted.descendingMap());
  }

  @Override
  public NavigableSet<E> subSet(E from, boolean fromInclusive, E to, boolean toInclusive) {
    return view(sorted.subMap(from, fromInclusive, to, toInclusive));
  }

  @Override
  public NavigableSet<E> headSet(E to, boolean inclusive) {
    return view(sorted.headMap(to, inclusive));
  }

  @Override
  public NavigableSet<E> tailSet(E from, boolean inclusive) {
    return view(sorted.tailMap(from, inclusive));
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
