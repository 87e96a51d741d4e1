package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The kinds of collections that a store can make. */
@SuppressWarnings(
    "ImmutableEnumChecker") // shapes of nodes and references to constructors do not change
public enum CollectionKind {
  MAP(Map.class, CollectionShapes.MAP, PersistentMap<Object, Object>::new),
  CONCURRENT_MAP(
      ConcurrentMap.class,
      CollectionShapes.CONCURRENT_MAP,
      PersistentConcurrentMap<Object, Object>::new),
  LINKED_MAP(SequencedMap.class, LinkedShapes.MAP, PersistentLinkedMap<Object, Object>::new),
  LIST(List.class, ListShapes.LIST, PersistentList<Object>::new),
  SET(Set.class, CollectionShapes.SET, PersistentSet<Object>::new),
  LINKED_SET(SequencedSet.class, LinkedShapes.SET, PersistentLinkedSet<Object>::new),
  DEQUE(Deque.class, DequeShapes.DEQUE, PersistentDeque<Object>::new),
  SORTED_MAP(NavigableMap.class, SortedShapes.MAP, PersistentSortedMap<Object, Object>::new),
  SORTED_SET(NavigableSet.class, SortedShapes.SET, PersistentSortedSet<Object>::new);

  private final Class<?> type;
  private final NodeShape root;
  private final Maker maker;

  CollectionKind(Class<?> type, NodeShape root, Maker maker) {
    this.type = type;
    this.root = root;
    this.maker = maker;
  }

  /**
   * Makes the Java object of a collection in the heap. The object layer ensures that there is only
   * one at a time.
   */
  @FunctionalInterface
  private interface Maker {
    PersistentCollection make(CollectionSpace space, HeapObject handle);
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
   * @throws io.pmstore.NotPersistableException if the comparator cannot be stored
   */
  public PersistentObject create(
      CollectionSpace space, @Nullable Comparator<@Nullable Object> comparator) {
    SortedOrder.check("the comparator", comparator, space.codec()::comparatorName);
    PersistentCollection made =
        maker.make(space, space.heap().newObject(space.shapes().id(this), root.size()));
    made.contents().initialize(comparator);
    return made;
  }

  /** Returns the shape of the collection object. */
  NodeShape root() {
    return root;
  }

  /** Returns the kind's name, for messages. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Makes the Java object of a collection in the heap; returns null if the shape is not that of a
   * collection.
   */
  public static @Nullable PersistentObject find(
      CollectionSpace space, int shapeId, HeapObject handle) {
    CollectionKind kind = space.shapes().kind(shapeId);
    return kind == null ? null : kind.maker.make(space, handle);
  }

  /** Returns the kind of a persistent collection; null for any other object and for null. */
  public static @Nullable CollectionKind of(@Nullable Object object) {
    return object instanceof PersistentCollection collection ? collection.contents().kind() : null;
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
