package io.pmstore.proxy.collection;

import java.util.Map.Entry;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The live views of a linked map, in its order or in reverse. Removing the first or the last
 * element is one operation. The views refuse additions.
 */
final class LinkedViews {
  private LinkedViews() {}

  static final class Keys<K extends @Nullable Object, V extends @Nullable Object>
      extends MapViews.Keys<K, V> implements SequencedSet<K> {
    private final SequencedMap<K, V> map;

    <M extends HeapMap<K, V> & SequencedMap<K, V>> Keys(M map) {
      super(map);
      this.map = map;
    }

    @Override
    public K removeFirst() {
      return write(SequencedSet.super::removeFirst);
    }

    @Override
    public K removeLast() {
      return write(SequencedSet.super::removeLast);
    }

    @Override
    public SequencedSet<K> reversed() {
      return map.reversed().sequencedKeySet();
    }
  }

  static final class Values<K extends @Nullable Object, V extends @Nullable Object>
      extends MapViews.Values<K, V> implements SequencedCollection<V> {
    private final SequencedMap<K, V> map;

    <M extends HeapMap<K, V> & SequencedMap<K, V>> Values(M map) {
      super(map);
      this.map = map;
    }

    @Override
    public V removeFirst() {
      return write(SequencedCollection.super::removeFirst);
    }

    @Override
    public V removeLast() {
      return write(SequencedCollection.super::removeLast);
    }

    @Override
    public SequencedCollection<V> reversed() {
      return map.reversed().sequencedValues();
    }
  }

  static final class Entries<K extends @Nullable Object, V extends @Nullable Object>
      extends MapViews.Entries<K, V> implements SequencedSet<Entry<K, V>> {
    private final SequencedMap<K, V> map;

    <M extends HeapMap<K, V> & SequencedMap<K, V>> Entries(M map) {
      super(map);
      this.map = map;
    }

    @Override
    public Entry<K, V> removeFirst() {
      return write(SequencedSet.super::removeFirst);
    }

    @Override
    public Entry<K, V> removeLast() {
      return write(SequencedSet.super::removeLast);
    }

    @Override
    public SequencedSet<Entry<K, V>> reversed() {
      return map.reversed().sequencedEntrySet();
    }
  }
}
