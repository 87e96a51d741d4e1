package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.CollectionDamage.Keyed;
import io.pmstore.spi.ObjectHandle;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
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
    extends HeapMap<K, V> implements Keyed, PersistentCollection
    permits PersistentConcurrentMap, PersistentLinkedMap {
  private final CollectionSpace space;
  private final CellCodec codec;
  private final HashTable<K> table;
  private final Modifications modifications;
  private volatile @Nullable Object facade;

  /**
   * Makes the Java object of a map in the heap. The object layer ensures that there is only one at
   * a time.
   */
  public PersistentMap(CollectionSpace space, HeapObject handle) {
    this(space, handle, space.shapes().mapTrie(), new Modifications(true));
  }

  PersistentMap(
      CollectionSpace space,
      HeapObject handle,
      CollectionShapes.Trie shapes,
      Modifications modifications) {
    this.space = space;
    this.codec = space.codec();
    this.modifications = modifications;
    this.table = new HashTable<>(this, space, handle, shapes, modifications);
  }

  /**
   * Makes an empty map in the heap, inside a transaction. It is unusable if the transaction is
   * rolled back.
   */
  public static <K extends @Nullable Object, V extends @Nullable Object> PersistentMap<K, V> create(
      CollectionSpace space) {
    PersistentMap<K, V> map =
        new PersistentMap<>(
            space, space.heap().newObject(space.shapes().map(), CollectionShapes.MAP.size()));
    map.table.isNew();
    return map;
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return table.handle();
  }

  @Override
  public @Nullable Object facade() {
    return facade;
  }

  @Override
  public void facade(Object made) {
    facade = made;
  }

  @Override
  public void checkKeys() {
    table.checkKeys();
  }

  @Override
  CollectionSpace space() {
    return space;
  }

  HashTable<K> table() {
    return table;
  }

  // -- entries

  @Override
  long find(@Nullable Object key) {
    return table.find(key);
  }

  @Override
  K key(long entry) {
    return table.key(entry);
  }

  @Override
  Iterator<Map.Entry<K, V>> entryIterator() {
    return HashEntry.entries(this, table.walk());
  }

  @Override
  Iterator<K> keyIterator() {
    return table.keys();
  }

  @Override
  Iterator<V> valueIterator() {
    return HashEntry.values(this, table.walk());
  }

  @Override
  long findValue(@Nullable Object value) {
    return findValue(value, table.walk());
  }

  /** Returns the first entry of a walk that has a value, or 0. */
  final long findValue(@Nullable Object value, Walk walk) {
    long[] found = new long[1];
    walk.visit(
        entry -> {
          if (found[0] == 0 && hasValue(entry, value)) {
            found[0] = entry;
          }
          return found[0] == 0;
        });
    return found[0];
  }

  @Override
  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the map holds what was put into it as V, null if V allows it
  V value(long entry) {
    return (V) codec.readCell(entry, ENTRY_VALUE);
  }

  @Override
  boolean hasValue(long entry, @Nullable Object value) {
    return codec.cellEquals(entry, ENTRY_VALUE, value);
  }

  @Override
  <T extends @Nullable Object> T stored(T keyOrValue) {
    return table.stored(keyOrValue);
  }

  @Override
  @Nullable V set(K key, V value) {
    K storedKey = stored(key);
    V storedValue = stored(value);
    int hash = table.trie().hash(storedKey);
    long entry = table.find(storedKey, hash);
    if (entry != 0) {
      return replaceIn(entry, storedValue);
    }
    table.insert(storedKey, hash, storedValue);
    return null;
  }

  @Override
  V replaceIn(long entry, V value) {
    V old = value(entry);
    codec.writeCell(entry, ENTRY_VALUE, value);
    modifications.replaced();
    return old;
  }

  @Override
  boolean removeKey(@Nullable Object key) {
    return table.remove(key);
  }

  // -- Map

  @Override
  public int size() {
    return table.size();
  }

  @Override
  public boolean isEmpty() {
    return table.isEmpty();
  }

  @Override
  public void clear() {
    table.clear();
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return write(
        () -> {
          long entry = table.find(key);
          if (entry == 0) {
            return null;
          }
          V old = value(entry);
          table.removeEntry(entry);
          return old;
        });
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return write(
        () -> {
          long entry = table.find(key);
          boolean matches = entry != 0 && hasValue(entry, value);
          if (matches) {
            table.removeEntry(entry);
          }
          return matches;
        });
  }

  @Override
  public Set<K> keySet() {
    return new MapViews.Keys<>(this);
  }
}
