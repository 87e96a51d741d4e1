package io.pmstore.proxy.collection;

import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The live views of a map. A sorted map's key set has a class of its own. */
final class MapViews {
  private MapViews() {}

  /** What the sets of keys and of entries share. */
  abstract static class View<
          K extends @Nullable Object, V extends @Nullable Object, E extends @Nullable Object>
      extends HeapSet<E> {
    final HeapMap<K, V> viewed;

    View(HeapMap<K, V> map) {
      this.viewed = map;
    }

    @Override
    public Contents contents() {
      return viewed.contents();
    }

    @Override
    int characteristics() {
      return Spliterator.DISTINCT | viewed.characteristics();
    }

    @Override
    public int size() {
      return viewed.size();
    }

    @Override
    public boolean isEmpty() {
      return viewed.isEmpty();
    }

    @Override
    public void clear() {
      viewed.clear();
    }
  }

  static class Keys<K extends @Nullable Object, V extends @Nullable Object> extends View<K, V, K> {
    Keys(HeapMap<K, V> map) {
      super(map);
    }

    @Override
    public Iterator<K> iterator() {
      return viewed.keyIterator();
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return viewed.containsKey(key);
    }

    @Override
    public boolean remove(@Nullable Object key) {
      return viewed.removeKey(key);
    }
  }

  static class Entries<K extends @Nullable Object, V extends @Nullable Object>
      extends View<K, V, Entry<K, V>> {
    Entries(HeapMap<K, V> map) {
      super(map);
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
      return viewed.entryIterator();
    }

    @Override
    public boolean contains(@Nullable Object object) {
      return object instanceof Entry<?, ?> other
          && read(
              () -> {
                long entry = viewed.find(other.getKey());
                return entry != 0 && viewed.hasValue(entry, other.getValue());
              });
    }

    @Override
    public boolean remove(@Nullable Object object) {
      return object instanceof Entry<?, ?> entry && viewed.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean removeIf(Predicate<? super Entry<K, V>> filter) {
      Objects.requireNonNull(filter, "filter");
      return viewed.removeIf(filter);
    }
  }

  static class Values<K extends @Nullable Object, V extends @Nullable Object>
      extends HeapCollection<V> {
    private final HeapMap<K, V> map;

    Values(HeapMap<K, V> map) {
      this.map = map;
    }

    @Override
    public Contents contents() {
      return map.contents();
    }

    @Override
    int characteristics() {
      return map.characteristics();
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean isEmpty() {
      return map.isEmpty();
    }

    @Override
    public void clear() {
      map.clear();
    }

    @Override
    public Iterator<V> iterator() {
      return map.valueIterator();
    }

    @Override
    public boolean contains(@Nullable Object value) {
      return map.containsValue(value);
    }

    @Override
    public boolean remove(@Nullable Object value) {
      return write(
          () -> {
            long entry = map.findValue(value);
            return entry != 0 && map.removeKey(map.key(entry));
          });
    }

    @Override
    public boolean removeIf(Predicate<? super V> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.removeIf(entry -> filter.test(entry.getValue()));
    }
  }
}
