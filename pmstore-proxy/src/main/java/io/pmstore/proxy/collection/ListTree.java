package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CellCodec.CELL_SIZE;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MAX;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MIN;
import static io.pmstore.proxy.collection.ListShapes.LIST_FANOUT;
import static io.pmstore.proxy.collection.ListShapes.LIST_HEIGHT;
import static io.pmstore.proxy.collection.ListShapes.LIST_NODE_COUNT;
import static io.pmstore.proxy.collection.ListShapes.LIST_ROOT;
import static io.pmstore.proxy.collection.ListShapes.LIST_SIZE;
import static io.pmstore.proxy.collection.ListShapes.leafCapacity;
import static io.pmstore.proxy.collection.ListShapes.leafCell;
import static io.pmstore.proxy.collection.ListShapes.leafSize;
import static io.pmstore.proxy.collection.ListShapes.listChild;
import static io.pmstore.proxy.collection.ListShapes.listStart;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Heap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a list in the heap: a B+ tree whose keys are positions.
 *
 * <p>A node stores, for each child but the first, the number of elements before it in the node. The
 * number of elements in the last child, in a leaf and in the whole tree is not stored in nodes; it
 * follows, on the way down, from the list's size. So an append writes one cell and the size,
 * whatever the height.
 *
 * <ul>
 *   <li>A list of up to {@value ListShapes#LEAF_CAPACITY_MAX} elements is one leaf. A full one is
 *       replaced by one twice as large. In a taller tree all leaves have the largest size.
 *   <li>A full leaf or node splits in half. If the new element or child comes last, the full one
 *       stays as it is and the new one starts the next: lists that only grow at their end are
 *       packed.
 *   <li>A leaf or node that falls below a quarter is merged with a neighbour under the same parent,
 *       if the two together leave a quarter free. An empty one is cut off. So the height is
 *       logarithmic in the size after any history.
 *   <li>Unused cells and children are zeros.
 * </ul>
 *
 * <p>The caller checks indexes. Methods that change the tree are called inside a transaction, the
 * others inside a transaction or a consistent read.
 */
final class ListTree {
  private static final int FEW = 8;
  private static final int MERGED_MAX = 24;

  /** Nodes are merged below a quarter, so no list comes near this height. */
  private static final int HEIGHT_MAX = 15;

  private final Heap heap;
  private final CellCodec codec;
  private final ListShapes shapes;

  ListTree(CollectionSpace space) {
    heap = space.heap();
    codec = space.codec();
    shapes = space.shapes().lists();
  }

  // -- the fields of the list and of nodes

  int size(long list) {
    int size = heap.getInt(list, LIST_SIZE);
    if (size < 0) {
      throw CollectionDamage.in("the object", list, "a size of " + size, "0 or more");
    }
    return size;
  }

  private int height(long list) {
    int height = heap.getInt(list, LIST_HEIGHT);
    if (height < 0 || height > HEIGHT_MAX) {
      throw CollectionDamage.in("the object", list, "a height of " + height, "0 to " + HEIGHT_MAX);
    }
    return height;
  }

  private long root(long list) {
    return heap.getLong(list, LIST_ROOT);
  }

  private void setRoot(long list, long root, int height) {
    heap.putLong(list, LIST_ROOT, root);
    heap.putInt(list, LIST_HEIGHT, height);
  }

  private int childCount(long node) {
    int count = heap.getInt(node, LIST_NODE_COUNT);
    if (count < 1 || count > LIST_FANOUT) {
      throw CollectionDamage.in("a node", node, count + " children", "1 to " + LIST_FANOUT);
    }
    return count;
  }

  /** Returns the number of cells of a leaf. */
  private int capacity(long leaf) {
    int size = heap.size(leaf);
    int capacity = leafCapacity(size);
    if (leafSize(capacity) != size
        || Integer.bitCount(capacity) != 1
        || capacity < LEAF_CAPACITY_MIN
        || capacity > LEAF_CAPACITY_MAX) {
      throw CollectionDamage.in("a leaf", leaf, size + " bytes", "those of 4, 8, 16 or 32 cells");
    }
    return capacity;
  }

  private static StoreDamagedException noSuchElement(long leaf, int index) {
    return CollectionDamage.in(
        "a leaf", leaf, "to have an element " + index, "one of its cells: the sizes do not fit");
  }

  private long child(long node, int i) {
    return heap.getLong(node, listChild(i));
  }

  /**
   * Returns the number of a node's elements before its child {@code i}; for {@code i == children},
   * all of them.
   */
  private int start(long node, int i, int children, int elements) {
    return i == 0 ? 0 : i == children ? elements : heap.getInt(node, listStart(i));
  }

  private void setChild(long node, int i, long child, int start) {
    heap.putLong(node, listChild(i), child);
    if (i > 0) {
      heap.putInt(node, listStart(i), start);
    }
  }

  private void clearChild(long node, int i) {
    setChild(node, i, 0, 0);
  }

  /**
   * Returns the child that has the element at an index; behind the last element, the last child.
   */
  private int childWith(long node, int children, int index) {
    int low = 0;
    int high = children - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (heap.getInt(node, listStart(middle)) <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void moveCell(long from, int i, long to, int j) {
    heap.putLong(to, leafCell(j), heap.getLong(from, leafCell(i)));
    heap.putLong(to, leafCell(j) + 8, heap.getLong(from, leafCell(i) + 8));
  }

  private void clearCell(long leaf, int i) {
    heap.putLong(leaf, leafCell(i), 0);
    heap.putLong(leaf, leafCell(i) + 8, 0);
  }

  private long newLeaf(int capacity) {
    return heap.allocate(shapes.leafOf(capacity), leafSize(capacity));
  }

  private long newNode() {
    return heap.allocate(shapes.node(), ListShapes.LIST_NODE.size());
  }

  // -- reading and replacing

  /** Receives leaves one by one, in order. */
  interface LeafVisitor {
    /**
     * Receives adjacent cells of one leaf.
     *
     * @param offset of the first cell
     * @param index of the element in that cell
     * @param count of cells, at least 1
     * @return false to stop
     */
    boolean cells(long leaf, int offset, int index, int count);
  }

  @Nullable Object get(long list, int index) {
    long at = root(list);
    for (int height = height(list); height > 0; height--) {
      int c = childWith(at, childCount(at), index);
      index -= start(at, c, -1, 0);
      at = child(at, c);
    }
    if (index < 0 || index >= LEAF_CAPACITY_MAX) {
      throw noSuchElement(at, index);
    }
    return codec.readCell(at, leafCell(index));
  }

  /** Replaces an element. Returns the old one. */
  @Nullable Object set(long list, int index, @Nullable Object value) {
    @Nullable Object[] old = new @Nullable Object[1];
    visit(
        list,
        index,
        index + 1,
        (leaf, offset, first, count) -> {
          old[0] = codec.readCell(leaf, offset);
          codec.writeCell(leaf, offset, value);
          return true;
        });
    return old[0];
  }

  /** Visits the elements from one index, inclusive, to another, exclusive. */
  boolean visit(long list, int from, int to, LeafVisitor visitor) {
    return from >= to || visit(root(list), height(list), size(list), 0, from, to, visitor);
  }

  private boolean visit(
      long at, int height, int elements, int before, int from, int to, LeafVisitor visitor) {
    int first = Math.max(0, from - before);
    int end = Math.min(elements, to - before);
    if (first >= end || (height == 0 && end > LEAF_CAPACITY_MIN && end > capacity(at))) {
      throw noSuchElement(at, end - 1);
    }
    if (height == 0) {
      return visitor.cells(at, leafCell(first), before + first, end - first);
    }
    int children = childCount(at);
    for (int c = childWith(at, children, first); c < children; c++) {
      int start = start(at, c, children, elements);
      if (start >= end) {
        return true;
      }
      int inChild = start(at, c + 1, children, elements) - start;
      if (!visit(child(at, c), height - 1, inChild, before + start, from, to, visitor)) {
        return false;
      }
    }
    return true;
  }

  // -- adding

  /**
   * The result of a split: the new right neighbour, and the number of elements that stayed on the
   * left.
   */
  private record Split(long right, int leftElements) {}

  void clear(long list) {
    setRoot(list, 0, 0);
    heap.putInt(list, LIST_SIZE, 0);
  }

  /** Inserts an element at an index, or behind the last element. */
  void insert(long list, int index, @Nullable Object value) {
    int size = size(list);
    if (size == Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "the list has " + size + " elements, the most that it can have; go on in another list");
    }
    int height = height(list);
    long root = root(list);
    if (root == 0) {
      root = newLeaf(LEAF_CAPACITY_MIN);
      setRoot(list, root, 0);
    } else if (height == 0 && size < LEAF_CAPACITY_MAX && size == capacity(root)) {
      long larger = newLeaf(size * 2);
      for (int i = 0; i < size; i++) {
        moveCell(root, i, larger, i);
      }
      root = larger;
      setRoot(list, root, 0);
    }
    Split split = insert(root, height, size, index, value);
    if (split != null) {
      long top = newNode();
      heap.putInt(top, LIST_NODE_COUNT, 2);
      setChild(top, 0, root, 0);
      setChild(top, 1, split.right, split.leftElements);
      setRoot(list, top, height + 1);
    }
    heap.putInt(list, LIST_SIZE, size + 1);
  }

  private @Nullable Split insert(
      long at, int height, int elements, int index, @Nullable Object value) {
    if (height == 0) {
      return insertCell(at, elements, index, value);
    }
    int children = childCount(at);
    int c = childWith(at, children, index);
    int start = start(at, c, children, elements);
    int inChild = start(at, c + 1, children, elements) - start;
    Split split = insert(child(at, c), height - 1, inChild, index - start, value);
    addToStarts(at, c + 1, children, 1);
    return split == null
        ? null
        : insertChild(at, children, elements + 1, c + 1, split.right, start + split.leftElements);
  }

  private void addToStarts(long node, int from, int children, int n) {
    for (int i = from; i < children; i++) {
      heap.putInt(node, listStart(i), heap.getInt(node, listStart(i)) + n);
    }
  }

  private @Nullable Split insertCell(long leaf, int elements, int index, @Nullable Object value) {
    if (elements < LEAF_CAPACITY_MAX) {
      for (int i = elements; i > index; i--) {
        moveCell(leaf, i - 1, leaf, i);
      }
      if (index < elements) {
        // Its element was moved: the codec must not take it for a replaced one.
        clearCell(leaf, index);
      }
      codec.writeCell(leaf, leafCell(index), value);
      return null;
    }
    long right = newLeaf(LEAF_CAPACITY_MAX);
    if (index == elements) {
      codec.writeCell(right, leafCell(0), value);
      return new Split(right, elements);
    }
    int half = elements / 2;
    for (int i = half; i < elements; i++) {
      moveCell(leaf, i, right, i - half);
      clearCell(leaf, i);
    }
    if (index <= half) {
      insertCell(leaf, half, index, value);
      return new Split(right, half + 1);
    }
    insertCell(right, elements - half, index - half, value);
    return new Split(right, half);
  }

  /** Adds a child at an index; {@code elements} includes those of the new child. */
  private @Nullable Split insertChild(
      long node, int children, int elements, int index, long child, int start) {
    if (children < LIST_FANOUT) {
      for (int i = children; i > index; i--) {
        setChild(node, i, child(node, i - 1), start(node, i - 1, children, elements));
      }
      setChild(node, index, child, start);
      heap.putInt(node, LIST_NODE_COUNT, children + 1);
      return null;
    }
    long right = newNode();
    if (index == children) {
      setChild(right, 0, child, 0);
      heap.putInt(right, LIST_NODE_COUNT, 1);
      return new Split(right, start);
    }
    int half = children / 2;
    int leftElements = start(node, half, children, elements);
    for (int i = half; i < children; i++) {
      setChild(right, i - half, child(node, i), start(node, i, children, elements) - leftElements);
      clearChild(node, i);
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

  // -- removing

  void remove(long list, int index) {
    int size = size(list);
    if (size == 1) {
      clear(list);
      return;
    }
    int height = height(list);
    long root = root(list);
    remove(root, height, size, index);
    int lower = height;
    while (lower > 0 && childCount(root) == 1) {
      root = child(root, 0);
      lower--;
    }
    if (lower < height) {
      setRoot(list, root, lower);
    }
    heap.putInt(list, LIST_SIZE, size - 1);
  }

  private void remove(long at, int height, int elements, int index) {
    if (height == 0) {
      for (int i = index + 1; i < elements; i++) {
        moveCell(at, i, at, i - 1);
      }
      clearCell(at, elements - 1);
      return;
    }
    int children = childCount(at);
    int c = childWith(at, children, index);
    int start = start(at, c, children, elements);
    int inChild = start(at, c + 1, children, elements) - start;
    if (inChild == 1) {
      removeChild(at, children, elements, c);
      addToStarts(at, Math.max(1, c), children - 1, -1);
      return;
    }
    remove(child(at, c), height - 1, inChild, index - start);
    addToStarts(at, c + 1, children, -1);
    if (fill(child(at, c), height - 1, inChild - 1) < FEW
        && !mergeWithNext(at, height, children, elements - 1, c)) {
      mergeWithNext(at, height, children, elements - 1, c - 1);
    }
  }

  private void removeChild(long node, int children, int elements, int index) {
    for (int i = index + 1; i < children; i++) {
      setChild(node, i - 1, child(node, i), start(node, i, children, elements));
    }
    clearChild(node, children - 1);
    heap.putInt(node, LIST_NODE_COUNT, children - 1);
  }

  /** Returns the number of cells or children in use. */
  private int fill(long at, int height, int elements) {
    return height == 0 ? elements : childCount(at);
  }

  /**
   * Moves the contents of child c + 1 to the end of child c, if both exist and fit. Returns true if
   * it did.
   */
  private boolean mergeWithNext(long node, int height, int children, int elements, int c) {
    if (c < 0 || c + 1 >= children) {
      return false;
    }
    long left = child(node, c);
    long right = child(node, c + 1);
    int start = start(node, c + 1, children, elements);
    int leftElements = start - start(node, c, children, elements);
    int rightElements = start(node, c + 2, children, elements) - start;
    int leftFill = fill(left, height - 1, leftElements);
    int rightFill = fill(right, height - 1, rightElements);
    if (leftFill + rightFill > MERGED_MAX) {
      return false;
    }
    for (int i = 0; i < rightFill; i++) {
      if (height == 1) {
        moveCell(right, i, left, leftFill + i);
      } else {
        setChild(
            left,
            leftFill + i,
            child(right, i),
            leftElements + start(right, i, rightFill, rightElements));
      }
    }
    if (height > 1) {
      heap.putInt(left, LIST_NODE_COUNT, leftFill + rightFill);
    }
    removeChild(node, children, elements, c + 1);
    return true;
  }

  // -- sorting

  /** An element and its cell as it is in the heap. */
  record Cell(@Nullable Object value, long first, long second) {}

  /** Appends the cells of a range to {@code cells}. */
  void readCells(long list, int from, int to, List<Cell> cells) {
    visit(
        list,
        from,
        to,
        (leaf, offset, index, count) -> {
          for (int at = offset; at < offset + count * CELL_SIZE; at += CELL_SIZE) {
            cells.add(
                new Cell(
                    codec.readCell(leaf, at), heap.getLong(leaf, at), heap.getLong(leaf, at + 8)));
          }
          return true;
        });
  }

  /** Writes cells of the same list to a range. Skips cells that are already there. */
  void writeCells(long list, int from, List<Cell> cells) {
    visit(
        list,
        from,
        from + cells.size(),
        (leaf, offset, index, count) -> {
          for (int i = 0; i < count; i++) {
            Cell cell = cells.get(index - from + i);
            int at = offset + i * CELL_SIZE;
            if (heap.getLong(leaf, at) != cell.first || heap.getLong(leaf, at + 8) != cell.second) {
              heap.putLong(leaf, at, cell.first);
              heap.putLong(leaf, at + 8, cell.second);
            }
          }
          return true;
        });
  }
}
