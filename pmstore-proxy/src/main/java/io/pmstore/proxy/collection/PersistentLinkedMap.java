package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.Iterator;
import java.util.Map;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Spliterator;
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
    extends PersistentMap<K, V> implements SequencedMap<K, V> {

  /**
   * Makes the Java object of a linked map in the heap. The object layer ensures that there is only
   * one at a time.
   */
  public PersistentLinkedMap(CollectionSpace space, HeapObject handle) {
    super(space, handle, space.shapes().linked().mapTrie(), new Modifications(true));
  }

  /**
   * Makes an empty linked map in the heap, inside a transaction. It is unusable if the transaction
   * is rolled back.
   */
  public static <K extends @Nullable Object, V extends @Nullable Object>
      PersistentLinkedMap<K, V> createLinked(CollectionSpace space) {
    HeapObject handle =
        space.heap().newObject(space.shapes().linked().map(), LinkedShapes.MAP.size());
    LinkedOrder.initialize(space, handle.address());
    PersistentLinkedMap<K, V> created = new PersistentLinkedMap<>(space, handle);
    created.table().isNew();
    return created;
  }

  @Override
  int characteristics() {
    return Spliterator.ORDERED;
  }

  // -- the ends

  /** Returns a copy of the entry at an end, or null if the map is empty. */
  @Nullable Entry<K, V> peek(End end) {
    return read(() -> copy(table().at(end)));
  }

  private @Nullable Entry<K, V> copy(long entry) {
    return entry == 0 ? null : new SimpleImmutableEntry<>(key(entry), value(entry));
  }

  /** Removes the entry at an end. Returns a copy, or null if the map is empty. */
  @Nullable Entry<K, V> poll(End end) {
    return write(
        () -> {
          Entry<K, V> entry = copy(table().at(end));
          if (entry != null) {
            table().removeAt(end);
          }
          return entry;
        });
  }

  /** Puts a value and moves its key to an end. Returns the old value, or null if there was none. */
  @Nullable V put(End end, K key, V value) {
    return write(
        () -> {
          K storedKey = stored(key);
          V storedValue = stored(value);
          int hash = table().trie().hash(storedKey);
          long entry = table().find(storedKey, hash);
          if (entry == 0) {
            table().insert(storedKey, hash, storedValue, end);
            return null;
          }
          table().move(entry, end);
          return replaceIn(entry, storedValue);
        });
  }

  Iterator<K> keyIterator(End from) {
    return HashIterator.ofKeys(table(), table().walk(from));
  }

  Iterator<V> valueIterator(End from) {
    return HashEntry.values(this, table().walk(from));
  }

  Iterator<Map.Entry<K, V>> entryIterator(End from) {
    return HashEntry.entries(this, table().walk(from));
  }

  // -- SequencedMap

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return peek(End.FIRST);
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return peek(End.LAST);
  }

  @Override
  public @Nullable Entry<K, V> pollFirstEntry() {
    return poll(End.FIRST);
  }

  @Override
  public @Nullable Entry<K, V> pollLastEntry() {
    return poll(End.LAST);
  }

  @Override
  public @Nullable V putFirst(K key, V value) {
    return put(End.FIRST, key, value);
  }

  @Override
  public @Nullable V putLast(K key, V value) {
    return put(End.LAST, key, value);
  }

  @Override
  public SequencedMap<K, V> reversed() {
    return new LinkedMapView<>(this);
  }

  @Override
  public SequencedSet<K> keySet() {
    return new LinkedViews.Keys<>(this);
  }

  @Override
  public SequencedSet<K> sequencedKeySet() {
    return keySet();
  }

  @Override
  public SequencedCollection<V> values() {
    return new LinkedViews.Values<>(this);
  }

  @Override
  public SequencedCollection<V> sequencedValues() {
    return values();
  }

  @Override
  public SequencedSet<Map.Entry<K, V>> entrySet() {
    return new LinkedViews.Entries<>(this);
  }

  @Override
  public SequencedSet<Map.Entry<K, V>> sequencedEntrySet() {
    return entrySet();
  }
}
