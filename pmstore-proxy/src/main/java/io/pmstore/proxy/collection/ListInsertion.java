package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.ListLeaves.canHold;
import static io.pmstore.proxy.collection.ListLeaves.isOfReferences;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MAX;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MIN;
import static io.pmstore.proxy.collection.ListShapes.LIST_FANOUT;
import static io.pmstore.proxy.collection.ListShapes.LIST_NODE_COUNT;
import static io.pmstore.proxy.collection.ListShapes.LIST_ROOT;
import static io.pmstore.proxy.collection.ListShapes.LIST_SIZE;
import static io.pmstore.proxy.collection.ListShapes.LIST_TAIL;
import static io.pmstore.proxy.collection.ListShapes.LIST_TAIL_START;
import static io.pmstore.proxy.collection.ListShapes.listChild;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.tx.View;
import org.jspecify.annotations.Nullable;

/** Inserts into the tree of a list ({@link ListTree}). Runs inside a transaction. */
final class ListInsertion {
  private final Heap heap;
  private final CellCodec codec;
  private final ListNodes nodes;
  private final ListLeaves leaves;

  ListInsertion(CollectionSpace space, ListNodes nodes, ListLeaves leaves) {
    this.heap = space.heap();
    this.codec = space.codec();
    this.nodes = nodes;
    this.leaves = leaves;
  }

  /**
   * The result of a split: the new right neighbour, and the number of elements that stayed on the
   * left.
   */
  private record Split(long right, int leftElements) {}

  /**
   * An element to be inserted.
   *
   * @param reference what {@link CellCodec#referenceTo} returned for it
   */
  private record Element(@Nullable Object value, long reference) {}

  /** Inserts an element behind the last one. */
  void append(long list, @Nullable Object value) {
    int size = nodes.size(list);
    insert(list, size, size, value);
  }

  /** Inserts an element at an index, or behind the last element. */
  void insert(long list, int index, @Nullable Object value) {
    insert(list, nodes.size(list), index, value);
  }

