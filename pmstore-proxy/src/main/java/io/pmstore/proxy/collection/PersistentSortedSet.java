package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
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
  PersistentSortedSet(CollectionSpace space, HeapObject handle) {
    super(
        new SortedMapView<>(
            new SortedContents<>(CollectionKind.SORTED_SET, space, handle), SortedRange.ALL, true),
        true);
    contents().owner(this);
  }
}
