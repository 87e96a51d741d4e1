package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.Modifications.Stamp;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a hash map or set. It reads some entries ahead in one consistent read and keeps
 * only a position, so that no change of the collection can invalidate it. {@link PersistentMap}
 * states what an iterator guarantees.
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
  private Batch<S> batch;
  private int batchSize = BATCH_FIRST;
  private int index; // of the next element in the batch
  private boolean promised; // hasNext returned true, so next must not fail
  private @Nullable S last;

  HashIterator(HashTable<K> table, Walk walk) {
    this.table = table;
    this.batch = new Batch<>(List.of(), walk);
    this.structure = table.modifications().structure();
  }

  /** An entry that an iteration read. */
  interface Seen<K extends @Nullable Object> {
    K getKey();

    /** Reads the entry again if it may have changed. Returns true if the key is still there. */
    boolean refresh();
  }

  /** The entries of one read, and the walk through those behind them; null if there are none. */
  private record Batch<S>(List<S> entries, @Nullable Walk rest) {}

  /** Reads what the iterator keeps of an entry. */
  abstract S read(long entry, Reading current);

  @Override
  public final boolean hasNext() {
    promised = promised || prepare();
    return promised;
  }

  /** Moves to the next entry that is still there; returns false if there is none. */
  private boolean prepare() {
    while (true) {
      while (index < batch.entries.size()) {
        if (batch.entries.get(index).refresh()) {
          return true;
        }
        index++;
      }
      Walk rest = batch.rest;
      if (rest == null) {
        return false;
      }
      Reading current = Reading.begin(table.space().heap(), table.modifications(), reading);
      batch = table.read(() -> fetch(rest, current));
      reading = current;
      index = 0;
      batchSize = Math.min(BATCH_MAX, batchSize * 2);
    }
  }

  private Batch<S> fetch(Walk walk, Reading current) {
    List<S> entries = new ArrayList<>(batchSize);
    int wanted = batchSize;
    Walk rest =
        walk.visit(
            entry -> {
              entries.add(read(entry, current));
              return entries.size() < wanted;
            });
    return new Batch<>(entries, rest);
  }

  /** Returns the next entry. */
  final S nextSeen() {
    table.modifications().check(structure);
    if (!hasNext()) {
      throw new NoSuchElementException("the iteration has no more elements; ask hasNext first");
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

    OfKeys(HashTable<K> table, Walk walk) {
      super(table, walk);
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
