package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Map} in the store: a hash trie. It allows null as key and as value. It iterates in the
 * order of the keys' spread hash codes, which programs must not rely on. {@link
 * PersistentCollection} states what holds for all collections.
 *
 * <p><b>Costs.</b> Every operation on one key takes time that grows with the logarithm of the size,
 * and writes a bounded number of bytes, whatever the size; there is no rehashing. Transactions on
 * different keys of a map of some size rarely conflict: each writes its entry and the one node or
 * entry that refers to it. {@link #size} is exact and makes a transaction depend on every insertion
 * and removal; {@link #isEmpty} does not.
 *
 * <p><b>Iteration.</b> Iterators and views are live and support removal. An entry's {@code
 * setValue} writes to the map.
 *
 * <ul>
 *   <li>If a thread adds or removes keys while it iterates, other than through the iterator, the
 *       iterator throws {@link java.util.ConcurrentModificationException}, as those of the JDK's
 *       maps do, in a transaction and outside.
 *   <li>In a transaction, an iteration sees one state: the transaction's.
 *   <li>Outside, it never fails because of other threads. It reads some entries at a time, each
 *       time a committed state. Every key that is in the map from the iteration's start to its end
 *       is returned exactly once, any other at most once. {@code toArray}, {@code equals}, {@code
 *       hashCode} and {@code toString} each read one committed state. An iteration over one state
 *       needs a transaction.
 * </ul>
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public sealed class PersistentMap<K extends @Nullable Object, V extends @Nullable Object>
    extends HashMapView<K, V> implements PersistentCollection permits PersistentConcurrentMap {

  PersistentMap(CollectionSpace space, HeapObject handle) {
    this(CollectionKind.MAP, space, handle);
  }

  PersistentMap(CollectionKind kind, CollectionSpace space, HeapObject handle) {
    super(new HashTable<>(kind, space, handle));
    contents().owner(this);
  }
}
