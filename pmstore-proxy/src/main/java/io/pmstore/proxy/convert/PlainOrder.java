package io.pmstore.proxy.convert;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The meaning of the order of a plain map or set, and how it compares its keys. It sees through the
 * JDK's wrappers, such as {@code Collections.unmodifiableMap}.
 *
 * <p>The order is meaningless only if one of these shows it:
 *
 * <ul>
 *   <li>the class of the collection
 *   <li>for the JDK's classes, the class of the spliterator of the keys: a wrapper returns that of
 *       the wrapped collection
 *   <li>for all other classes, the class of the iterator over the keys or entries: a class that
 *       extends {@code HashMap} may have an order of its own
 * </ul>
 */
enum PlainOrder {
  /** Meaningless. */
  NONE,
  /** The order of a comparator, or the natural order. */
  SORTED,
  /** The insertion order, or an order that may have a meaning. */
  KEPT,
  /** The keys are compared by identity. */
  OF_IDENTITY,
  /** The keys are held weakly. */
  OF_WEAK_KEYS;

  @SuppressWarnings("JdkObsolete") // programs use it
  private static final Set<Class<?>> CLASSES_WITHOUT =
      classes(
          new HashMap<>(),
          new HashSet<>(),
          new Hashtable<>(),
          Map.of(),
          Map.of(1, 1),
          Map.of(1, 1, 2, 2),
          Set.of(),
          Set.of(1),
          Set.of(1, 2, 3),
          Collections.emptyMap(),
          Collections.emptySet(),
          Collections.singletonMap(1, 1),
          Collections.singleton(1));

  private static final Set<Class<?>> SPLITERATORS_WITHOUT =
      classes(
          new HashMap<>().keySet().spliterator(),
          new ConcurrentHashMap<>().keySet().spliterator(),
          Collections.emptySet().spliterator());

  private static final Set<Class<?>> ITERATORS_WITHOUT =
      classes(
          new HashMap<>().keySet().iterator(),
          new HashMap<>().entrySet().iterator(),
          new ConcurrentHashMap<>().keySet().iterator(),
          new ConcurrentHashMap<>().entrySet().iterator());

  private static final Class<?> SPLITERATOR_OF_IDENTITY =
      new IdentityHashMap<>().keySet().spliterator().getClass();

  private static final Class<?> SPLITERATOR_OF_WEAK_KEYS =
      new WeakHashMap<>().keySet().spliterator().getClass();

  private static Set<Class<?>> classes(Object... samples) {
    return Stream.of(samples).map(Object::getClass).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the order of a map. */
  static PlainOrder of(Map<?, ?> map) {
    return of(map, map.keySet(), map.entrySet());
  }

  /** Returns the order of a set. */
  static PlainOrder of(Set<?> set) {
    return of(set, set, set);
  }

  private static PlainOrder of(Object collection, Set<?> keys, Collection<?> shown) {
    if (CLASSES_WITHOUT.contains(collection.getClass())) {
      return NONE;
    }
    Spliterator<?> spliterator = keys.spliterator();
    if (spliterator.getClass() == SPLITERATOR_OF_IDENTITY) {
      return OF_IDENTITY;
    }
    if (spliterator.getClass() == SPLITERATOR_OF_WEAK_KEYS) {
      return OF_WEAK_KEYS;
    }
    if (spliterator.hasCharacteristics(Spliterator.SORTED)) {
      return SORTED;
    }
    boolean means =
        isOfTheJdk(collection)
            ? !SPLITERATORS_WITHOUT.contains(spliterator.getClass())
            : !ITERATORS_WITHOUT.contains(shown.iterator().getClass());
    return means ? KEPT : NONE;
  }

  private static boolean isOfTheJdk(Object collection) {
    return collection.getClass().getModule() == Object.class.getModule();
  }

  // -- what a linked map may do besides keeping its order

  /**
   * Returns true if a map removes its eldest entry when another is added, as a bounded cache that
   * extends {@code LinkedHashMap} does.
   */
  static boolean removesEldest(Map<?, ?> map) {
    return map instanceof LinkedHashMap && overrides(map, List.of("removeEldestEntry"));
  }

  private static boolean overrides(Object map, List<String> methods) {
    for (Class<?> type = map.getClass();
        type != null && type != LinkedHashMap.class;
        type = type.getSuperclass()) {
      if (Stream.of(type.getDeclaredMethods())
          .anyMatch(m -> methods.contains(m.getName()) && !m.isSynthetic())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if a look-up moves an entry to the end of a map. It tries this with the first
   * entry, and restores the order. It cannot tell for a wrapper with fewer than two entries, and
   * returns false then.
   */
  @SuppressWarnings("ReferenceEquality") // the same keys, not equal ones
  static boolean isByAccess(Map<?, ?> map) {
    if (map.size() < 2) {
      return map instanceof LinkedHashMap
          && !overrides(map, List.of("get", "put", "clone", "clear"))
          && isEmptyCopyByAccess(map);
    }
    if (!isOfTheJdk(map) && !(map instanceof LinkedHashMap)) {
      return false; // a look-up may do anything
    }
    Object first = map.keySet().iterator().next();
    map.get(first);
    if (map.keySet().iterator().next() == first) {
      return false;
    }
    for (Object key : Arrays.asList(map.keySet().toArray())) {
      if (key != first) {
        map.get(key);
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked") // nobody else has the copy
  private static boolean isEmptyCopyByAccess(Map<?, ?> map) {
    LinkedHashMap<Object, Object> copy =
        (LinkedHashMap<Object, Object>) ((LinkedHashMap<?, ?>) map).clone();
    copy.clear();
    copy.put("first", "");
    copy.put("second", "");
    copy.get("first");
    return copy.sequencedKeySet().getLast().equals("first");
  }
}
