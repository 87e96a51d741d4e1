package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.ListLeaves.isOfReferences;
import static io.pmstore.proxy.collection.ListShapes.LIST_NODE_COUNT;
import static io.pmstore.proxy.collection.ListShapes.LIST_SIZE;
import static io.pmstore.proxy.collection.ListShapes.listChild;

import io.pmstore.core.heap.Heap;

/** Removes from the tree of a list ({@link ListTree}). Runs inside a transaction. */
final class ListRemoval {
  private static final int FEW = 8;
  private static final int MERGED_MAX = 24;

  private final Heap heap;
  private final ListNodes nodes;
  private final ListLeaves leaves;

  ListRemoval(CollectionSpace space, ListNodes nodes, ListLeaves leaves) {
    this.heap = space.heap();
    this.nodes = nodes;
    this.leaves = leaves;
  }

  void remove(long list, int index) {
    int size = nodes.size(list);
    if (size == 1) {
      nodes.clear(list);
      return;
    }
    int height = nodes.height(list);
    long root = nodes.root(list);
    remove(root, height, size, index);
    int lower = height;
    while (lower > 0 && nodes.childCount(root) == 1) {
      root = nodes.child(root, 0);
      lower--;
    }
    if (lower < height) {
      nodes.setRoot(list, root, lower);
    }
    heap.putInt(list, LIST_SIZE, size - 1);
    nodes.findTail(list);
  }

  private void remove(long at, int height, int elements, int index) {
    if (height == 0) {
      for (int i = index + 1; i < elements; i++) {
        leaves.move(at, i, at, i - 1);
      }
      leaves.clear(at, elements - 1);
      return;
    }
    int children = nodes.childCount(at);
    int c = nodes.childWith(heap.view(), at, height, children, index);
    int start = nodes.start(at, c, children, elements);
    int inChild = nodes.start(at, c + 1, children, elements) - start;
    if (inChild == 1) {
      nodes.removeChild(at, children, elements, c);
      nodes.addToStarts(at, Math.max(1, c), children - 1, -1);
      return;
    }
    remove(nodes.child(at, c), height - 1, inChild, index - start);
    nodes.addToStarts(at, c + 1, children, -1);
    if (nodes.fill(nodes.child(at, c), height - 1, inChild - 1) < FEW
        && !mergeWithNext(at, height, children, elements - 1, c)) {
      mergeWithNext(at, height, children, elements - 1, c - 1);
    }
  }

  /**
   * Moves the contents of child c + 1 to the end of child c, if both exist and fit. Returns true if
   * it did.
   */
  private boolean mergeWithNext(long node, int height, int children, int elements, int c) {
    if (c < 0 || c + 1 >= children) {
      return false;
    }
    long left = nodes.child(node, c);
    long right = nodes.child(node, c + 1);
    int start = nodes.start(node, c + 1, children, elements);
    int leftElements = start - nodes.start(node, c, children, elements);
    int rightElements = nodes.start(node, c + 2, children, elements) - start;
    int leftFill = nodes.fill(left, height - 1, leftElements);
    int rightFill = nodes.fill(right, height - 1, rightElements);
    if (leftFill + rightFill > MERGED_MAX) {
      return false;
    }
    if (height == 1 && isOfReferences(left) && !isOfReferences(right)) {
      left = leaves.toCells(left);
      heap.putLong(node, listChild(c), left);
    }
    for (int i = 0; i < rightFill; i++) {
      if (height == 1) {
        leaves.move(right, i, left, leftFill + i);
      } else {
        nodes.setChild(
            left,
            leftFill + i,
            nodes.child(right, i),
            leftElements + nodes.start(right, i, rightFill, rightElements));
      }
    }
    if (height > 1) {
      heap.putInt(left, LIST_NODE_COUNT, leftFill + rightFill);
    }
    nodes.removeChild(node, children, elements, c + 1);
    return true;
  }
}
