package io.pmstore.proxy.slot;

import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bean.ImmutableClasses;
import io.pmstore.proxy.facade.Facades;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The plain collections into which constructors of records copy their arguments. */
public final class CopiedCollections {
  private CopiedCollections() {}

  /**
   * Returns a plain collection with some elements, keys or values replaced.
   *
   * @param replacement maps each that is not null to its replacement, or to itself
   * @return the same collection if none is replaced, or else a new one that the same component of a
   *     record can hold
   */
  @SuppressWarnings("ReferenceEquality") // a twin may be equal
  public static Object map(Object collection, UnaryOperator<Object> replacement) {
    List<@Nullable Object> mapped = new ArrayList<>(); // of a map, keys and values alternately
    boolean same = true;
    for (Object one : contents(collection)) {
      mapped.add(one == null ? null : replacement.apply(one));
      same &= one == mapped.getLast();
    }
    if (same) {
      return collection;
    }
    Object copy = like(collection, mapped);
    Class<?> type = collection.getClass();
    while (type != null && !ImmutableClasses.contains(type)) {
      type = type.getSuperclass();
    }
    return type == null ? copy : ImmutableClasses.copy(type, copy);
  }

  /** Returns a copy of a plain collection, which can be changed. */
  public static Object copy(Object collection) {
    return like(collection, contents(collection));
  }

  /** Returns a collection of the same kind. */
  @SuppressWarnings("unchecked")
  private static Object like(Object collection, Collection<?> contents) {
    Object made = emptyLike(collection);
    if (made instanceof Map<?, ?> map) {
      for (Iterator<?> each = contents.iterator(); each.hasNext(); ) {
        ((Map<@Nullable Object, @Nullable Object>) map).put(each.next(), each.next());
      }
    } else {
      ((Collection<@Nullable Object>) made).addAll(contents);
    }
    return made;
  }

  private static Collection<?> contents(Object collection) {
    if (collection instanceof Map<?, ?> map) {
      List<@Nullable Object> contents = new ArrayList<>();
      map.forEach(
          (key, value) -> {
            contents.add(key);
            contents.add(value);
          });
      return contents;
    }
    return (Collection<?>) collection;
  }

  private static Object emptyLike(Object collection) {
    return switch (collection) {
      case Object _ when CollectionClasses.contains(collection.getClass()) ->
          Facades.newPlain(collection.getClass(), collection);
      case SortedMap<?, ?> map -> new TreeMap<>(map.comparator());
      case Map<?, ?> _ -> new LinkedHashMap<>();
      case SortedSet<?> set -> new TreeSet<>(set.comparator());
      case Set<?> _ -> new LinkedHashSet<>();
      case List<?> _ -> new ArrayList<>();
      case Deque<?> _ -> new ArrayDeque<>();
      default -> new ArrayList<>();
    };
  }
}
