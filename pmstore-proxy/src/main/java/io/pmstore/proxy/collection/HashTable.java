package io.pmstore.proxy.collection;

import io.pmstore.NotPersistableException;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The common code of maps and sets: keys in a hash trie and, in linked ones, their order. {@link
 * PersistentMap} states what its operations guarantee.
 *
 * @param <K> the type of the keys
 */
final class HashTable<K extends @Nullable Object> extends Contents {
  private final HashTrie trie;
  private final @Nullable LinkedOrder order; // null if the entries have no order
  private volatile StrayEntries strays;

  HashTable(CollectionKind kind, CollectionSpace space, HeapObject handle) {
    super(kind, space, handle);
    CollectionShapes.Trie shapes = space.shapes().trie(kind);
    this.trie = new HashTrie(space, shapes);
    this.order = shapes.links() == 0 ? null : new LinkedOrder(space, shapes);
    this.strays = new StrayEntries(space, trie);
  }

  HashTrie trie() {
    return trie;
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the table holds what was put into it as K, null if K allows it
  K key(long entry) {
    return (K) trie.entries().key(entry);
  }

  /** This JVM has hashed all keys of a new map or set. */
  @Override
  void initialize(@Nullable Comparator<?> comparator) {
    if (order != null) {
      LinkedOrder.initialize(space(), address());
    }
    strays.areNone();
  }

  @Override
  void checkKeys() {
    int[] count = new int[1];
    trie.visit(
        address(),
        0,
        entry -> {
          Object key = trie.entries().key(entry);
          try {
            trie.hash(key);
          } catch (NotPersistableException e) {
            throw CollectionDamage.key(TrieEntries.address(entry), key, e);
          } catch (ClassCastException | NullPointerException e) {
            return true; // thrown by the class's own hashCode, which may have worked at the put
          }
          return ++count[0] < CollectionDamage.KEYS_MAX;
        });
  }

  /** Returns the entry of a key, or 0. Runs inside a transaction or a consistent read. */
  long find(@Nullable Object key) {
    return find(key, trie.hash(key));
  }

  /** Does as {@link #find(Object)}, for a key whose hash is known. */
  long find(@Nullable Object key, int hash) {
    long map = address();
    long entry = trie.find(map, key, hash);
    return entry != 0 || trie.isEmpty(map) || space().codec().hasLastingHash(key)
        ? entry
        : strays().find(map, key, hash);
  }

  private StrayEntries strays() {
    StrayEntries now = strays;
    if (!now.isCurrent()) {
      now = new StrayEntries(space(), trie);
      strays = now;
    }
    return now;
  }

  int size() {
    return read(() -> (int) Math.min(Integer.MAX_VALUE, trie.size(address())));
  }

  boolean isEmpty() {
    return read(() -> trie.isEmpty(address()));
  }

  boolean contains(@Nullable Object key) {
    return read(() -> find(key) != 0);
  }

  /**
   * Adds a key that is not there; in a map, with a value. Runs inside a transaction.
   *
   * @throws NotPersistableException if the key's hash code differs at each call
   */
  void insert(K storedKey, int hash, @Nullable Object storedValue) {
    insert(storedKey, hash, storedValue, End.LAST);
  }

  /** Does the same, at one of the ends of a linked map or set. */
  void insert(K storedKey, int hash, @Nullable Object storedValue, End end) {
    if (!space().codec().hasLastingHash(storedKey)) {
      checkHash(storedKey, hash);
      space().codec().noteOwnHash(storedKey);
    }
    restructure(
        () -> {
          long entry = trie.insert(address(), storedKey, hash, storedValue);
          if (order != null) {
            order.add(address(), end, entry);
          }
        });
  }

  /**
   * Checks that the table can have a key. Runs before the first change of an operation that inserts
   * several.
   *
   * @throws NotPersistableException if the key has no hash code, or another one at each call
   */
  void check(K storedKey) {
    int hash = trie.hash(storedKey);
    if (!space().codec().hasLastingHash(storedKey)) {
      checkHash(storedKey, hash);
    }
  }

  private void checkHash(K storedKey, int hash) {
    if (trie.hash(storedKey) != hash) {
      throw new NotPersistableException(
          "an object of class %s cannot be a key or an element of a set: its hashCode returns another number at each call, so it would never be found; hash arrays with java.util.Arrays.hashCode, since each read of a property gives a new copy"
              .formatted(storedKey.getClass().getName()));
    }
  }

  /** Removes an entry. Runs inside a transaction. */
  void removeEntry(long entry) {
    restructure(
        () -> {
          if (order != null) {
            order.remove(address(), entry);
          }
          trie.remove(address(), entry);
        });
  }

  // -- the order of the entries

  private LinkedOrder order() {
    return Objects.requireNonNull(order, "the entries of this collection have no order");
  }

  /**
   * Returns the entry at an end of a linked map or set, or 0. Runs inside a transaction or a
   * consistent read.
   */
  long at(End end) {
    return order().at(address(), end);
  }

  /** Moves an entry of a linked map or set to an end. Runs inside a transaction. */
  void move(long entry, End end) {
    LinkedOrder entries = order();
    boolean[] moved = new boolean[1];
    space().change(() -> moved[0] = entries.move(address(), end, entry));
    if (moved[0]) {
      modifications().restructured();
    }
  }

  /** Removes the entry at an end of a linked map or set. Runs inside a transaction. */
  void removeAt(End end) {
    long entry = at(end);
    if (!trie.entries().hasLastingHash(entry)) {
      strays().findAll(address()); // as a look-up would have: older views still ask for the key
    }
    removeEntry(entry);
  }

  /** Returns a walk through all entries, in their order if they have one. */
  Walk walk() {
    return order == null ? new HashWalk(this, 0) : walk(End.FIRST);
  }

  /** Returns a walk through all entries of a linked map or set, away from an end. */
  Walk walk(End from) {
    return new LinkedWalk<>(this, order(), from);
  }

  /** A walk in the order of the hashes, from one hash on. */
  private record HashWalk(HashTable<?> table, long from) implements Walk {
    @Override
    public @Nullable Walk visit(EntryVisitor visitor) {
      long end = table.trie.visit(table.address(), from, visitor);
      return end == HashTrie.END ? null : new HashWalk(table, end);
    }
  }

  // -- operations of their own

  /** Removes a key. Returns true if it was there. */
  boolean remove(@Nullable Object key) {
    return write(
        () -> {
          long entry = find(key);
          if (entry != 0) {
            removeEntry(entry);
          }
          return entry != 0;
        });
  }

  void clear() {
    writeAll(
        () -> {
          if (!trie.isEmpty(address())) {
            strays().findAll(address());
            restructure(
                () -> {
                  trie.clear(address());
                  if (order != null) {
                    order.clear(address());
                  }
                });
          }
        });
  }
}
