package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.SortedNodes.isNode;
import static io.pmstore.proxy.collection.SortedNodes.node;
import static io.pmstore.proxy.collection.SortedShapes.COUNTERS;
import static io.pmstore.proxy.collection.SortedShapes.FANOUT;
import static io.pmstore.proxy.collection.SortedShapes.LEAF_CAPACITY_MAX;
import static io.pmstore.proxy.collection.SortedShapes.ROOT;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Trail;
import io.pmstore.proxy.collection.SortedNodes.Cell;

/** Removes entries from the tree of a sorted collection, inside a transaction. */
final class SortedRemoval {
  private final Heap heap;
  private final SortedTree tree;
  private final SortedNodes nodes;

  SortedRemoval(CollectionSpace space, SortedTree tree) {
    this.heap = space.heap();
    this.tree = tree;
    this.nodes = tree.nodes();
  }

  /** Removes all entries. */
  void clear() {
    heap.putLong(tree.address(), ROOT, 0);
    if (heap.getLong(tree.address(), COUNTERS) != 0) {
      heap.putLong(tree.address(), COUNTERS, 0);
    }
  }

  /** Removes the entry at the end of a path. */
  void remove(SortedPath path) {
    long leaf = path.leaf();
    if (LeafPlaces.count(nodes.places(leaf)) == 1) {
      if (!cutOff(path)) {
        clear();
        return;
      }
    } else {
      nodes.remove(leaf, path.place());
      if (path.place() == 0) {
        setFirstKey(path, path.depth(), nodes.firstKey(leaf));
      }
    }
    for (int level = path.depth() - 1; level >= 0; level--) {
      merge(path.node(level), path.child(level));
    }
    if (path.depth() > 0 && !lower()) {
      SortedInsertion.count(heap, tree.address(), leaf, -1);
    }
  }

  /**
   * Cuts off a leaf that has one entry left, and the nodes above it that have no other child.
   *
   * @return false if nothing would be left
   */
  private boolean cutOff(SortedPath path) {
    int level = path.depth() - 1;
    while (level >= 0 && nodes.count(path.node(level)) == 1) {
      level--;
    }
    if (level < 0) {
      return false;
    }
    long node = path.node(level);
    int child = path.child(level);
    if (child == 0) {
      setFirstKey(path, level, nodes.keyAt(node, 1));
    }
    nodes.removeChild(node, child);
    return true;
  }

  /**
   * Writes the new first key below a level into the one node above that has a copy of the old one.
   */
  private void setFirstKey(SortedPath path, int level, Cell key) {
    for (int above = level - 1; above >= 0; above--) {
      if (path.child(above) > 0) {
        nodes.setKey(path.node(above), path.child(above), key);
        return;
      }
    }
  }

  /** Merges a child with a neighbour, if it has become small and both fit into one. */
  private void merge(long node, int child) {
    int count = nodes.count(node);
    if (child >= count || !isSmall(nodes.childAt(node, child))) {
      return;
    }
    if (child + 1 >= count || !mergeWithNext(node, child)) {
      if (child > 0) {
        mergeWithNext(node, child - 1);
      }
    }
  }

  private boolean isSmall(long reference) {
    return 4 * nodes.fill(reference) < capacity(reference);
  }

  private static int capacity(long reference) {
    return isNode(reference) ? FANOUT : LEAF_CAPACITY_MAX;
  }

  /**
   * Moves the contents of child i + 1 to the end of child i, if a quarter stays free there. Returns
   * true if it did.
   */
  private boolean mergeWithNext(long node, int i) {
    long left = nodes.childAt(node, i);
    long right = nodes.childAt(node, i + 1);
    int leftFill = nodes.fill(left);
    int rightFill = nodes.fill(right);
    if (leftFill + rightFill > capacity(left) * 3 / 4) {
      return false;
    }
    if (isNode(left)) {
      long target = node(left);
      long source = node(right);
      nodes.setChild(target, leftFill, nodes.childAt(source, 0));
      nodes.setKey(target, leftFill, nodes.keyAt(node, i + 1));
      for (int j = 1; j < rightFill; j++) {
        nodes.moveChild(source, j, target, leftFill + j);
      }
      nodes.setCount(target, leftFill + rightFill);
    } else {
      nodes.moveEntries(right, 0, left, false);
    }
    nodes.removeChild(node, i + 1);
    return true;
  }

  /**
   * Removes the root as long as it has only one child. Returns true if a leaf is the root now,
   * which counts its own entries.
   */
  private boolean lower() {
    long root = heap.getLong(tree.address(), ROOT);
    long lower = root;
    for (int level = 0; isNode(lower) && nodes.count(node(lower)) == 1; level++) {
      if (level > CollectionDamage.LEVELS_MAX) {
        throw Trail.circle(node(lower));
      }
      lower = nodes.childAt(node(lower), 0);
    }
    if (lower != root) {
      heap.putLong(tree.address(), ROOT, lower);
      if (!isNode(lower)) {
        heap.putLong(tree.address(), COUNTERS, 0);
      }
    }
    return !isNode(lower);
  }
}