  private void insert(long list, int size, int index, @Nullable Object value) {
    if (size == Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "the list has " + size + " elements, the most that it can have; go on in another list");
    }
    long reference = codec.referenceTo(value);
    if (index == size && index > 0 && append(list, size, value, reference)) {
      return;
    }
    Element element = new Element(value, reference);
    int height = nodes.height(list);
    long root = nodes.root(list);
    if (root == 0) {
      root = leaves.create(LEAF_CAPACITY_MIN, reference != CellCodec.NO_REFERENCE);
      nodes.setRoot(list, root, 0);
    } else if (height == 0 && size < LEAF_CAPACITY_MAX && size == leaves.capacity(root)) {
      long larger = leaves.create(2 * size + 1, isOfReferences(root) && canHold(root, reference));
      for (int i = 0; i < size; i++) {
        leaves.move(root, i, larger, i);
      }
      root = larger;
      nodes.setRoot(list, root, 0);
    }
    Split split = insert(list, LIST_ROOT, height, size, index, element);
    if (split != null) {
      long top = nodes.newNode();
      heap.putInt(top, LIST_NODE_COUNT, 2);
      nodes.setChild(top, 0, nodes.root(list), 0);
      nodes.setChild(top, 1, split.right, split.leftElements);
      nodes.setRoot(list, top, height + 1);
    }
    heap.putInt(list, LIST_SIZE, size + 1);
    nodes.findTail(list);
  }

  /** Adds an element to the tail. Returns false if it is full, or has to change its form. */
  private boolean append(long list, int size, @Nullable Object value, long reference) {
    View view = heap.view();
    long tail = heap.getLong(view, list, LIST_TAIL);
    int index = size - heap.getInt(view, list, LIST_TAIL_START);
    if (!canHold(tail, reference) || index == LEAF_CAPACITY_MAX) {
      return false;
    }
    int capacity = leaves.capacity(tail); // also: never write into something else
    if (index <= 0 || index > capacity) {
      throw ListNodes.noSuchElement(tail, index - 1);
    }
    if (index == capacity) {
      return false;
    }
    leaves.write(tail, index, value, reference);
    heap.putInt(list, LIST_SIZE, size + 1);
    return true;
  }

  /** Inserts below the node or leaf that a reference leads to. */
  private @Nullable Split insert(
      long holder, int offset, int height, int elements, int index, Element element) {
    long at = heap.getLong(holder, offset);
    if (height == 0) {
      return insertIntoLeaf(holder, offset, at, elements, index, element);
    }
    int children = nodes.childCount(at);
    int c = nodes.childWith(heap.view(), at, height, children, index);
    int start = nodes.start(at, c, children, elements);
    int inChild = nodes.start(at, c + 1, children, elements) - start;
    Split split = insert(at, listChild(c), height - 1, inChild, index - start, element);
    nodes.addToStarts(at, c + 1, children, 1);
    return split == null
        ? null
        : insertChild(at, children, elements + 1, c + 1, split.right, start + split.leftElements);
  }

  private @Nullable Split insertIntoLeaf(
      long holder, int offset, long leaf, int elements, int index, Element element) {
    if (elements < LEAF_CAPACITY_MAX) {
      insertInto(inForm(holder, offset, leaf, element), elements, index, element);
      return null;
    }
    boolean isReference = canHold(ListShapes.REFERENCES_BIT, element.reference);
    if (index == elements) {
      long right = leaves.create(LEAF_CAPACITY_MAX, isReference);
      leaves.write(right, 0, element.value, element.reference);
      return new Split(right, elements);
    }
    int half = elements / 2;
    boolean goesLeft = index <= half;
    long right =
        leaves.create(LEAF_CAPACITY_MAX, isOfReferences(leaf) && (goesLeft || isReference));
    for (int i = half; i < elements; i++) {
      leaves.move(leaf, i, right, i - half);
      leaves.clear(leaf, i);
    }
    if (goesLeft) {
      insertInto(inForm(holder, offset, leaf, element), half, index, element);
      return new Split(right, half + 1);
    }
    insertInto(right, elements - half, index - half, element);
    return new Split(right, half);
  }

  /** Returns a leaf if it can hold an element, or the leaf of cells that takes its place. */
  private long inForm(long holder, int offset, long leaf, Element element) {
    if (canHold(leaf, element.reference)) {
      return leaf;
    }
    long cells = leaves.toCells(leaf);
    heap.putLong(holder, offset, cells);
    return cells;
  }

  private void insertInto(long leaf, int elements, int index, Element element) {
    for (int i = elements; i > index; i--) {
      leaves.move(leaf, i - 1, leaf, i);
    }
    leaves.write(leaf, index, element.value, element.reference);
  }

  /** Adds a child at an index; {@code elements} includes those of the new child. */
  private @Nullable Split insertChild(
      long node, int children, int elements, int index, long child, int start) {
    if (children < LIST_FANOUT) {
      for (int i = children; i > index; i--) {
        nodes.setChild(
            node, i, nodes.child(node, i - 1), nodes.start(node, i - 1, children, elements));
      }
      nodes.setChild(node, index, child, start);
      heap.putInt(node, LIST_NODE_COUNT, children + 1);
      return null;
    }
    long right = nodes.newNode();
    if (index == children) {
      nodes.setChild(right, 0, child, 0);
      heap.putInt(right, LIST_NODE_COUNT, 1);
      return new Split(right, start);
    }
    int half = children / 2;
    int leftElements = nodes.start(node, half, children, elements);
    for (int i = half; i < children; i++) {
      nodes.setChild(
          right,
          i - half,
          nodes.child(node, i),
          nodes.start(node, i, children, elements) - leftElements);
      nodes.clearChild(node, i);
    }
    heap.putInt(node, LIST_NODE_COUNT, half);
    heap.putInt(right, LIST_NODE_COUNT, children - half);
    if (index <= half) {
      insertChild(node, half, leftElements, index, child, start);
      return new Split(right, leftElements);
    }
    insertChild(
        right, children - half, elements - leftElements, index - half, child, start - leftElements);
    return new Split(right, leftElements);
  }
}
