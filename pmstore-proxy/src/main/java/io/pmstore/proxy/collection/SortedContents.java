package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.HeapMap.Found;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Comparator;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of a sorted map or set and its views: its tree, and the operations on single
 * keys. A set is a map without values.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class SortedContents<K extends @Nullable Object, V extends @Nullable Object>
    extends Contents {
  private final SortedTree tree;
  private final SortedInsertion insertion;
  private final SortedRemoval removal;

  SortedContents(CollectionKind kind, CollectionSpace space, HeapObject handle) {
    super(kind, space, handle);
    this.tree = new SortedTree(space, handle, kind == CollectionKind.SORTED_MAP);
    this.insertion = new SortedInsertion(space, tree);
    this.removal = new SortedRemoval(space, tree);
  }

  @Override
  void initialize(@Nullable Comparator<?> comparator) {
    SortedOrder.write(space(), address(), comparator);
  }

  @Override
  void checkKeys() {
    tree.checkKeys();
  }

  SortedTree tree() {
    return tree;
  }

  SortedOrder order() {
    return tree.order();
  }

  // -- reading, inside a transaction or a consistent read

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the collection holds what was put into it as K, null if K allows it
  K key(long entry) {
    return (K) tree.nodes().key(entry);
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the map holds what was put into it as V, null if V allows it
  V value(long entry) {
    return (V) shown(tree.nodes().value(entry));
  }

  boolean hasValue(long entry, @Nullable Object value) {
    return space()
        .codec()
        .cellEquals(SortedNodes.leaf(entry), tree.nodes().valueOffset(entry), value);
  }

  /** Returns a copy of an entry; null for 0. */
  @Nullable Entry<K, V> copy(long entry) {
    return entry == 0 ? null : new SimpleImmutableEntry<>(key(entry), value(entry));
  }

  // -- changes, inside a transaction

  /**
   * Puts a key and a value. Returns the old value, or null if the key is new.
   *
   * @throws ClassCastException if the key does not fit the order; nothing has changed then
   */
  @Nullable Found<V> set(K key, V value) {
    if (tree.isEmpty()) {
      order().checkKey(key);
    }
    // Both come before the first change: one that cannot be stored changes nothing.
    K storedKey = stored(key);
    V storedValue = stored(value);
    SortedPath path = tree.locate(storedKey);
    if (path.isFound() && kind() == CollectionKind.SORTED_SET) {
      return new Found<>(storedValue); // the order has changed its mind since the look-up
    }
    if (path.isFound()) {
      return new Found<>(replaceIn(entry(path), storedValue));
    }
    restructure(() -> insertion.insert(path, storedKey, storedValue));
    return null;
  }

  /**
   * Checks that keys to be put fit the order. Compares each with a key of the collection or, if
   * that is empty, with the first of them. Runs before the first change.
   *
   * @throws ClassCastException if they do not fit the order
   */
  void checkAll(Iterable<? extends K> keys) {
    long there = tree.first(SortedRange.ALL, true);
    @Nullable Object[] first = null;
    for (K key : keys) {
      if (there != 0) {
        order().compare(key, SortedNodes.leaf(there), tree.nodes().keyOffset(there));
      } else {
        first = first == null ? new @Nullable Object[] {key} : first;
        order().compare(key, first[0]);
      }
    }
  }

  /** Adds an element to a set unless it is there. Returns true if it added it. */
  boolean add(K key, V nothing) {
    if (!tree.isEmpty() && tree.find(key) != 0) {
      return false;
    }
    return set(key, nothing) == null;
  }

  private long entry(SortedPath path) {
    long leaf = path.leaf();
    return SortedNodes.entry(leaf, LeafPlaces.slot(tree.nodes().places(leaf), path.place()));
  }

  V replaceIn(long entry, V value) {
    V old = value(entry);
    space().codec().writeCell(SortedNodes.leaf(entry), tree.nodes().valueOffset(entry), value);
    modifications().replaced(-1);
    return old;
  }

  /** Removes a key. Returns its value, or null if it was not there. */
  @Nullable Found<V> remove(@Nullable Object key) {
    return write(
        () -> {
          if (tree.isEmpty()) {
            order().checkQuery(key);
            return null;
          }
          SortedPath path = tree.locate(key);
          if (!path.isFound()) {
            return null;
          }
          Found<V> old = new Found<>(value(entry(path)));
          restructure(() -> removal.remove(path));
          return old;
        });
  }

  /**
   * Removes the first entry of a range in a direction. Returns a copy, or null if the range is
   * empty.
   */
  @Nullable Entry<K, V> poll(SortedRange range, boolean ascending) {
    return write(
        () -> {
          Entry<K, V> first = copy(tree.first(range, ascending));
          if (first != null) {
            remove(first.getKey());
          }
          return first;
        });
  }

  void clear() {
    if (!tree.isEmpty()) {
      restructure(removal::clear);
    }
  }

  /** Returns the number of entries in a range. */
  int size(SortedRange range) {
    return read(
        () -> {
          if (range.isAll()) {
            return (int) Math.min(Integer.MAX_VALUE, tree.size());
          }
          int[] count = new int[1];
          tree.visit(range, true, entry -> ++count[0] < Integer.MAX_VALUE);
          return count[0];
        });
  }

  boolean isEmpty(SortedRange range) {
    return read(() -> tree.first(range, true) == 0);
  }
}
