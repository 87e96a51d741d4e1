package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_KEY;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
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
public final class PersistentMap<K extends @Nullable Object, V extends @Nullable Object>
    extends AbstractMap<K, V> implements PersistentObject {
  private final CollectionSpace space;
  private final Heap heap;
  private final CellCodec codec;
  private final HashTrie trie;
  private final HeapObject handle;
  private final Modifications modifications = new Modifications();

  /**
   * Makes the Java object for a map in the heap. The object layer sees to it that there is only one
   * at a time.
   *
   * @param space what the collections of the store share
   * @param handle of an object with the shape of a map
   */
  public PersistentMap(CollectionSpace space, HeapObject handle) {
    this.space = space;
    this.heap = space.heap();
    this.codec = space.codec();
    this.trie = new HashTrie(space);
    this.handle = handle;
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
    return handle;
  }

  // -- for the views and iterators

  CollectionSpace space() {
    return space;
  }

  HashTrie trie() {
    return trie;
  }

  Modifications modifications() {
    return modifications;
  }

  /**
   * Where the map stands; asked for in every body, since a roll-back may have taken the map away.
   */
  long address() {
    return handle.address();
  }

  /** The entry of a key, or 0. */
  long find(@Nullable Object key) {
    return trie.find(address(), key, trie.hash(key));
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the map holds what was put into it as K, null if K allows it
  K key(long entry) {
    return (K) codec.readCell(entry, ENTRY_KEY);
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the map holds what was put into it as V, null if V allows it
  V value(long entry) {
    return (V) codec.readCell(entry, ENTRY_VALUE);
  }

  /** A value that is there, perhaps null. */
  record Found<V extends @Nullable Object>(V value) {}

  /** The value of a key; null if there is none. */
  @Nullable Found<V> lookUp(@Nullable Object key) {
    return heap.read(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : new Found<>(value(entry));
        });
  }

  // -- changes of one entry, inside a transaction

  private V replaceIn(long entry, V value) {
    V old = value(entry);
    codec.writeCell(entry, ENTRY_VALUE, value);
    modifications.replaced();
    return old;
  }

  private V removeEntry(long entry, int hash) {
    V old = value(entry);
    space.change(() -> trie.remove(address(), entry, hash));
    modifications.restructured();
    return old;
  }

  private @Nullable V set(K key, V value) {
    K storedKey = stored(key);
    V storedValue = stored(value); // here, so that one that cannot be stored changes nothing
    int hash = trie.hash(storedKey);
    long entry = trie.find(address(), storedKey, hash);
    if (entry != 0) {
      return replaceIn(entry, storedValue);
    }
    space.change(() -> trie.insert(address(), storedKey, hash, storedValue));
    modifications.restructured();
    return null;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the twin of a T is a T, and that of null is null
  private <T extends @Nullable Object> T stored(T value) {
    return (T) codec.stored(value);
  }

  // -- Map

  @Override
  public int size() {
    return heap.read(() -> (int) Math.min(Integer.MAX_VALUE, trie.size(address())));
  }

  @Override
  public boolean isEmpty() {
    return heap.read(() -> trie.isEmpty(address()));
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return heap.read(() -> find(key) != 0);
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return heap.read(() -> findValue(value) != 0);
  }

  /** The first entry with a value, or 0. */
  long findValue(@Nullable Object value) {
    long[] found = new long[1];
    trie.visit(
        address(),
        0,
        entry -> {
          if (found[0] == 0 && codec.cellEquals(entry, ENTRY_VALUE, value)) {
            found[0] = entry;
          }
          return found[0] == 0;
        });
    return found[0];
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return heap.read(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : value(entry);
        });
  }

  @Override
  public @Nullable V getOrDefault(@Nullable Object key, @Nullable V defaultValue) {
    return heap.read(
        () -> {
          long entry = find(key);
          return entry == 0 ? defaultValue : value(entry);
        });
  }

  @Override
  public @Nullable V put(K key, V value) {
    return space.write(() -> set(key, value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    space.write(
        () -> {
          List<Entry<K, V>> entries = new ArrayList<>();
          map.forEach(
              (key, value) -> entries.add(new SimpleImmutableEntry<>(stored(key), stored(value))));
          space.change(() -> entries.forEach(entry -> set(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return space.write(
        () -> {
          int hash = trie.hash(key);
          long entry = trie.find(address(), key, hash);
          return entry == 0 ? null : removeEntry(entry, hash);
        });
  }

  /**
   * Removes a key; says whether it was there, which {@link #remove(Object)} does not where null is
   * a value.
   */
  boolean removeKey(@Nullable Object key) {
    return space.write(
        () -> {
          int hash = trie.hash(key);
          long entry = trie.find(address(), key, hash);
          if (entry != 0) {
            removeEntry(entry, hash);
          }
          return entry != 0;
        });
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return space.write(
        () -> {
          int hash = trie.hash(key);
          long entry = trie.find(address(), key, hash);
          boolean matches = entry != 0 && codec.cellEquals(entry, ENTRY_VALUE, value);
          if (matches) {
            removeEntry(entry, hash);
          }
          return matches;
        });
  }

  /**
   * Removes the entries for which a predicate holds; it is asked about all of them before the first
   * is removed.
   */
  boolean removeIf(BiPredicate<? super K, ? super V> predicate) {
    return space.write(
        () -> {
          List<K> keys = new ArrayList<>();
          forEach(
              (key, value) -> {
                if (predicate.test(key, value)) {
                  keys.add(key);
                }
              });
          keys.forEach(this::removeKey);
          return !keys.isEmpty();
        });
  }

  @Override
  public void clear() {
    space.write(
        () -> {
          if (!trie.isEmpty(address())) {
            trie.clear(address());
            modifications.restructured();
          }
          return true;
        });
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return space.write(
        () -> {
          V old = get(key);
          if (old == null) {
            set(key, value);
          }
          return old;
        });
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    V present = get(key); // without a write transaction where it is there, as it mostly is
    return present != null
        ? present
        : space.write(
            () -> {
              V old = get(key);
              if (old != null) {
                return old;
              }
              V value = function.apply(key);
              return value == null ? null : update(key, value); // a null that is there stays
            });
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return space.write(
        () -> {
          V old = get(key);
          return old == null ? null : update(key, function.apply(key, old));
        });
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return space.write(
        () -> {
          return update(key, function.apply(key, get(key)));
        });
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return space.write(
        () -> {
          V old = get(key);
          return update(key, old == null ? value : function.apply(old, value));
        });
  }

  /** The last step of a computation: a null removes the key. Returns the stored value. */
  private @Nullable V update(K key, @Nullable V value) {
    if (value == null) {
      removeKey(key);
      return null;
    }
    V stored = stored(value);
    set(key, stored);
    return stored;
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return space.write(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : replaceIn(entry, value);
        });
  }

  /** Replaces a value; returns the old one, or null if the key is not there. */
  @Nullable Found<V> replaceIfPresent(@Nullable Object key, V value) {
    return space.write(
        () -> {
          long entry = find(key);
          return entry == 0 ? null : new Found<>(replaceIn(entry, value));
        });
  }

  @Override
  public boolean replace(K key, @Nullable V oldValue, V newValue) {
    return space.write(
        () -> {
          long entry = find(key);
          boolean matches = entry != 0 && codec.cellEquals(entry, ENTRY_VALUE, oldValue);
          if (matches) {
            replaceIn(entry, newValue);
          }
          return matches;
        });
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    space.write(
        () -> {
          List<Entry<K, V>> entries = new ArrayList<>();
          forEach(
              (key, value) ->
                  entries.add(new SimpleImmutableEntry<>(key, stored(function.apply(key, value)))));
          space.change(() -> entries.forEach(entry -> replace(entry.getKey(), entry.getValue())));
          return true;
        });
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    new MapIterator.OfEntries<>(this)
        .forEachRemaining(e -> action.accept(e.getKey(), e.getValue()));
  }

  @Override
  public Set<K> keySet() {
    return new MapViews.Keys<>(this);
  }

  @Override
  public Collection<V> values() {
    return new MapViews.Values<>(this);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new MapViews.Entries<>(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof Map && heap.read(() -> super.equals(other)));
  }

  @Override
  public int hashCode() {
    return heap.read(super::hashCode);
  }

  @Override
  public String toString() {
    return heap.read(super::toString);
  }
}
