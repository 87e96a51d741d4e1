package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_KEY;

import io.pmstore.core.heap.HeapObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What maps and sets have in common: keys in a hash trie. See {@link PersistentMap} for what its
 * operations promise.
 *
 * @param <K> the type of the keys
 */
final class HashTable<K extends @Nullable Object> {
  private final Object owner;
  private final CollectionSpace space;
  private final HashTrie trie;
  private final HeapObject handle;
  private final Modifications modifications;

  /**
   * Makes the table of a map or set.
   *
   * @param owner the map or set, which stays alive while the table is
   * @param handle of the map or set
   * @param shapes its nodes'
   * @param modifications tells its iterators of changes
   */
  HashTable(
      Object owner,
      CollectionSpace space,
      HeapObject handle,
      CollectionShapes.Trie shapes,
      Modifications modifications) {
    this.owner = owner;
    this.space = space;
    this.trie = new HashTrie(space, shapes);
    this.handle = handle;
    this.modifications = modifications;
  }

  CollectionSpace space() {
    return space;
  }

  /** Runs reads that see one state, while the map or set is alive. */
  <T extends @Nullable Object> T read(Supplier<T> reads) {
    return space.read(owner, reads);
  }

  private <T extends @Nullable Object> T write(Supplier<T> operation) {
    return space.write(owner, operation);
  }

  HashTrie trie() {
    return trie;
  }

  HeapObject handle() {
    return handle;
  }

  Modifications modifications() {
    return modifications;
  }

  /** Where it stands; asked for in every body, since a roll-back may have taken it away. */
  long address() {
    return handle.address();
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the table holds what was put into it as K, null if K allows it
  K key(long entry) {
    return (K) space.codec().readCell(entry, ENTRY_KEY);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the twin of a T is a T, and that of null is null
  <T extends @Nullable Object> T stored(T value) {
    return (T) space.codec().stored(value);
  }

  /** The entry of a key, or 0. Inside a transaction or a consistent read. */
  long find(@Nullable Object key) {
    return trie.find(address(), key, trie.hash(key));
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

  /** Adds a key that is not there, with a value if this is a map; inside a transaction. */
  void insert(K storedKey, int hash, @Nullable Object storedValue) {
    space.change(() -> trie.insert(address(), storedKey, hash, storedValue));
    modifications.restructured();
  }

  /** Removes the entry of a key; inside a transaction. */
  void removeEntry(long entry, int hash) {
    space.change(() -> trie.remove(address(), entry, hash));
    modifications.restructured();
  }

  /** Removes a key; says whether it was there. */
  boolean remove(@Nullable Object key) {
    return write(
        () -> {
          int hash = trie.hash(key);
          long entry = trie.find(address(), key, hash);
          if (entry != 0) {
            removeEntry(entry, hash);
          }
          return entry != 0;
        });
  }

  /**
   * Removes the keys for which a filter holds; it is asked about all of them before the first is
   * removed.
   */
  boolean removeIf(Predicate<? super K> filter) {
    Objects.requireNonNull(filter, "filter");
    return write(
        () -> {
          List<K> keys = new ArrayList<>();
          new HashIterator.OfKeys<>(this)
              .forEachRemaining(
                  key -> {
                    if (filter.test(key)) {
                      keys.add(key);
                    }
                  });
          keys.forEach(this::remove);
          return !keys.isEmpty();
        });
  }

  void clear() {
    write(
        () -> {
          if (!trie.isEmpty(address())) {
            trie.clear(address());
            modifications.restructured();
          }
          return true;
        });
  }
}
