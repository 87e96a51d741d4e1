package io.pmstore.proxy.collection;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a hash map or set along a {@link Walk}. {@link PersistentMap} states what an
 * iterator guarantees.
 *
 * @param <K> the type of the keys
 * @param <S> what it keeps of an entry
 * @param <T> what it iterates over
 */
final class HashIterator<
        K extends @Nullable Object, S extends HashIterator.Seen<K>, T extends @Nullable Object>
    extends BatchIterator<Walk, S, T> {
  private final HashTable<K> table;
  private final EntryReader<S> reader;
  private final Function<S, T> shown;

  HashIterator(HashTable<K> table, Walk walk, EntryReader<S> reader, Function<S, T> shown) {
    super(table.space().heap(), table.modifications(), walk);
    this.table = table;
    this.reader = reader;
    this.shown = shown;
  }

  /** An entry that an iteration read. */
  interface Seen<K extends @Nullable Object> {
    K getKey();

    /** Reads the entry again if it may have changed. Returns true if the key is still there. */
    boolean refresh();
  }

  /** Reads what an iterator keeps of an entry. */
  @FunctionalInterface
  interface EntryReader<S> {
    S read(long entry, Reading current);
  }

  /** Iterates over the keys. */
  static <K extends @Nullable Object> Iterator<K> ofKeys(HashTable<K> table, Walk walk) {
    return new HashIterator<K, SeenKey<K>, K>(
        table,
        walk,
        (entry, current) -> new SeenKey<>(table, table.key(entry), current),
        SeenKey::getKey);
  }

  @Override
  Batch<Walk, S> read(Walk from, int wanted, Reading current) {
    return table.read(
        () -> {
          List<S> entries = new ArrayList<>(wanted);
          Walk rest =
              from.visit(
                  entry -> {
                    entries.add(reader.read(entry, current));
                    return entries.size() < wanted;
                  });
          return new Batch<>(entries, rest);
        });
  }

  @Override
  boolean isThere(S seen) {
    return seen.refresh();
  }

  @Override
  T shown(S seen) {
    seen.refresh();
    return shown.apply(seen);
  }

  @Override
  void remove(S seen) {
    table.remove(seen.getKey());
  }

  /** An entry of which only the key is shown. */
  private record SeenKey<K extends @Nullable Object>(HashTable<K> table, K key, Reading reading)
      implements Seen<K> {
    @Override
    public K getKey() {
      return key;
    }

    @Override
    public boolean refresh() {
      return reading.isCurrent() || table.contains(key);
    }
  }
}
