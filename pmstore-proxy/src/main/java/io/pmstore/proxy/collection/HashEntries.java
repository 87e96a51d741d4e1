package io.pmstore.proxy.collection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of hash maps and sets with their stored hashes. For programs that lack the classes of
 * the keys, and so cannot compute the hashes.
 */
public final class HashEntries {
  private static final int BATCH = 256;

  private HashEntries() {}

  /** Receives entries. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives an entry.
     *
     * @param value null in a set
     * @param hash the spread hash under which it stands
     */
    void entry(@Nullable Object key, @Nullable Object value, int hash);
  }

  private record Entry(@Nullable Object key, @Nullable Object value, int hash) {}

  /** Returns true if a collection is a hash map or set, linked ones included. */
  public static boolean isHashed(PersistentCollection collection) {
    return collection.contents() instanceof HashTable;
  }

  /** Shows the entries of a hash map or set, in the order of an iteration. */
  public static void forEach(PersistentCollection collection, Visitor visitor) {
    HashTable<Object> table = table(collection);
    List<Entry> batch = new ArrayList<>();
    for (Walk walk = table.walk(); walk != null; ) {
      Walk from = walk;
      walk = table.read(() -> next(table, from, batch));
      batch.forEach(entry -> visitor.entry(entry.key(), entry.value(), entry.hash()));
    }
  }

  private static @Nullable Walk next(HashTable<Object> table, Walk from, List<Entry> batch) {
    batch.clear();
    boolean hasValues = table.space().shapes().trie(table.kind()).hasValues();
    return from.visit(
        entry -> {
          batch.add(
              new Entry(
                  table.key(entry),
                  hasValues ? table.trie().entries().value(entry) : null,
                  table.trie().entries().hashOf(entry)));
          return batch.size() < BATCH;
        });
  }

  /** Returns the spread hash that the codec of a hash map or set gives a key. */
  public static int hash(PersistentCollection collection, @Nullable Object key) {
    return table(collection).trie().hash(key);
  }

  /**
   * Adds an entry to a hash map or set that does not have its key, inside a transaction.
   *
   * @param value ignored by a set
   * @param hash the spread hash under which it is to stand
   */
  @SuppressWarnings("NullAway") // a table of objects that may be null
  public static void insert(
      PersistentCollection collection, @Nullable Object key, @Nullable Object value, int hash) {
    table(collection).insert(key, hash, value);
  }

  @SuppressWarnings("unchecked") // its elements are objects
  private static HashTable<Object> table(PersistentCollection collection) {
    if (collection.contents() instanceof HashTable<?> table) {
      return (HashTable<Object>) table;
    }
    throw new IllegalArgumentException("a " + collection.contents().kind() + " has no hash table");
  }
}
