package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SequencedSet} in the store: a {@link PersistentSet} that keeps the insertion order of
 * its elements, as a {@link java.util.LinkedHashSet} does. An element that is added again keeps its
 * place; {@link #addFirst} and {@link #addLast} move it. Costs, conflicts and iteration are those
 * of {@link PersistentLinkedMap}, with elements for keys.
 *
 * @param <E> the type of the elements
 */
public final class PersistentLinkedSet<E extends @Nullable Object> extends LinkedSetView<E>
    implements PersistentCollection {

  PersistentLinkedSet(CollectionSpace space, HeapObject handle) {
    super(new HashTable<>(CollectionKind.LINKED_SET, space, handle), End.FIRST);
    contents().owner(this);
  }
}
