package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link java.util.NavigableMap} in the store: a B+ tree. Null is allowed as a value, and as a
 * key if the comparator takes it.
 *
 * <p><b>Order.</b> The natural order of the keys, or that of a comparator, which is stored with the
 * map: an enum constant, an object of a persistent class, {@code Comparator.naturalOrder()}, {@code
 * Comparator.reverseOrder()}, {@code String.CASE_INSENSITIVE_ORDER}, or the reverse of one of them.
 * The order of two keys must never change, neither while they are in the map nor from one run of
 * the program to the next: a comparator's code, the {@code compareTo} of a key's class and the
 * order of the constants of an enum belong to the stored data. A key that does not fit the order is
 * refused with a {@link ClassCastException}, also as the first one.
 *
 * <p><b>Costs.</b> Every operation on one key, the nearest key and the first and last one included,
 * takes time that grows with the logarithm of the size and writes a bounded number of bytes; an
 * insertion mostly writes its entry and one word. An iteration over k entries of a range, in either
 * direction, takes O(log n + k). Transactions that work on keys far apart in a map of some size
 * rarely conflict: each writes one leaf, with up to 15 entries, and rarely a node above it. A
 * transaction that read a range conflicts with insertions into it, and with few others. {@link
 * #size} of the whole map is exact and makes a transaction that calls it depend on every insertion
 * and removal; the size of a part is counted. {@link #isEmpty} does neither.
 *
 * <p><b>Transactions.</b> Every operation, also one that takes a function, is part of the current
 * transaction, or else one transaction of its own; so {@code computeIfAbsent} and the like are
 * atomic, and their functions may run more than once. When an operation outside a transaction
 * returns, its change is as durable as the store's {@link io.pmstore.Durability} says. An operation
 * that throws because of its arguments, or because a function threw, leaves the map as it was, and
 * a transaction around it intact.
 *
 * <p><b>Values.</b> What is put is stored: a plain object of a persistent class is converted, and
 * what the map returns is its persistent twin. {@code computeIfAbsent}, {@code compute}, {@code
 * computeIfPresent} and {@code merge} return the twin too, not the object that the function made.
 * Entries that {@code firstEntry} and the like return are copies that do not change.
 *
 * <p><b>Iteration.</b> Iterators and views are live and support removal; an iterator's entry's
 * {@code setValue} writes to the map. Views of a part refuse keys outside of it with an {@link
 * IllegalArgumentException}.
 *
 * <ul>
 *   <li>A thread that adds or removes keys while it iterates, other than through the iterator, gets
 *       a {@link java.util.ConcurrentModificationException} from it, as from the JDK's maps, in a
 *       transaction and outside.
 *   <li>In a transaction, an iteration sees one state: the transaction's.
 *   <li>Outside, it never fails because of other threads. It reads some entries at a time, each
 *       time a committed state; every key that is in the map from the iteration's beginning to its
 *       end comes exactly once, in order, and one that comes or goes meanwhile, at most once.
 *       {@code toArray}, {@code equals}, {@code hashCode} and {@code toString} show one committed
 *       state. For an iteration over one state, use a transaction.
 * </ul>
 *
 * <p>Safe for use by any number of threads; an iterator is for one thread at a time. All methods
 * throw {@link io.pmstore.StoreClosedException} when the store is closed and {@link
 * io.pmstore.RolledBackException} when the transaction that made the map was rolled back.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentSortedMap<K extends @Nullable Object, V extends @Nullable Object>
    extends SortedMapBase<K, V> implements PersistentObject {

  /**
   * Makes the Java object for a sorted map in the heap. The object layer sees to it that there is
   * only one at a time.
   *
   * @param space what the collections of the store share
   * @param handle of an object with the shape of a sorted map
   */
  public PersistentSortedMap(CollectionSpace space, HeapObject handle) {
    super(new SortedContents<>(space, handle, true), SortedRange.ALL, true);
    contents().owner(this);
  }

  /**
   * Makes an empty sorted map in the heap, inside a transaction.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param space what the collections of the store share
   * @param comparator the order of the keys; null for their natural order
   * @return the map, unusable if the transaction is rolled back
   * @throws io.pmstore.NotPersistableException if the comparator cannot be stored
   */
  public static <K extends @Nullable Object, V extends @Nullable Object>
      PersistentSortedMap<K, V> create(
          CollectionSpace space, @Nullable Comparator<? super K> comparator) {
    SortedOrder.check(comparator);
    HeapObject handle =
        space.heap().newObject(space.shapes().sorted().map(), SortedShapes.MAP.size());
    SortedOrder.write(space, handle.address(), comparator);
    return new PersistentSortedMap<>(space, handle);
  }

  /**
   * Says whether a sorted map or set can keep a comparator.
   *
   * @param comparator the order of the keys; null for their natural order
   * @return false if {@link #create} would refuse it
   */
  public static boolean canKeep(@Nullable Comparator<?> comparator) {
    return SortedOrder.canKeep(comparator);
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return contents().handle();
  }
}
