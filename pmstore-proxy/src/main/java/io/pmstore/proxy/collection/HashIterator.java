package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.Modifications.Stamp;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a map or set: reads some entries ahead in one consistent read and remembers only a
 * position among the hashes, so that no change of the trie can lead it astray. See {@link
 * PersistentMap} for what it promises.
 *
 * @param <K> the type of the keys
 * @param <S> what it keeps of an entry
 * @param <T> what it iterates over
 */
abstract class HashIterator<
        K extends @Nullable Object, S extends HashIterator.Seen<K>, T extends @Nullable Object>
    implements Iterator<T> {
  private static final int BATCH_FIRST = 8;
  private static final int BATCH_MAX = 128;

  private final HashTable<K> table;
  private Stamp structure;
  private @Nullable Reading reading;
  private Batch<S> batch = new Batch<>(List.of(), 0);
  private int batchSize = BATCH_FIRST;
  private int index; // of the next element in the batch
  private boolean promised; // hasNext said so: next will not fail
  private @Nullable S last;

  HashIterator(HashTable<K> table) {
    this.table = table;
    this.structure = table.modifications().structure();
  }

  /** An entry that an iteration read. */
  interface Seen<K extends @Nullable Object> {
    /** Its key. */
    K getKey();

    /** Reads the entry again if it may have changed; says whether the key is still there. */
    boolean refresh();
  }

  /** What one read gave, and the position behind it. */
  private record Batch<S>(List<S> entries, long end) {}

  /** Reads what is kept of an entry. */
  abstract S read(long entry, Reading current);

  @Override
  public final boolean hasNext() {
    promised = promised || prepare();
    return promised;
  }

  /** Finds the next entry that is still there. */
  private boolean prepare() {
    while (true) {
      while (index < batch.entries.size()) {
        if (batch.entries.get(index).refresh()) {
          return true;
        }
        index++;
      }
      if (batch.end == HashTrie.END) {
        return false;
      }
      long from = batch.end;
      Reading current = Reading.begin(table.space().heap(), table.modifications(), reading);
      batch = table.read(() -> fetch(from, current));
      reading = current;
      index = 0;
      batchSize = Math.min(BATCH_MAX, batchSize * 2);
    }
  }

  private Batch<S> fetch(long from, Reading current) {
    List<S> entries = new ArrayList<>(batchSize);
    int wanted = batchSize;
    long end =
        table
            .trie()
            .visit(
                table.address(),
                from,
                entry -> {
                  entries.add(read(entry, current));
                  return entries.size() < wanted;
                });
    return new Batch<>(entries, end);
  }

  /** The next entry. */
  final S nextSeen() {
    table.modifications().check(structure);
    if (!hasNext()) {
      throw new NoSuchElementException("the iteration is at its end");
    }
    promised = false;
    S entry = batch.entries.get(index++);
    entry.refresh();
    last = entry;
    return entry;
  }

  @Override
  public final void remove() {
    table.modifications().check(structure);
    S entry = last;
    if (entry == null) {
      throw new IllegalStateException(
          "remove needs a call of next before it, one for each removal");
    }
    table.remove(entry.getKey());
    last = null;
    structure = table.modifications().structure();
  }

  /** Iterates over the keys. */
  static final class OfKeys<K extends @Nullable Object> extends HashIterator<K, Seen<K>, K> {
    private final HashTable<K> keys;

    OfKeys(HashTable<K> table) {
      super(table);
      keys = table;
    }

    @Override
    Seen<K> read(long entry, Reading current) {
      return new SeenKey<>(keys, keys.key(entry), current);
    }

    @Override
    public K next() {
      return nextSeen().getKey();
    }
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
