package io.pmstore.proxy.generic;

import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.CollectionSpace;
import io.pmstore.proxy.collection.HashEntries;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.spi.PersistentObject;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects and collections without their classes, inside transactions. For one thread, in a
 * store that no other one uses.
 */
public final class GenericWriter {
  private static final Class<?> REVERSING =
      Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER).getClass();

  private final Heap heap;
  private final GenericCells cells;
  private final CollectionSpace space;

  GenericWriter(Heap heap, GenericCells cells, CollectionSpace space) {
    this.heap = heap;
    this.cells = cells;
    this.space = space;
  }

  /**
   * Makes an object of zeros and nulls, which the commit keeps although nothing refers to it yet.
   * Returns its address.
   */
  public long newObject(Shape shape) {
    return heap.newObject(shape.id(), shape.size()).identity();
  }

  /** Writes a property of an object that was made here. */
  public void write(long object, Property property, @Nullable Object value) {
    cells.write(object, property, value);
  }

  /** Returns the constant of a name, or null. */
  public @Nullable GenericEnum constant(EnumType type, String name) {
    return cells.constant(type, name);
  }

  /**
   * Makes an empty collection.
   *
   * @param comparator of a sorted one, as {@link java.util.SortedMap#comparator} returns it; null
   *     for the natural order
   */
  public PersistentObject newCollection(CollectionKind kind, @Nullable Comparator<?> comparator) {
    return kind.create(space, comparator == null ? null : stored(comparator));
  }

  @SuppressWarnings("unchecked") // it compares nothing
  private static Comparator<@Nullable Object> stored(Comparator<?> comparator) {
    if (comparator.getClass() == REVERSING) {
      return Collections.reverseOrder(stored(Collections.reverseOrder(comparator)));
    }
    return comparator instanceof GenericEnum || comparator instanceof GenericObject
        ? new StoredComparator(comparator)
        : (Comparator<@Nullable Object>) comparator;
  }

  /** Adds entries at the end of a sorted map, which has none of the keys. */
  @SuppressWarnings("unchecked") // a collection of this store takes all of its values
  public void addAll(PersistentCollection map, Map<@Nullable Object, @Nullable Object> entries) {
    ((Map<@Nullable Object, @Nullable Object>) map).putAll(entries);
  }

  /** Adds an entry or an element that is not there under the hash that its class gave it. */
  public void addHashed(
      PersistentCollection collection, @Nullable Object key, @Nullable Object value, int hash) {
    if (hash != HashEntries.hash(collection, key)) {
      cells.hashes().hashesItself(key);
    }
    HashEntries.insert(collection, key, value, hash);
  }

  /** Adds elements at the end of a list, deque or sorted set. */
  @SuppressWarnings("unchecked") // a collection of this store takes all of its values
  public void addAll(PersistentCollection collection, Collection<?> elements) {
    ((Collection<@Nullable Object>) collection).addAll(elements);
  }

  /**
   * Makes keys that are added to sorted collections the last ones, whatever they are.
   *
   * @param descending true if the natural order is reversed
   * @param body adds them
   */
  public void inOrder(boolean descending, Runnable body) {
    cells.appending(descending ? -1 : 1);
    try {
      GenericComparator.inOrder(body);
    } finally {
      cells.appending(0);
    }
  }
}
