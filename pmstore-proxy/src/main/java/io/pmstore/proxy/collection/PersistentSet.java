package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Set} in the store: the hash trie of a {@link PersistentMap}, with entries that have no
 * values. It allows null. Costs, conflicts, order and iteration are those of {@link PersistentMap},
 * with elements for keys.
 *
 * @param <E> the type of the elements
 */
public final class PersistentSet<E extends @Nullable Object> extends HashSetView<E>
    implements PersistentCollection {

  PersistentSet(CollectionSpace space, HeapObject handle) {
    super(new HashTable<>(CollectionKind.SET, space, handle));
    contents().owner(this);
  }
}
