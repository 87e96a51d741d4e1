package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import java.util.Comparator;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NavigableSet} in the store: a B+ tree without values. It allows null as an element if
 * the comparator accepts it. Order, costs, conflicts and iteration are those of {@link
 * PersistentSortedMap}, with elements for keys.
 *
 * @param <E> the type of the elements
 */
public final class PersistentSortedSet<E extends @Nullable Object>
    extends SortedSetView<E, @Nullable Object> implements PersistentCollection {
  /**
   * Makes the Java object of a sorted set in the heap. The object layer ensures that there is only
   * one at a time.
   */
  public PersistentSortedSet(CollectionSpace space, HeapObject handle) {
    super(
        new SortedMapView<>(
            new SortedContents<>(CollectionKind.SORTED_SET, space, handle), SortedRange.ALL, true),
        true);
    contents().owner(this);
  }

  /**
   * Makes an empty sorted set in the heap, inside a transaction. It is unusable if the transaction
   * is rolled back.
   *
   * @param comparator the order of the elements; null for their natural order
   * @throws io.pmstore.NotPersistableException if the comparator cannot be stored
   */
  public static <E extends @Nullable Object> PersistentSortedSet<E> create(
      CollectionSpace space, @Nullable Comparator<? super E> comparator) {
    return CollectionKind.SORTED_SET.newCollection(space, PersistentSortedSet<E>::new, comparator);
  }
}
