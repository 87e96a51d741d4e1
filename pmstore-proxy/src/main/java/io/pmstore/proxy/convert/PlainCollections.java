package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bean.ImmutableClasses;
import io.pmstore.proxy.bean.Substitutes;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.facade.View;
import io.pmstore.proxy.path.Path;
import io.pmstore.spi.EnhancedCollection;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the persistent collection for a plain one: one that keeps the order and the equality that
 * the plain one promises. Throws if there is none.
 */
final class PlainCollections {
  /** A field of a class that extends a collection class of the JDK, which is {@code above}. */
  private record OwnField(String name, String above) {}

  private static final ClassValue<Optional<OwnField>> OWN_FIELDS =
      new ClassValue<>() {
        @Override
        protected Optional<OwnField> computeValue(Class<?> type) {
          return ownField(type);
        }
      };

  private static final ClassValue<Boolean> ARE_IMMUTABLE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          Class<?> k = type;
          while (k != null && !ImmutableClasses.contains(k)) {
            k = k.getSuperclass();
          }
          return k != null || type.getName().startsWith("kotlin.collections.Empty");
        }
      };

  // The JDK returns these to every caller. So two uses of one do not mean a shared object.
  private static final Set<Object> EMPTY_ONES = Collections.newSetFromMap(new IdentityHashMap<>());

  static {
    EMPTY_ONES.addAll(List.of(List.of(), Set.of(), Map.of()));
    EMPTY_ONES.addAll(
        List.of(Collections.emptyList(), Collections.emptySet(), Collections.emptyMap()));
    EMPTY_ONES.addAll(List.of(Collections.emptySortedSet(), Collections.emptySortedMap()));
    EMPTY_ONES.add(Stream.empty().toList());
  }

  private PlainCollections() {}

  /**
   * Returns true for the shared empty collections of {@code List.of()} and the like, and for those
   * of libraries. They have no twins: each assignment makes a new collection.
   */
  static boolean isSharedEmpty(@Nullable Object plain) {
    return EMPTY_ONES.contains(plain)
        || (plain instanceof Collection<?> elements && isImmutable(plain) && elements.isEmpty())
        || (plain instanceof Map<?, ?> map && isImmutable(plain) && map.isEmpty());
  }

  private static boolean isImmutable(Object plain) {
    return ARE_IMMUTABLE.get(plain.getClass());
  }

  /**
   * Returns the kind for a plain object, or null if it is no collection.
   *
   * @param path leads to the object
   * @throws NotPersistableException if no persistent collection keeps what it promises
   */
  static @Nullable CollectionKind kind(Object plain, Path path) {
    if ((plain instanceof Collection || plain instanceof Map) && !(plain instanceof View)) {
      checkState(plain, path);
    }
    return switch (plain) {
      case Map<?, ?> map -> kindOfMap(map, path);
      case Set<?> set -> kindOfSet(set, path);
      case List<?> list ->
          // A LinkedList is both; a property declared as a deque or queue gets a deque.
          list instanceof Deque
                  && Queue.class.isAssignableFrom(path.declaredType())
                  && !List.class.isAssignableFrom(path.declaredType())
              ? CollectionKind.DEQUE
              : CollectionKind.LIST;
      case Queue<?> queue -> kindOfQueue(queue, path);
      case Collection<?> _ -> CollectionKind.LIST;
      default -> null;
    };
  }

  /** Throws if the class of a collection extends one of the JDK's and has fields of its own. */
  private static void checkState(Object plain, Path path) {
    OwnField field = OWN_FIELDS.get(plain.getClass()).orElse(null);
    if (field != null) {
      throw refused(
          plain,
          path,
          "whose field " + field.name + " a store would not keep",
          "copy the elements into a " + field.above + Substitutes.orEnhance(plain.getClass()));
    }
  }

  private static Optional<OwnField> ownField(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    Class<?> k = type;
    for (; !CollectionClasses.contains(k); k = k.getSuperclass()) {
      if (k == Object.class) {
        return Optional.empty(); // its fields hold the elements
      }
      fields.addAll(List.of(k.getDeclaredFields()));
    }
    String above = k.getName();
    return fields.stream()
        .filter(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
        .filter(field -> !field.isSynthetic() && !Substitutes.isOfJdk(field.getDeclaringClass()))
        .findFirst()
        .map(field -> new OwnField(field.getName(), above));
  }

  private static CollectionKind kindOfMap(Map<?, ?> map, Path path) {
    if (map instanceof SortedMap) {
      return CollectionKind.SORTED_MAP;
    }
    if (map instanceof Properties properties) {
      checkDefaults(properties, path);
    }
    if (path.declaredType() == Hashtable.class || path.declaredType() == Properties.class) {
      return CollectionKind.CONCURRENT_MAP; // it refuses null, too
    }
    if (map instanceof ConcurrentMap && !(map instanceof SequencedMap)) {
      return CollectionKind.CONCURRENT_MAP;
    }
    return switch (PlainOrder.of(map)) {
      case NONE -> CollectionKind.MAP;
      case SORTED -> CollectionKind.SORTED_MAP;
      case KEPT -> {
        checkLinked(map, path);
        yield CollectionKind.LINKED_MAP;
      }
      case OF_IDENTITY -> throw byIdentity(map, path, "Map");
      case OF_WEAK_KEYS -> throw withWeakKeys(map, path, "Map");
    };
  }

  private static CollectionKind kindOfSet(Set<?> set, Path path) {
    if (set instanceof SortedSet) {
      return CollectionKind.SORTED_SET;
    }
    return switch (PlainOrder.of(set)) {
      case NONE -> CollectionKind.SET;
      case SORTED -> CollectionKind.SORTED_SET;
      case KEPT -> CollectionKind.LINKED_SET;
      case OF_IDENTITY -> throw byIdentity(set, path, "Set");
      case OF_WEAK_KEYS -> throw withWeakKeys(set, path, "Set");
    };
  }

  /** Throws if there are defaults, which no entry of the map shows. */
  private static void checkDefaults(Properties properties, Path path) {
    Properties defaults = (Properties) properties.clone();
    defaults.clear();
    if (hasNames(defaults)) {
      throw refused(
          properties,
          path,
          "which has defaults; no persistent map does",
          "copy it into a new java.util.Properties(), all of its stringPropertyNames()");
    }
  }

  private static boolean hasNames(Properties defaults) {
    try {
      return defaults.propertyNames().hasMoreElements();
    } catch (ClassCastException e) { // a name that is no text
      return true;
    }
  }

  /** Throws if a plain object of an enhanced class does more than its stored elements will. */
  static void check(EnhancedCollection plain, Path path) {
    if (plain instanceof LinkedHashMap<?, ?> map) {
      checkLinked(map, path);
    }
  }

  /** Throws if a map does more than keep the insertion order. */
  private static void checkLinked(Map<?, ?> map, Path path) {
    if (PlainOrder.removesEldest(map)) {
      throw refused(
          map,
          path,
          "which removes its eldest entry by itself; no persistent map does",
          "copy it into a java.util.LinkedHashMap, and have the program call pollFirstEntry when"
              + " the persistent map has grown too large");
    }
    if (PlainOrder.isByAccess(map)) {
      throw refused(
          map,
          path,
          "which moves an entry to its end when it is looked up; no persistent map does, since each"
              + " look-up would be a write",
          "copy it into a new java.util.LinkedHashMap<>(), and have the program call putLast for an"
              + " entry that was used");
    }
  }

  private static NotPersistableException byIdentity(Object plain, Path path, String type) {
    return refused(
        plain,
        path,
        "which compares by identity; no persistent collection does",
        "copy it into a java.util.Hash" + type + ", which compares with equals");
  }

  private static NotPersistableException withWeakKeys(Object plain, Path path, String type) {
    return refused(
        plain,
        path,
        "which forgets what nobody else holds; no persistent collection does",
        "copy it into a java.util.Hash" + type);
  }

  /**
   * Returns the comparator of a collection that is stored as a sorted one; null for the natural
   * order.
   */
  static @Nullable Comparator<?> comparator(Object plain) {
    return switch (plain) {
      case SortedMap<?, ?> map -> map.comparator();
      case SortedSet<?> set -> set.comparator();
      case Map<?, ?> map -> map.keySet().spliterator().getComparator();
      case Set<?> set -> set.spliterator().getComparator();
      default -> throw new IllegalStateException("not sorted: " + plain.getClass());
    };
  }

  private static CollectionKind kindOfQueue(Queue<?> queue, Path path) {
    if (queue instanceof Deque
        || queue instanceof ConcurrentLinkedQueue
        || queue instanceof LinkedBlockingQueue
        || queue instanceof ArrayBlockingQueue
        || queue instanceof LinkedTransferQueue) {
      return CollectionKind.DEQUE;
    }
    if (queue instanceof PriorityQueue || queue instanceof PriorityBlockingQueue) {
      throw refused(
          queue,
          path,
          "which gives its least element first; no persistent queue does",
          "declare the property as java.util.NavigableSet and use a java.util.TreeSet, whose"
              + " pollFirst gives the least element; if elements may be equally urgent, its"
              + " comparator must tell them apart, say by a number");
    }
    throw refused(
        queue,
        path,
        "which may give its elements in another order than they came in; a persistent queue does"
            + " not",
        "copy it into a java.util.ArrayDeque");
  }

  private static NotPersistableException refused(
      Object plain, Path path, String why, String remedy) {
    return new NotPersistableException(
        path + " is a " + plain.getClass().getName() + ", " + why + "; " + remedy);
  }
}
