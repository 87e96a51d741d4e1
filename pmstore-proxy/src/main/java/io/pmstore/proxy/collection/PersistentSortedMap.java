package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link java.util.NavigableMap} in the store: a B+ tree. It allows null as a value, and as a key
 * if the comparator accepts it. {@link PersistentCollection} states what holds for all collections.
 *
 * <p><b>Order.</b> The natural order of the keys, or that of a comparator, which is stored with the
 * map: an enum constant, an object of a persistent class, {@code Comparator.naturalOrder()}, {@code
 * Comparator.reverseOrder()}, {@code String.CASE_INSENSITIVE_ORDER}, the value of a static final
 * field of a class that the store knows, or the reverse of one of these. The order of two keys must
 * never change, neither while they are in the map nor from one run of the program to the next: a
 * comparator's code, the {@code compareTo} of a key's class and the order of an enum's constants
 * are part of the stored data. The map refuses a key that does not fit the order, even the first
 * one, with a {@link ClassCastException}.
 *
 * <p><b>Costs.</b> Every operation on one key, including the nearest, first and last key, takes
 * time that grows with the logarithm of the size, and writes a bounded number of bytes. An
 * insertion mostly writes its entry and one word. An iteration over k entries of a range, in either
 * direction, takes O(log n + k). Transactions on keys far apart in a map of some size rarely
 * conflict: each writes one leaf, with up to 15 entries, and rarely a node above it. A transaction
 * that read a range conflicts with insertions into it, and with few others. {@link #size} of the
 * whole map is exact and makes a transaction depend on every insertion and removal; the size of a
 * part is counted. {@link #isEmpty} does neither.
 *
 * <p><b>Iteration.</b> Iterators guarantee what those of a {@link PersistentMap} do, and return the
 * keys in order. Views are live and support removal; those of a part refuse keys outside of it with
 * an {@link IllegalArgumentException}. The {@code setValue} of an iterator's entry writes to the
 * map. The entries of {@code firstEntry} and the like are copies that do not change.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentSortedMap<K extends @Nullable Object, V extends @Nullable Object>
    extends SortedMapView<K, V> implements PersistentCollection {
  PersistentSortedMap(CollectionSpace space, HeapObject handle) {
    super(new SortedContents<>(CollectionKind.SORTED_MAP, space, handle), SortedRange.ALL, true);
    contents().owner(this);
  }

  /**
   * Checks that a sorted map or set can store a comparator.
   *
   * @param what the comparator's name in the message
   * @param names returns the name by which another run can find a comparator, or null
   * @throws io.pmstore.NotPersistableException if it cannot be stored
   */
  public static void checkComparator(
      Object what,
      Comparator<?> comparator,
      Function<? super Comparator<?>, @Nullable String> names) {
    SortedOrder.check(what, comparator, names);
  }
}
