package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The collections that can be made of nothing but a store. */
public enum CollectionKind {
  /** A {@link PersistentMap}. */
  MAP(Map.class),
  /** A {@link PersistentConcurrentMap}. */
  CONCURRENT_MAP(ConcurrentMap.class),
  /** A {@link PersistentList}. */
  LIST(List.class),
  /** A {@link PersistentSet}. */
  SET(Set.class),
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

  /**
   * The interface that such a collection is made for.
   *
   * @return an interface of {@code java.util}
   */
  public Class<?> type() {
    return type;
  }

  /**
   * Makes an empty one in the heap, inside a transaction.
   *
   * @param space what the collections of the store share
   * @param comparator the order of a sorted one; null for the natural order, and for others
   * @return the collection, unusable if the transaction is rolled back
   */
  public PersistentObject create(
      CollectionSpace space, @Nullable Comparator<@Nullable Object> comparator) {
    return switch (this) {
      case MAP -> PersistentMap.create(space);
      case CONCURRENT_MAP -> PersistentConcurrentMap.createConcurrent(space);
      case LIST -> PersistentList.create(space);
      case SET -> PersistentSet.create(space);
      case DEQUE -> PersistentDeque.create(space);
      case SORTED_MAP -> PersistentSortedMap.create(space, comparator);
      case SORTED_SET -> PersistentSortedSet.create(space, comparator);
    };
  }

  /** The shape of the object that is one. */
  int shape(CollectionShapes shapes) {
    return switch (this) {
      case MAP -> shapes.map();
      case CONCURRENT_MAP -> shapes.concurrentMap();
      case LIST -> shapes.lists().list();
      case SET -> shapes.set();
      case DEQUE -> shapes.deques().deque();
      case SORTED_MAP -> shapes.sorted().map();
      case SORTED_SET -> shapes.sorted().set();
    };
  }

  /**
   * Makes the Java object for a collection in the heap.
   *
   * @param space what the collections of the store share
   * @param shapeId what the header of the object says
   * @param handle of the object
   * @return the collection; null if the shape is not that of a collection
   */
  public static @Nullable PersistentObject find(
      CollectionSpace space, int shapeId, HeapObject handle) {
    CollectionKind kind = space.shapes().kind(shapeId);
    return switch (kind) {
      case MAP -> new PersistentMap<>(space, handle);
      case CONCURRENT_MAP -> new PersistentConcurrentMap<>(space, handle);
      case LIST -> new PersistentList<>(space, handle);
      case SET -> new PersistentSet<>(space, handle);
      case DEQUE -> new PersistentDeque<>(space, handle);
      case SORTED_MAP -> new PersistentSortedMap<>(space, handle);
      case SORTED_SET -> new PersistentSortedSet<>(space, handle);
      case null -> null;
    };
  }

  /**
   * The kind that is made for an interface.
   *
   * @param type an interface
   * @return the kind, or null if there is none for it
   */
  public static @Nullable CollectionKind of(Class<?> type) {
    for (CollectionKind kind : values()) {
      if (kind.type == type) {
        return kind;
      }
    }
    return null;
  }
}
