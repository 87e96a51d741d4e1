package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.ListLeaves.canHold;
import static io.pmstore.proxy.collection.ListLeaves.canHoldCell;
import static io.pmstore.proxy.collection.ListLeaves.isOfReferences;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MAX;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MIN;
import static io.pmstore.proxy.collection.ListShapes.LIST_FANOUT;
import static io.pmstore.proxy.collection.ListShapes.LIST_HEIGHT;
import static io.pmstore.proxy.collection.ListShapes.LIST_NODE_COUNT;
import static io.pmstore.proxy.collection.ListShapes.LIST_ROOT;
import static io.pmstore.proxy.collection.ListShapes.LIST_SIZE;
import static io.pmstore.proxy.collection.ListShapes.LIST_TAIL;
import static io.pmstore.proxy.collection.ListShapes.LIST_TAIL_START;
import static io.pmstore.proxy.collection.ListShapes.listChild;
import static io.pmstore.proxy.collection.ListShapes.listStart;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.tx.View;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a list in the heap: a B+ tree whose keys are positions.
 *
 * <p>A node stores, for each child but the first, the number of elements before it in the node. The
 * number of elements in the last child, in a leaf and in the whole tree is not stored in nodes; it
 * follows, on the way down, from the list's size. The list itself refers to its last leaf, the
 * <em>tail</em>, and has the number of elements before it. So an append reads and writes the list
 * and its tail only, whatever the height: one element and the size.
 *
 * <ul>
 *   <li>A leaf holds either references or cells ({@link ListLeaves}). A leaf of references that
 *       gets an element that is no reference is replaced by one of cells; the other leaves stay as
 *       they are. A leaf of cells keeps its form. The lowest bit of the reference to a leaf tells
 *       the form.
 *   <li>The reference to the tail is plain data. What keeps the tail is the reference of its
 *       parent.
 *   <li>A list of up to {@value ListShapes#LEAF_CAPACITY_MAX} elements is one leaf. A full one is
 *       replaced by a larger one. In a taller tree all leaves have the largest size.
 *   <li>A full leaf or node splits in half. If the new element or child comes last, the full one
 *       stays as it is and the new one starts the next: lists that only grow at their end are
 *       packed.
 *   <li>A leaf or node that falls below a quarter is merged with a neighbour under the same parent,
 *       if the two together leave a quarter free. An empty one is cut off. So the height is
 *       logarithmic in the size after any history.
 *   <li>Unused elements and children are zeros.
 * </ul>
 *
 * <p>The caller checks where to insert and remove. Methods that change the tree are called inside a
 * transaction, the others inside a transaction or a consistent read.
 */
final class ListTree {
  private static final int FEW = 8;
  private static final int MERGED_MAX = 24;

  /** Nodes are merged below a quarter, so no list comes near this height. */
  private static final int HEIGHT_MAX = 15;

  /** How many leaves are below a full node, by its height. */
  private static final long[] FANOUTS = new long[HEIGHT_MAX + 1];

  static {
    for (int height = 0; height <= HEIGHT_MAX; height++) {
      FANOUTS[height] = (long) Math.min(Integer.MAX_VALUE, Math.pow(LIST_FANOUT, height));
    }
  }

  private final Heap heap;
  private final CellCodec codec;
  private final ListLeaves leaves;
  private final ListShapes shapes;

  ListTree(CollectionSpace space) {
    heap = space.heap();
    codec = space.codec();
    leaves = new ListLeaves(space);
    shapes = space.shapes().lists();
  }

  // -- the fields of the list and of nodes

  int size(long list) {
    return size(list, heap.getInt(list, LIST_SIZE));
  }

  private static int size(long list, int size) {
    if (size < 0) {
      throw CollectionDamage.in("the object", list, "a size of " + size, "0 or more");
    }
    return size;
  }

  private int height(long list) {
    return height(list, heap.getInt(list, LIST_HEIGHT));
  }

  private static int height(long list, int height) {
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
    return childCount(heap.view(), node);
  }

  private int childCount(@Nullable View view, long node) {
    int count = heap.getInt(view, node, LIST_NODE_COUNT);
    if (count < 1 || count > LIST_FANOUT) {
      throw CollectionDamage.in("a node", node, count + " children", "1 to " + LIST_FANOUT);
    }
    return count;
  }

  private static StoreDamagedException noSuchElement(long leaf, int index) {
    return CollectionDamage.in(
        "a leaf",
        leaf,
        "to have an element " + index,
        "one of those it has room for: the sizes do not fit");
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
   * Returns the child that has the element at an index; behind the last element, the last child. No
   * child has more elements than a full one, so the search begins where the element is if all are
   * full.
   */
  private int childWith(@Nullable View view, long node, int height, int children, int index) {
    int low = Math.clamp(index / (LEAF_CAPACITY_MAX * FANOUTS[height - 1]), 0, children - 1);
    int high = children - 1;
    int middle = low + 1;
    while (low < high) {
      if (heap.getInt(view, node, listStart(middle)) <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
      middle = (low + high + 1) >>> 1;
    }
    return low;
  }

  private long newNode() {
    return heap.allocate(shapes.node(), ListShapes.LIST_NODE.size());
  }

  // -- reading and replacing

  /** Receives leaves one by one, in order. */
  interface LeafVisitor {
    /**
     * Receives adjacent elements of one leaf.
     *
     * @param first of the elements, as the leaf counts them
     * @param index of that element in the list
     * @param count of elements, at least 1
     * @return false to stop
     */
    boolean elements(long leaf, int first, int index, int count);
  }

  /** An element's leaf, what refers to the leaf, and the element's index in the leaf. */
  private record Place(long holder, int offset, long leaf, int index) {}

  /**
   * Returns the place of an element.
   *
   * @throws IndexOutOfBoundsException if the list has no such index
   */
  private Place place(long list, int index) {
    View view = heap.view();
    long sizes = heap.getLong(view, list, LIST_SIZE);
    Objects.checkIndex(index, size(list, (int) sizes));
    long holder = list;
    int offset = LIST_ROOT;
    int inChild = index;
    long at = heap.getLong(view, list, LIST_ROOT);
    for (int height = height(list, (int) (sizes >>> 32)); height > 0; height--) {
      int c = childWith(view, at, height, childCount(view, at), inChild);
      inChild -= c == 0 ? 0 : heap.getInt(view, at, listStart(c));
      holder = at;
      offset = listChild(c);
      at = heap.getLong(view, holder, offset);
    }
    if (inChild < 0 || inChild >= LEAF_CAPACITY_MAX) {
      throw noSuchElement(at, inChild);
    }
    return new Place(holder, offset, at, inChild);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if the list has no such index
   */
  @Nullable Object get(long list, int index) {
    Place place = place(list, index);
    return leaves.read(place.leaf, place.index);
  }

  /**
   * Replaces an element. Returns the old one.
   *
   * @throws IndexOutOfBoundsException if the list has no such index; nothing is changed
   */
  @Nullable Object set(long list, int index, @Nullable Object value) {
    Place place = place(list, index);
    Object old = leaves.read(place.leaf, place.index);
    long reference = codec.referenceTo(value);
    long leaf = canHold(place.leaf, reference) ? place.leaf : replaceByCells(list, place);
    leaves.write(leaf, place.index, value, reference);
    return old;
  }

  private long replaceByCells(long list, Place place) {
    long cells = leaves.toCells(place.leaf);
    heap.putLong(place.holder, place.offset, cells);
    if (heap.getLong(list, LIST_TAIL) == place.leaf) {
      heap.putLong(list, LIST_TAIL, cells);
    }
    return cells;
  }

  /** Returns true if an element of a leaf equals a value. */
  boolean isEqual(long leaf, int index, @Nullable Object value) {
    return leaves.isEqual(leaf, index, value);
  }

  /** Returns an element of a leaf. */
  @Nullable Object read(long leaf, int index) {
    return leaves.read(leaf, index);
  }

  /** Replaces the elements from an index on. */
  void setAll(long list, int from, List<?> values) {
    visit(
        list,
        from,
        from + values.size(),
        (leaf, first, index, count) -> {
          boolean holds = true; // false once the leaf was replaced
          for (int i = 0; i < count; i++) {
            Object value = values.get(index - from + i);
            long reference = codec.referenceTo(value);
            holds = holds && canHold(leaf, reference);
            if (holds) {
              leaves.write(leaf, first + i, value, reference);
            } else {
              set(list, index + i, value);
            }
          }
          return true;
        });
  }

  /** Visits the elements from one index, inclusive, to another, exclusive. */
  boolean visit(long list, int from, int to, LeafVisitor visitor) {
    return from >= to || visit(root(list), height(list), size(list), 0, from, to, visitor);
  }

  private boolean visit(
      long at, int height, int elements, int before, int from, int to, LeafVisitor visitor) {
    int first = Math.max(0, from - before);
    int end = Math.min(elements, to - before);
    if (first >= end || (height == 0 && end > LEAF_CAPACITY_MIN && end > leaves.capacity(at))) {
      throw noSuchElement(at, end - 1);
    }
    if (height == 0) {
      return visitor.elements(at, first, before + first, end - first);
    }
    int children = childCount(at);
    for (int c = childWith(heap.view(), at, height, children, first); c < children; c++) {
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

  /**
   * An element to be inserted.
   *
   * @param reference what {@link CellCodec#referenceTo} returned for it
   */
  private record Element(@Nullable Object value, long reference) {}

  void clear(long list) {
    setRoot(list, 0, 0);
    heap.putInt(list, LIST_SIZE, 0);
    setTail(list, 0, 0);
  }

  private void setTail(long list, long tail, int start) {
    if (heap.getLong(list, LIST_TAIL) != tail) {
      heap.putLong(list, LIST_TAIL, tail);
    }
    if (heap.getInt(list, LIST_TAIL_START) != start) {
      heap.putInt(list, LIST_TAIL_START, start);
    }
  }

  /** Finds the tail after a change of the tree. */
  private void findTail(long list) {
    long at = root(list);
    int elements = size(list);
    int before = 0;
    for (int height = height(list); height > 0; height--) {
      int children = childCount(at);
      before += start(at, children - 1, children, elements);
      at = child(at, children - 1);
    }
    setTail(list, at, before);
  }

  /** Inserts an element behind the last one. */
  void append(long list, @Nullable Object value) {
    int size = size(list);
    insert(list, size, size, value);
  }

  /** Inserts an element at an index, or behind the last element. */
  void insert(long list, int index, @Nullable Object value) {
    insert(list, size(list), index, value);
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
    int height = height(list);
    long root = root(list);
    if (root == 0) {
      root = leaves.create(LEAF_CAPACITY_MIN, reference != CellCodec.NO_REFERENCE);
      setRoot(list, root, 0);
    } else if (height == 0 && size < LEAF_CAPACITY_MAX && size == leaves.capacity(root)) {
      long larger = leaves.create(2 * size + 1, isOfReferences(root) && canHold(root, reference));
      for (int i = 0; i < size; i++) {
        leaves.move(root, i, larger, i);
      }
      root = larger;
      setRoot(list, root, 0);
    }
    Split split = insert(list, LIST_ROOT, height, size, index, element);
    if (split != null) {
      long top = newNode();
      heap.putInt(top, LIST_NODE_COUNT, 2);
      setChild(top, 0, root(list), 0);
      setChild(top, 1, split.right, split.leftElements);
      setRoot(list, top, height + 1);
    }
    heap.putInt(list, LIST_SIZE, size + 1);
    findTail(list);
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
      throw noSuchElement(tail, index - 1);
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
    int children = childCount(at);
    int c = childWith(heap.view(), at, height, children, index);
    int start = start(at, c, children, elements);
    int inChild = start(at, c + 1, children, elements) - start;
    Split split = insert(at, listChild(c), height - 1, inChild, index - start, element);
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
    findTail(list);
  }

  private void remove(long at, int height, int elements, int index) {
    if (height == 0) {
      for (int i = index + 1; i < elements; i++) {
        leaves.move(at, i, at, i - 1);
      }
      leaves.clear(at, elements - 1);
      return;
    }
    int children = childCount(at);
    int c = childWith(heap.view(), at, height, children, index);
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

  /** Returns the number of elements or children in use. */
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
    if (height == 1 && isOfReferences(left) && !isOfReferences(right)) {
      left = leaves.toCells(left);
      heap.putLong(node, listChild(c), left);
    }
    for (int i = 0; i < rightFill; i++) {
      if (height == 1) {
        leaves.move(right, i, left, leftFill + i);
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

  /**
   * An element, and the two words of its cell; a reference is shown as the cell that it would be.
   */
  record Cell(@Nullable Object value, long first, long second) {}

  /** Appends the elements of a range to {@code cells}. */
  void readCells(long list, int from, int to, List<Cell> cells) {
    visit(
        list,
        from,
        to,
        (leaf, first, index, count) -> {
          for (int i = first; i < first + count; i++) {
            cells.add(
                new Cell(leaves.read(leaf, i), leaves.first(leaf, i), leaves.second(leaf, i)));
          }
          return true;
        });
  }

  /** Writes elements of the same list to a range. Skips those that are already there. */
  void writeCells(long list, int from, List<Cell> cells) {
    visit(
        list,
        from,
        from + cells.size(),
        (leaf, first, index, count) -> {
          long at = leaf;
          for (int i = 0; i < count; i++) {
            Cell cell = cells.get(index - from + i);
            if (!canHoldCell(at, cell.first)) {
              at = replaceByCells(list, place(list, index + i));
            }
            leaves.put(at, first + i, cell.first, cell.second);
          }
          return true;
        });
  }
}
