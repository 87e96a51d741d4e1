package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.Modifications.Stamp;
import io.pmstore.proxy.collection.PersistentMap.Found;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a map: reads some entries ahead in one consistent read and remembers only a
 * position among the hashes, so that no change of the trie can lead it astray. See {@link
 * PersistentMap} for what it promises.
 *
 * @param <T> what it iterates over
 */
abstract class MapIterator<
        K extends @Nullable Object, V extends @Nullable Object, T extends @Nullable Object>
    implements Iterator<T> {
  private static final int BATCH_FIRST = 8;
  private static final int BATCH_MAX = 128;

  private final PersistentMap<K, V> map;
  private Stamp structure;
  private @Nullable Reading reading;
  private Batch<K, V> batch = new Batch<>(List.of(), 0);
  private int batchSize = BATCH_FIRST;
  private int index; // of the next element in the batch
  private boolean promised; // hasNext said so: next will not fail
  private @Nullable MapEntry<K, V> last;

  private MapIterator(PersistentMap<K, V> map) {
    this.map = map;
    this.structure = map.modifications().structure();
  }

  /** What one read gave, and the position behind it. */
  private record Batch<K extends @Nullable Object, V extends @Nullable Object>(
      List<MapEntry<K, V>> entries, long end) {}

  @Override
  public boolean hasNext() {
    promised = promised || prepare();
    return promised;
  }

  /** Finds the next entry that is still there. */
  private boolean prepare() {
    while (true) {
      while (index < batch.entries.size()) {
        MapEntry<K, V> entry = batch.entries.get(index);
        if (entry.refresh()) {
          return true;
        }
        index++;
      }
      if (batch.end == HashTrie.END) {
        return false;
      }
      long from = batch.end;
      Reading current = Reading.begin(map.space().heap(), map.modifications(), reading);
      batch = map.space().heap().read(() -> fetch(from, current));
      reading = current;
      index = 0;
      batchSize = Math.min(BATCH_MAX, batchSize * 2);
    }
  }

  private Batch<K, V> fetch(long from, Reading current) {
    List<MapEntry<K, V>> entries = new ArrayList<>(batchSize);
    int wanted = batchSize;
    long end =
        map.trie()
            .visit(
                map.address(),
                from,
                entry -> {
                  entries.add(new MapEntry<>(map, map.key(entry), map.value(entry), current));
                  return entries.size() < wanted;
                });
    return new Batch<>(entries, end);
  }

  /** The next entry. */
  final MapEntry<K, V> nextEntry() {
    map.modifications().check(structure);
    if (!hasNext()) {
      throw new NoSuchElementException("the iteration is at its end");
    }
    promised = false;
    MapEntry<K, V> entry = batch.entries.get(index++);
    entry.refresh();
    last = entry;
    return entry;
  }

  @Override
  public void remove() {
    map.modifications().check(structure);
    MapEntry<K, V> entry = last;
    if (entry == null) {
      throw new IllegalStateException(
          "remove needs a call of next before it, one for each removal");
    }
    map.removeKey(entry.getKey());
    last = null;
    structure = map.modifications().structure();
  }

  /** Over keys. */
  static final class OfKeys<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, K> {
    OfKeys(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public K next() {
      return nextEntry().getKey();
    }
  }

  /** Over values. */
  static final class OfValues<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, V> {
    OfValues(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public V next() {
      return nextEntry().value;
    }
  }

  /** Over entries. */
  static final class OfEntries<K extends @Nullable Object, V extends @Nullable Object>
      extends MapIterator<K, V, Entry<K, V>> {
    OfEntries(PersistentMap<K, V> map) {
      super(map);
    }

    @Override
    public Entry<K, V> next() {
      return nextEntry();
    }
  }

  /**
   * An entry that an iteration showed. Its value is the map's current one; once the key was
   * removed, or the transaction that put it was rolled back, the last one that was seen.
   */
  static final class MapEntry<K extends @Nullable Object, V extends @Nullable Object>
      implements Entry<K, V> {
    private final PersistentMap<K, V> map;
    private final K key;
    private final Reading reading;
    private V value;

    MapEntry(PersistentMap<K, V> map, K key, V value, Reading reading) {
      this.map = map;
      this.key = key;
      this.value = value;
      this.reading = reading;
    }

    /** Reads the value again if it may have changed; says whether the key is still there. */
    boolean refresh() {
      if (reading.isCurrent()) {
        return true;
      }
      Found<V> found = map.lookUp(key);
      if (found != null) {
        value = found.value();
      }
      return found != null;
    }

    @Override
    public K getKey() {
      return key;
    }

    @Override
    public V getValue() {
      refresh();
      return value;
    }

    @Override
    public V setValue(V newValue) {
      Found<V> old = map.replaceIfPresent(key, newValue);
      if (old == null) {
        throw new IllegalStateException(
            "the entry was removed from the map, so its value cannot be set; put the key again");
      }
      return old.value();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Entry<?, ?> entry
          && Objects.equals(key, entry.getKey())
          && Objects.equals(getValue(), entry.getValue());
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(key) ^ Objects.hashCode(getValue());
    }

    @Override
    public String toString() {
      return key + "=" + getValue();
    }
  }
}
