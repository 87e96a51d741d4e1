package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SequencedMap} in the store: a {@link PersistentMap} that keeps the insertion order of
 * its keys, as a {@link java.util.LinkedHashMap} does. A key that is put again keeps its place;
 * {@link #putFirst} and {@link #putLast} move it. A look-up never moves it.
 *
 * <p><b>Costs.</b> Those of {@link PersistentMap}, with one difference: an insertion, and {@link
 * #putLast}, also writes the map's last end and the entry there. So any two transactions that
 * insert keys conflict, however far apart the keys are. The two ends do not conflict with each
 * other while some entries are between them. A removal also writes the two neighbours of the entry.
 * The first and the last entry are found in O(1).
 *
 * <p><b>Iteration.</b> It follows the insertion order; that of {@link #reversed} and its views, the
 * reverse. Outside a transaction, while other threads change the map, a key that keeps its place
 * from the iteration's start to its end is returned exactly once. A key that is moved, or removed
 * and inserted again, may be returned twice or not at all.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentLinkedMap<K extends @Nullable Object, V extends @Nullable Object>
    extends LinkedMapView<K, V> implements PersistentCollection {

  PersistentLinkedMap(CollectionSpace space, HeapObject handle) {
    super(new HashTable<>(CollectionKind.LINKED_MAP, space, handle), End.FIRST);
    contents().owner(this);
  }
}
