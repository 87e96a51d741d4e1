package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.SortedNodes.isNode;
import static io.pmstore.proxy.collection.SortedNodes.node;
import static io.pmstore.proxy.collection.SortedShapes.COUNTERS;
import static io.pmstore.proxy.collection.SortedShapes.ROOT;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.SortedRange.Edge;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a sorted map or set in the heap: a B+ tree (Bayer and McCreight 1972; Comer 1979).
 *
 * <p>A node keeps, for each child but the first, a copy of the first key below it. The copy is
 * always of a key that is in the collection: one that was removed may be changed by its owner, and
 * must not be kept from being collected. Leaves are not linked: an iteration goes through the
 * nodes, in either direction, and changes touch nothing beside the path from the root.
 *
 * <ul>
 *   <li>A collection of a few elements is one leaf, which is replaced by a larger one when it is
 *       full. In a taller tree all leaves have the largest size.
 *   <li>A full leaf or node splits in half. Where the new one comes last in it, or first of all, it
 *       stays full and the new one starts the next: what is filled in order is packed.
 *   <li>One that falls below a quarter is merged with a neighbour under the same parent if both
 *       together leave a quarter free; an empty one is cut off. So two neighbours have a sixth of
 *       their room in use at least, the height is logarithmic in the size after any history, and
 *       insertions and removals in turn do not split and merge in turn.
 * </ul>
 *
 * <p>All methods are called inside a transaction or a consistent read.
 */
final class SortedTree {
  private final CollectionSpace space;
  private final Heap heap;
  private final HeapObject handle;
  private final SortedNodes nodes;
  private volatile @Nullable SortedOrder order;

  SortedTree(CollectionSpace space, HeapObject handle, boolean withValues) {
    this.space = space;
    this.heap = space.heap();
    this.handle = handle;
    this.nodes = new SortedNodes(space, withValues);
  }

  SortedNodes nodes() {
    return nodes;
  }

  /**
   * Where the collection stands; asked for in every body, since a roll-back may have taken it away.
   */
  long address() {
    return handle.address();
  }

  /** The order of the keys, which never changes. */
  SortedOrder order() {
    SortedOrder known = order;
    if (known == null) {
      known = SortedOrder.read(space, address());
      order = known;
    }
    return known;
  }

  long root() {
    return heap.getLong(address(), ROOT);
  }

  boolean isEmpty() {
    return root() == 0;
  }

  /** The number of entries. */
  long size() {
    long root = root();
    if (!isNode(root)) {
      return root == 0 ? 0 : LeafPlaces.count(nodes.places(root));
    }
    long counters = heap.getLong(address(), COUNTERS);
    long size = 0;
    for (int i = 0; i < CollectionShapes.COUNTERS; i++) {
      size += heap.counter(counters, CollectionShapes.counter(i));
    }
    return size;
  }

  // -- one key

  /** The child of a node below which a key belongs: the last whose first key is not above it. */
  private int childFor(long node, @Nullable Object key) {
    SortedOrder keys = order();
    int low = 0;
    int high = nodes.count(node) - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (keys.compare(key, node, SortedShapes.key(middle)) >= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The place of a key in a leaf, or -1 minus the place where it belongs. */
  private int place(long leaf, @Nullable Object key) {
    SortedOrder keys = order();
    long places = nodes.places(leaf);
    int low = 0;
    int high = LeafPlaces.count(places) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long entry = SortedNodes.entry(leaf, LeafPlaces.slot(places, middle));
      int comparison = keys.compare(key, leaf, nodes.keyOffset(entry));
      if (comparison == 0) {
        return middle;
      }
      if (comparison > 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  /** The entry of a key, or 0. */
  long find(@Nullable Object key) {
    long at = root();
    if (at == 0) {
      order().checkQuery(key);
      return 0;
    }
    while (isNode(at)) {
      at = nodes.childAt(node(at), childFor(node(at), key));
    }
    int place = place(at, key);
    return place < 0 ? 0 : SortedNodes.entry(at, LeafPlaces.slot(nodes.places(at), place));
  }

  /** The way to a key, for a change. */
  SortedPath locate(@Nullable Object key) {
    SortedPath path = new SortedPath();
    long at = root();
    while (isNode(at)) {
      int child = childFor(node(at), key);
      path.add(node(at), child);
      at = nodes.childAt(node(at), child);
    }
    path.end(at, at == 0 ? -1 : place(at, key));
    return path;
  }

  // -- many

  /** Takes entries one by one. */
  interface EntryVisitor {
    /**
     * Takes an entry.
     *
     * @return false to stop
     */
    boolean entry(long entry);
  }

  /** Visits the entries of a range, in the order of the keys or the other way round. */
  void visit(SortedRange range, boolean ascending, EntryVisitor visitor) {
    long root = root();
    if (root != 0) {
      visit(root, range.low(), range.high(), ascending, visitor);
    }
  }

  /** The part of the walk below one node, with the ends of the range that lie in there. */
  private boolean visit(
      long at, @Nullable Edge low, @Nullable Edge high, boolean ascending, EntryVisitor visitor) {
    if (!isNode(at)) {
      return visitLeaf(at, low, high, ascending, visitor);
    }
    long node = node(at);
    int first = low == null ? 0 : childFor(node, low.key());
    int last = high == null ? nodes.count(node) - 1 : childFor(node, high.key());
    int step = ascending ? 1 : -1;
    for (int i = ascending ? first : last; i >= first && i <= last; i += step) {
      Edge lowThere = i == first ? low : null;
      Edge highThere = i == last ? high : null;
      if (!visit(nodes.childAt(node, i), lowThere, highThere, ascending, visitor)) {
        return false;
      }
    }
    return true;
  }

  private boolean visitLeaf(
      long leaf, @Nullable Edge low, @Nullable Edge high, boolean ascending, EntryVisitor visitor) {
    long places = nodes.places(leaf);
    int first = low == null ? 0 : placeBehind(leaf, low.key(), !low.inclusive());
    int end =
        high == null ? LeafPlaces.count(places) : placeBehind(leaf, high.key(), high.inclusive());
    int step = ascending ? 1 : -1;
    for (int i = ascending ? first : end - 1; i >= first && i < end; i += step) {
      if (!visitor.entry(SortedNodes.entry(leaf, LeafPlaces.slot(places, i)))) {
        return false;
      }
    }
    return true;
  }

  /** The first place whose key is at or behind a key, or, if that is asked for, behind it. */
  private int placeBehind(long leaf, @Nullable Object key, boolean behind) {
    int place = place(leaf, key);
    if (place < 0) {
      return -1 - place;
    }
    return behind ? place + 1 : place;
  }

  /** The first entry of a range in a direction, or 0. */
  long first(SortedRange range, boolean ascending) {
    long[] found = new long[1];
    visit(
        range,
        ascending,
        entry -> {
          found[0] = entry;
          return false;
        });
    return found[0];
  }
}
