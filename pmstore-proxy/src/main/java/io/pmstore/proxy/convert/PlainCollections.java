package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.path.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import org.jspecify.annotations.Nullable;

/**
 * Which persistent collection a plain one becomes: one that keeps what the plain one promises of
 * order and equality. A plain one of which none does is refused.
 */
final class PlainCollections {
  // What everybody gets who asks for an empty one: that two have the same means nothing.
  private static final Set<Object> EMPTY_ONES = Collections.newSetFromMap(new IdentityHashMap<>());

  static {
    EMPTY_ONES.addAll(List.of(List.of(), Set.of(), Map.of()));
    EMPTY_ONES.addAll(
        List.of(Collections.emptyList(), Collections.emptySet(), Collections.emptyMap()));
  }

  private PlainCollections() {}

  /**
   * Says whether a plain object is one of those that {@code List.of()} and the like give to
   * everybody. They have no twins: each becomes a new collection wherever it is assigned.
   */
  static boolean isSharedEmpty(@Nullable Object plain) {
    return EMPTY_ONES.contains(plain);
  }

  /**
   * Finds the kind for a plain object.
   *
   * @param plain what is to be stored
   * @param path how it is reached
   * @return the kind, or null if the object is no collection
   * @throws NotPersistableException if it is one whose contents would lose something
   */
  static @Nullable CollectionKind kind(Object plain, Path path) {
    return switch (plain) {
      case Map<?, ?> map -> kindOfMap(map, path);
      case Set<?> set -> kindOfSet(set, path);
      case List<?> list ->
          // A LinkedList is both; whoever declares a deque or queue wants that.
          list instanceof Deque && Queue.class.isAssignableFrom(path.declaredType())
              ? CollectionKind.DEQUE
              : CollectionKind.LIST;
      case Queue<?> queue -> kindOfQueue(queue, path);
      case Collection<?> _ -> CollectionKind.LIST;
      default -> null;
    };
  }

  private static CollectionKind kindOfMap(Map<?, ?> map, Path path) {
    if (map instanceof SortedMap) {
      return CollectionKind.SORTED_MAP;
    }
    if (map instanceof SequencedMap) {
      throw refused(
          map,
          path,
          "which remembers the order of insertion; no persistent map does",
          "use a java.util.HashMap if that order does not matter, or else a list beside it");
    }
    if (map instanceof IdentityHashMap || map instanceof WeakHashMap) {
      throw refused(
          map,
          path,
          "which compares or keeps its keys as no persistent map does",
          "copy it into a java.util.HashMap");
    }
    return map instanceof ConcurrentMap ? CollectionKind.CONCURRENT_MAP : CollectionKind.MAP;
  }

  private static CollectionKind kindOfSet(Set<?> set, Path path) {
    if (set instanceof SortedSet) {
      return CollectionKind.SORTED_SET;
    }
    if (set instanceof SequencedSet || set instanceof CopyOnWriteArraySet) {
      throw refused(
          set,
          path,
          "which remembers the order of insertion; no persistent set does",
          "use a java.util.HashSet if that order does not matter, or else a list");
    }
    return CollectionKind.SET;
  }

  private static CollectionKind kindOfQueue(Queue<?> queue, Path path) {
    if (queue instanceof Deque
        || queue instanceof ConcurrentLinkedQueue
        || queue instanceof LinkedBlockingQueue
        || queue instanceof ArrayBlockingQueue
        || queue instanceof LinkedTransferQueue) {
      return CollectionKind.DEQUE;
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
