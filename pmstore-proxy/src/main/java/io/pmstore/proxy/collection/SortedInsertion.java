package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.SortedShapes.COUNTERS;
import static io.pmstore.proxy.collection.SortedShapes.FANOUT;
import static io.pmstore.proxy.collection.SortedShapes.LEAF_CAPACITY_MAX;
import static io.pmstore.proxy.collection.SortedShapes.LEAF_CAPACITY_MIN;
import static io.pmstore.proxy.collection.SortedShapes.NODE_BIT;
import static io.pmstore.proxy.collection.SortedShapes.ROOT;

import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.SortedNodes.Cell;
import org.jspecify.annotations.Nullable;

/** Inserts entries into the tree of a sorted collection, inside a transaction. */
final class SortedInsertion {
  private final CollectionSpace space;
  private final Heap heap;
  private final SortedTree tree;
  private final SortedNodes nodes;

  SortedInsertion(CollectionSpace space, SortedTree tree) {
    this.space = space;
    this.heap = space.heap();
    this.tree = tree;
    this.nodes = tree.nodes();
  }

  /**
   * The result of a split: the two neighbours that replace one, and the first key of the right one.
   */
  private record Split(long left, long right, Cell key) {}

  /** Inserts an entry for a key that is not there, at the end of the path to it. */
  void insert(SortedPath path, @Nullable Object key, @Nullable Object value) {
    long leaf = path.leaf();
    if (leaf == 0) {
      leaf = nodes.newLeaf(LEAF_CAPACITY_MIN);
      setRoot(leaf);
    } else if (path.depth() == 0 && isFull(leaf) && nodes.capacity(leaf) < LEAF_CAPACITY_MAX) {
      long larger = nodes.newLeaf(2 * nodes.capacity(leaf) + 1);
      nodes.moveEntries(leaf, 0, larger, false);
      leaf = larger;
      setRoot(leaf);
    }
    Split split = insertEntry(leaf, path.place(), key, value);
    for (int level = path.depth() - 1; split != null && level >= 0; level--) {
      split = insertChild(path.node(level), path.child(level), split);
    }
    if (path.depth() > 0) {
      count(heap, tree.address(), leaf, 1);
    }
    if (split != null) {
      growTaller(split, path.depth() == 0);
    }
  }

  private void setRoot(long reference) {
    heap.putLong(tree.address(), ROOT, reference);
  }

  private boolean isFull(long leaf) {
    return LeafPlaces.count(nodes.places(leaf)) == nodes.capacity(leaf);
  }

  /**
   * Adds to the size of a collection whose root is a node. The leaf chooses the counter, so that
   * changes far apart mostly add to different ones.
   */
  static void count(Heap heap, long collection, long leaf, long n) {
    long counters = heap.getLong(collection, COUNTERS);
    int stripe = (int) ((leaf * 0x9e37_79b9_7f4a_7c15L) >>> 61); // Fibonacci hashing to 3 bits
    heap.addToCounter(counters, CollectionShapes.counter(stripe), n);
  }

  private void growTaller(Split split, boolean wasLeaf) {
    long top = nodes.newNode();
    nodes.setChild(top, 0, split.left);
    nodes.setChild(top, 1, split.right);
    nodes.setKey(top, 1, split.key);
    nodes.setCount(top, 2);
    setRoot(top | NODE_BIT);
    if (wasLeaf) {
      long counters =
          heap.allocate(space.shapes().mapCounters(), CollectionShapes.MAP_COUNTER.size());
      heap.addToCounter(counters, CollectionShapes.counter(0), LEAF_CAPACITY_MAX + 1L);
      heap.putLong(tree.address(), COUNTERS, counters);
    }
  }

  private @Nullable Split insertEntry(
      long leaf, int place, @Nullable Object key, @Nullable Object value) {
    if (!isFull(leaf)) {
      nodes.insert(leaf, place, key, value);
      return null;
    }
    long other = nodes.newLeaf(LEAF_CAPACITY_MAX);
    if (place == LEAF_CAPACITY_MAX) {
      nodes.insert(other, 0, key, value);
      return new Split(leaf, other, nodes.firstKey(other));
    }
    if (place == 0) { // before all keys of the tree: nodes have copies of the first keys of others
      nodes.insert(other, 0, key, value);
      return new Split(other, leaf, nodes.firstKey(leaf));
    }
    int half = (LEAF_CAPACITY_MAX + 1) / 2;
    nodes.moveEntries(leaf, half, other, true);
    if (place <= half) {
      nodes.insert(leaf, place, key, value);
    } else {
      nodes.insert(other, place - half, key, value);
    }
    return new Split(leaf, other, nodes.firstKey(other));
  }

  /** Replaces a child by the two parts that it was split into. */
  private @Nullable Split insertChild(long node, int i, Split split) {
    if (nodes.childAt(node, i) != split.left) {
      nodes.setChild(node, i, split.left);
    }
    int count = nodes.count(node);
    if (count < FANOUT) {
      insertBehind(node, count, i, split);
      return null;
    }
    long right = nodes.newNode();
    if (i + 1 == count) {
      nodes.setChild(right, 0, split.right);
      nodes.setCount(right, 1);
      return new Split(node | NODE_BIT, right | NODE_BIT, split.key);
    }
    int half = count / 2;
    Cell middle = nodes.keyAt(node, half);
    nodes.setChild(right, 0, nodes.childAt(node, half));
    for (int j = half + 1; j < count; j++) {
      nodes.moveChild(node, j, right, j - half);
    }
    for (int j = half; j < count; j++) {
      nodes.clearChild(node, j);
    }
    nodes.setCount(node, half);
    nodes.setCount(right, count - half);
    if (i < half) {
      insertBehind(node, half, i, split);
    } else {
      insertBehind(right, count - half, i - half, split);
    }
    return new Split(node | NODE_BIT, right | NODE_BIT, middle);
  }

  private void insertBehind(long node, int count, int i, Split split) {
    for (int j = count; j > i + 1; j--) {
      nodes.moveChild(node, j - 1, node, j);
    }
    nodes.setChild(node, i + 1, split.right);
    nodes.setKey(node, i + 1, split.key);
    nodes.setCount(node, count + 1);
  }
}
