package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * A {@link NavigableSet} in the store: a B+ tree without values. Null is allowed as an element if
 * the comparator takes it.
 *
 * <p>Order, costs, transactions, iteration and the use by several threads are those of {@link
 * PersistentSortedMap}, with elements for keys. What is added is stored: a plain object of a
 * persistent class is converted, and what the set returns is its persistent twin.
 *
 * @param <E> the type of the elements
 */
public final class PersistentSortedSet<E extends @Nullable Object>
    extends SortedSetBase<E, @Nullable Object> implements PersistentObject {

  /**
   * Makes the Java object for a sorted set in the heap. The object layer sees to it that there is
   * only one at a time.
   *
   * @param space what the collections of the store share
   * @param handle of an object with the shape of a sorted set
   */
  public PersistentSortedSet(CollectionSpace space, HeapObject handle) {
    super(new SortedContents<>(space, handle, false), SortedRange.ALL, true);
    contents().owner(this);
  }

  /**
   * Makes an empty sorted set in the heap, inside a transaction.
   *
   * @param <E> the type of the elements
   * @param space what the collections of the store share
   * @param comparator the order of the elements; null for their natural order
   * @return the set, unusable if the transaction is rolled back
   * @throws io.pmstore.NotPersistableException if the comparator cannot be stored
   */
  public static <E extends @Nullable Object> PersistentSortedSet<E> create(
      CollectionSpace space, @Nullable Comparator<? super E> comparator) {
    SortedOrder.check(comparator);
    HeapObject handle =
        space.heap().newObject(space.shapes().sorted().set(), SortedShapes.SET.size());
    SortedOrder.write(space, handle.address(), comparator);
    return new PersistentSortedSet<>(space, handle);
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return contents().handle();
  }

  @Override
  NavigableSet<E> view(SortedRange part, boolean inOrder) {
    return new SortedSetView<>(contents(), part, inOrder, true);
  }
}
