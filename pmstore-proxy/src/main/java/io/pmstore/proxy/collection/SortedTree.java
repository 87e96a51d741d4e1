package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.SortedNodes.isNode;
import static io.pmstore.proxy.collection.SortedNodes.node;
import static io.pmstore.proxy.collection.SortedShapes.COUNTERS;
import static io.pmstore.proxy.collection.SortedShapes.ROOT;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.Trail;
import io.pmstore.proxy.collection.SortedRange.Edge;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a sorted map or set in the heap: a B+ tree (Bayer and McCreight 1972; Comer 1979).
 *
 * <p>A node keeps, for each child but the first, a copy of the first key below it. The copied key
 * always is in the collection: the owner of a removed key may change it, and the collector must be
 * able to free it. Leaves are not linked. An iteration goes through the nodes, in either direction,
 * and a change writes nothing outside the path from the root.
 *
 * <ul>
 *   <li>A small collection is one leaf. A full one is replaced by a larger one. In a taller tree
 *       all leaves have the largest size.
 *   <li>A full leaf or node splits in half. If the new entry or child comes last in it, or before
 *       all others of the tree, the full one stays as it is and the new one starts another: a
 *       collection that is filled in order is packed.
 *   <li>A leaf or node that falls below a quarter is merged with a neighbour under the same parent,
 *       if the two together leave a quarter free. An empty one is cut off. So two neighbours use at
 *       least a sixth of their room, the height is logarithmic in the size after any history, and
 *       alternating insertions and removals do not split and merge alternately.
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
   * Returns the address. Every body asks again, because a roll-back may have taken the collection
   * away.
   */
  long address() {
    return handle.address();
  }

  /** Returns the order of the keys, which never changes. */
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

  long size() {
    long root = root();
    if (!isNode(root)) {
      return root == 0 ? 0 : LeafPlaces.count(nodes.places(root));
    }
    return HashTrie.sum(heap, heap.getLong(address(), COUNTERS));
  }

  private static void checkLevel(long reference, int level) {
    if (level > CollectionDamage.LEVELS_MAX) {
      throw Trail.circle(node(reference));
    }
  }

  // -- one key

  /** Throws if some of the first keys cannot be compared with each other. */
  void checkKeys() {
    @Nullable Object[] last = new @Nullable Object[1];
    int[] count = new int[1];
    visit(
        SortedRange.ALL,
        true,
        entry -> {
          Object key = nodes.key(entry);
          try {
            order().compare(count[0] == 0 ? key : last[0], key);
          } catch (ClassCastException | NullPointerException e) {
            throw CollectionDamage.key(SortedNodes.leaf(entry), key, e);
          }
          last[0] = key;
          return ++count[0] < CollectionDamage.KEYS_MAX;
        });
    if (count[0] > 0 && count[0] < CollectionDamage.KEYS_MAX) {
      checkCopies(root(), 0, last[0]);
    }
  }

  /** Throws if a copy of a key, in a node, cannot be compared with {@code key}. */
  private void checkCopies(long at, int level, @Nullable Object key) {
    if (!isNode(at)) {
      return;
    }
    checkLevel(at, level);
    long node = node(at);
    for (int i = 0; i < nodes.count(node); i++) {
      if (i > 0) {
        Object copy = space.codec().readCell(node, SortedShapes.key(i));
        try {
          order().compare(copy, key);
        } catch (ClassCastException | NullPointerException e) {
          throw CollectionDamage.key(node, copy, e);
        }
      }
      checkCopies(nodes.childAt(node, i), level + 1, key);
    }
  }

  /**
   * Returns the index of the child below which a key belongs: the last one whose first key is not
   * above it.
   */
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

  /** Returns the place of a key in a leaf, or -1 minus the place where it belongs. */
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

  /** Returns the entry of a key, or 0. */
  long find(@Nullable Object key) {
    long at = root();
    if (at == 0) {
      order().checkQuery(key);
      return 0;
    }
    for (int level = 0; isNode(at); level++) {
      checkLevel(at, level);
      at = nodes.childAt(node(at), childFor(node(at), key));
    }
    int place = place(at, key);
    return place < 0 ? 0 : SortedNodes.entry(at, LeafPlaces.slot(nodes.places(at), place));
  }

  /** Returns the path to a key, for a change. */
  SortedPath locate(@Nullable Object key) {
    SortedPath path = new SortedPath();
    long at = root();
    while (isNode(at)) {
      checkLevel(at, path.depth());
      int child = childFor(node(at), key);
      path.add(node(at), child);
      at = nodes.childAt(node(at), child);
    }
    path.end(at, at == 0 ? -1 : place(at, key));
    return path;
  }

  // -- many

  /** Visits the entries of a range, in the order of the keys or in reverse. */
  void visit(SortedRange range, boolean ascending, EntryVisitor visitor) {
    long root = root();
    if (root != 0) {
      visit(root, 0, range.low(), range.high(), ascending, visitor);
    }
  }

  /**
   * Visits what is below one node; {@code low} and {@code high} are the ends of the range that are
   * below it.
   */
  private boolean visit(
      long at,
      int level,
      @Nullable Edge low,
      @Nullable Edge high,
      boolean ascending,
      EntryVisitor visitor) {
    if (!isNode(at)) {
      return visitLeaf(at, low, high, ascending, visitor);
    }
    checkLevel(at, level);
    long node = node(at);
    int first = low == null ? 0 : childFor(node, low.key());
    int last = high == null ? nodes.count(node) - 1 : childFor(node, high.key());
    int step = ascending ? 1 : -1;
    for (int i = ascending ? first : last; i >= first && i <= last; i += step) {
      Edge lowThere = i == first ? low : null;
      Edge highThere = i == last ? high : null;
      if (!visit(nodes.childAt(node, i), level + 1, lowThere, highThere, ascending, visitor)) {
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

  /**
   * Returns the first place whose key is at or behind a key; with {@code behind}, only behind it.
   */
  private int placeBehind(long leaf, @Nullable Object key, boolean behind) {
    int place = place(leaf, key);
    if (place < 0) {
      return -1 - place;
    }
    return behind ? place + 1 : place;
  }

  /** Returns the first entry of a range in a direction, or 0. */
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
