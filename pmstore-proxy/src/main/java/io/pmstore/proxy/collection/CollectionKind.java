package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The kinds of collections that a store can make. */
public enum CollectionKind {
  /** A {@link PersistentMap}. */
  MAP(Map.class),
  /** A {@link PersistentConcurrentMap}. */
  CONCURRENT_MAP(ConcurrentMap.class),
  /** A {@link PersistentLinkedMap}. */
  LINKED_MAP(SequencedMap.class),
  /** A {@link PersistentList}. */
  LIST(List.class),
  /** A {@link PersistentSet}. */
  SET(Set.class),
  /** A {@link PersistentLinkedSet}. */
  LINKED_SET(SequencedSet.class),
  /** A {@link PersistentDeque}. */
  DEQUE(Deque.class),
  /** A {@link PersistentSortedMap}. */
  SORTED_MAP(NavigableMap.class),
  /** A {@link PersistentSortedSet}. */
  SORTED_SET(NavigableSet.class);

  private final Class<?> type;

  CollectionKind(Class<?> type) {
    this.type = type;
  }

  /** Returns the interface of {@code java.util} that declares such a collection. */
  public Class<?> type() {
    return type;
  }

  /** Returns true for a sorted map or set, which has a comparator or the natural order. */
  public boolean isSorted() {
    return this == SORTED_MAP || this == SORTED_SET;
  }

  /**
   * Makes an empty collection in the heap, inside a transaction. It is unusable if the transaction
   * is rolled back.
   *
   * @param comparator the order of a sorted collection; null for the natural order and for other
   *     kinds
   */
  public PersistentObject create(
      CollectionSpace space, @Nullable Comparator<@Nullable Object> comparator) {
    return switch (this) {
      case MAP -> PersistentMap.create(space);
      case CONCURRENT_MAP -> PersistentConcurrentMap.createConcurrent(space);
      case LINKED_MAP -> PersistentLinkedMap.createLinked(space);
      case LIST -> PersistentList.create(space);
      case SET -> PersistentSet.create(space);
      case LINKED_SET -> PersistentLinkedSet.createLinked(space);
      case DEQUE -> PersistentDeque.create(space);
      case SORTED_MAP -> PersistentSortedMap.create(space, comparator);
      case SORTED_SET -> PersistentSortedSet.create(space, comparator);
    };
  }

  /** Returns the name of a collection's kind, for messages. */
  static String nameOf(PersistentObject collection) {
    return switch (collection) {
      case PersistentConcurrentMap<?, ?> _ -> "concurrent map";
      case PersistentLinkedMap<?, ?> _ -> "linked map";
      case PersistentMap<?, ?> _ -> "map";
      case PersistentLinkedSet<?> _ -> "linked set";
      case PersistentSet<?> _ -> "set";
      case PersistentList<?> _ -> "list";
      case PersistentDeque<?> _ -> "deque";
      case PersistentSortedMap<?, ?> _ -> "sorted map";
      case PersistentSortedSet<?> _ -> "sorted set";
      default -> "collection";
    };
  }

  /** Returns the shape id of the collection object. */
  int shape(CollectionShapes shapes) {
    return switch (this) {
      case MAP -> shapes.map();
      case CONCURRENT_MAP -> shapes.concurrentMap();
      case LINKED_MAP -> shapes.linked().map();
      case LIST -> shapes.lists().list();
      case SET -> shapes.set();
      case LINKED_SET -> shapes.linked().set();
      case DEQUE -> shapes.deques().deque();
      case SORTED_MAP -> shapes.sorted().map();
      case SORTED_SET -> shapes.sorted().set();
    };
  }

  /**
   * Makes the Java object of a collection in the heap; returns null if the shape is not that of a
   * collection.
   */
  public static @Nullable PersistentObject find(
      CollectionSpace space, int shapeId, HeapObject handle) {
    CollectionKind kind = space.shapes().kind(shapeId);
    return switch (kind) {
      case MAP -> new PersistentMap<>(space, handle);
      case CONCURRENT_MAP -> new PersistentConcurrentMap<>(space, handle);
      case LINKED_MAP -> new PersistentLinkedMap<>(space, handle);
      case LIST -> new PersistentList<>(space, handle);
      case SET -> new PersistentSet<>(space, handle);
      case LINKED_SET -> new PersistentLinkedSet<>(space, handle);
      case DEQUE -> new PersistentDeque<>(space, handle);
      case SORTED_MAP -> new PersistentSortedMap<>(space, handle);
      case SORTED_SET -> new PersistentSortedSet<>(space, handle);
      case null -> null;
    };
  }

  /** Returns the kind that an interface declares, or null. */
  public static @Nullable CollectionKind of(Class<?> type) {
    for (CollectionKind kind : values()) {
      if (kind.type == type) {
        return kind;
      }
    }
    return null;
  }
}
