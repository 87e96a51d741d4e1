package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ConcurrentMap} in the store: a {@link PersistentMap} with the two differences that
 * {@code ConcurrentHashMap} has from {@code HashMap}. It refuses null, as key and as value, with a
 * {@link NullPointerException}. Its iterators never fail, not even when their own thread adds or
 * removes keys meanwhile: every key that is in the map from the iteration's start to its end is
 * returned exactly once, any other at most once.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentConcurrentMap<K, V> extends PersistentMap<K, V>
    implements ConcurrentMap<K, V> {

  PersistentConcurrentMap(CollectionSpace space, HeapObject handle) {
    super(CollectionKind.CONCURRENT_MAP, space, handle);
  }

  private static <T> T key(@Nullable T key) {
    return Objects.requireNonNull(key, "a ConcurrentMap or Hashtable has no null key");
  }

  private static <T> T value(@Nullable T value) {
    return Objects.requireNonNull(value, "a ConcurrentMap or Hashtable has no null value");
  }

  @Override
  K key(long entry) {
    return notNull(super.key(entry), entry, "a key");
  }

  @Override
  V value(long entry) {
    return notNull(super.value(entry), entry, "a value");
  }

  private static <T> T notNull(@Nullable T found, long entry, String expected) {
    if (found == null) {
      throw CollectionDamage.in("an entry", entry, "null", expected);
    }
    return found;
  }

  @Override
  <T extends @Nullable Object> T stored(T keyOrValue) {
    return super.stored(
        Objects.requireNonNull(keyOrValue, "a ConcurrentMap or Hashtable has no nulls"));
  }

  @Override
  @Nullable Found<V> replaceIfPresent(@Nullable Object key, V value) {
    return super.replaceIfPresent(key, value(value));
  }

  @Override
  boolean removeKey(@Nullable Object key) {
    return super.removeKey(key(key));
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return super.containsKey(key(key));
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return super.containsValue(value(value));
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return super.get(key(key));
  }

  @Override
  public @Nullable V getOrDefault(@Nullable Object key, @Nullable V defaultValue) {
    return super.getOrDefault(key(key), defaultValue);
  }

  @Override
  public @Nullable V put(K key, V value) {
    return super.put(key(key), value(value));
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    return super.remove(key(key));
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    return super.remove(key(key), value); // no entry has a null value
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return super.putIfAbsent(key(key), value(value));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return super.replace(key(key), value(value));
  }

  @Override
  public boolean replace(K key, @Nullable V oldValue, V newValue) {
    return super.replace(key(key), value(oldValue), value(newValue));
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    return super.computeIfAbsent(key(key), function);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    return super.computeIfPresent(key(key), function);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    return super.compute(key(key), function);
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    return super.merge(key(key), value(value), function);
  }
}
