package io.pmstore.cli.value;

import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.collection.SortedEntries;
import io.pmstore.proxy.generic.GenericEnum;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Iterates over collections, also over sorted ones whose order only the program knows. */
public final class Elements {
  private Elements() {}

  /** Iterates over the elements of a collection, or over the entries of a map. */
  public static Iterator<?> of(Object collection) {
    return of(collection, Long.MAX_VALUE);
  }

  /**
   * Iterates over the first elements of a collection, or the first entries of a map.
   *
   * @param max how many are wanted; there may be more
   */
  public static Iterator<?> of(Object collection, long max) {
    if (collection instanceof PersistentCollection sorted
        && SortedEntries.isSorted(sorted)
        && !isComparable(sorted)) {
      return list(sorted, max).iterator();
    }
    return collection instanceof Map<?, ?> map
        ? map.entrySet().iterator()
        : ((Collection<?>) collection).iterator();
  }

  /** Returns true if this program can compare the keys of a sorted collection. */
  private static boolean isComparable(PersistentCollection sorted) {
    Comparator<?> comparator =
        sorted instanceof SortedMap<?, ?> map
            ? map.comparator()
            : ((SortedSet<?>) sorted).comparator();
    if (comparator != null
        && !comparator.equals(Comparator.naturalOrder())
        && !comparator.equals(Comparator.reverseOrder())
        && !comparator.equals(String.CASE_INSENSITIVE_ORDER)) {
      return false;
    }
    boolean[] all = {true};
    SortedEntries.forEach(
        sorted,
        (key, value) -> {
          all[0] = key instanceof GenericEnum || (key != null && Scalars.of(key) != null);
          return false;
        });
    return all[0];
  }

  private static List<@Nullable Object> list(PersistentCollection sorted, long max) {
    List<@Nullable Object> list = new ArrayList<>();
    SortedEntries.forEach(
        sorted,
        (key, value) -> {
          list.add(sorted instanceof Map ? new SimpleImmutableEntry<>(key, value) : key);
          return list.size() < max;
        });
    return list;
  }

  public static @Nullable Object key(@Nullable Object entry) {
    return entry instanceof Map.Entry<?, ?> e ? e.getKey() : entry;
  }

  /** Returns the value of an entry; null for an element of another collection. */
  public static @Nullable Object value(@Nullable Object entry) {
    return entry instanceof Map.Entry<?, ?> e ? e.getValue() : null;
  }
}
