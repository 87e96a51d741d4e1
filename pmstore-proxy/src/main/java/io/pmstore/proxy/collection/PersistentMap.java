package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Map} in the store: a hash trie. Null is allowed as key and as value; the order of
 * iteration is that of the keys' hash codes and means nothing.
 *
 * <p><b>Costs.</b> Every operation on one key takes time that grows with the logarithm of the size
 * and writes a bounded number of bytes, whatever the size; there is no rehashing. Transactions that
 * work on different keys of a map of some size rarely conflict: each writes its entry and the one
 * node or entry that refers to it. {@link #size} is exact and makes a transaction that calls it
 * depend on every insertion and removal; {@link #isEmpty} does not.
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
 *
 * <p><b>Iteration.</b> Iterators and views are live and support removal; an entry's {@code
 * setValue} writes to the map.
 *
 * <ul>
 *   <li>A thread that adds or removes keys while it iterates, other than through the iterator, gets
 *       a {@link java.util.ConcurrentModificationException} from it, as from the JDK's maps, in a
 *       transaction and outside.
 *   <li>In a transaction, an iteration sees one state: the transaction's.
 *   <li>Outside, it never fails because of other threads. It reads some entries at a time, each
 *       time a committed state; every key that is in the map from the iteration's beginning to its
 *       end comes exactly once, and one that comes or goes meanwhile, at most once. {@code
 *       toArray}, {@code equals}, {@code hashCode} and {@code toString} show one committed state.
 *       For an iteration over one state, use a transaction.
 * </ul>
 *
 * <p>Safe for use by any number of threads; an iterator is for one thread at a time. All methods
 * throw {@link io.pmstore.StoreClosedException} when the store is closed and {@link
 * io.pmstore.RolledBackException} when the transaction that made the map was rolled back.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public sealed class PersistentMap<K extends @Nullable Object, V extends @Nullable Object>
    extends HeapMap<K, V> implements PersistentObject permits PersistentConcurrentMap {
  private final CollectionSpace space;
  private final CellCodec codec;
  private final HashTable<K> table;
  private final Modifications modifications;

  /**
   * Makes the Java object for a map in the heap. The object layer sees to it that there is only one
   * at a time.
   *
   * @param space what the collections of the store share
   * @param handle of an object with the shape of a map
   */
  public PersistentMap(CollectionSpace space, HeapObject handle) {
    this(space, handle, new Modifications(true));
  }

  PersistentMap(CollectionSpace space, HeapObject handle, Modifications modifications) {
    this.space = space;
    this.codec = space.codec();
    this.modifications = modifications;
    this.table = new HashTable<>(this, space, handle, space.shapes().mapTrie(), modifications);
  }

  /**
   * Makes an empty map in the heap, inside a transaction.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param space what the collections of the store share
   * @return the map, unusable if the transaction is rolled back
   */
  public static <K extends @Nullable Object, V extends @Nullable Object> PersistentMap<K, V> create(
      CollectionSpace space) {
    return new PersistentMap<>(
        space, space.heap().newObject(space.shapes().map(), CollectionShapes.MAP.size()));
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return table.handle();
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
    return new MapIterator.OfEntries<>(this);
  }

  @Override
  Iterator<V> valueIterator() {
    return new MapIterator.OfValues<>(this);
  }

  @Override
  long findValue(@Nullable Object value) {
    long[] found = new long[1];
    table
        .trie()
        .visit(
            table.address(),
            0,
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
    HashTrie trie = table.trie();
    int hash = trie.hash(storedKey);
    long entry = trie.find(table.address(), storedKey, hash);
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
          int hash = table.trie().hash(key);
          long entry = table.trie().find(table.address(), key, hash);
          if (entry == 0) {
            return null;
          }
          V old = value(entry);
          table.removeEntry(entry, hash);
          return old;
        });
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return write(
        () -> {
          int hash = table.trie().hash(key);
          long entry = table.trie().find(table.address(), key, hash);
          boolean matches = entry != 0 && hasValue(entry, value);
          if (matches) {
            table.removeEntry(entry, hash);
          }
          return matches;
        });
  }

  @Override
  public Set<K> keySet() {
    return new MapViews.Keys<>(this);
  }
}
