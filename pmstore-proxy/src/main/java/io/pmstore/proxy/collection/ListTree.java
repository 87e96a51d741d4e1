package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.ListLeaves.canHold;
import static io.pmstore.proxy.collection.ListLeaves.canHoldCell;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MAX;
import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MIN;
import static io.pmstore.proxy.collection.ListShapes.LIST_ROOT;
import static io.pmstore.proxy.collection.ListShapes.LIST_SIZE;
import static io.pmstore.proxy.collection.ListShapes.LIST_TAIL;
import static io.pmstore.proxy.collection.ListShapes.listChild;
import static io.pmstore.proxy.collection.ListShapes.listStart;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.tx.View;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
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
  private final Heap heap;
  private final CellCodec codec;
  private final ListNodes nodes;
  private final ListLeaves leaves;
  private final ListInsertion insertion;
  private final ListRemoval removal;

  ListTree(CollectionSpace space) {
    heap = space.heap();
    codec = space.codec();
    nodes = new ListNodes(space);
    leaves = new ListLeaves(space);
    insertion = new ListInsertion(space, nodes, leaves);
    removal = new ListRemoval(space, nodes, leaves);
  }

  int size(long list) {
    return nodes.size(list);
  }

  void append(long list, @Nullable Object value) {
    insertion.append(list, value);
  }

  void insert(long list, int index, @Nullable Object value) {
    insertion.insert(list, index, value);
  }

  void remove(long list, int index) {
    removal.remove(list, index);
  }

  void clear(long list) {
    nodes.clear(list);
  }

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
    Objects.checkIndex(index, ListNodes.size(list, (int) sizes));
    long holder = list;
    int offset = LIST_ROOT;
    int inChild = index;
    long at = heap.getLong(view, list, LIST_ROOT);
    for (int height = ListNodes.height(list, (int) (sizes >>> 32)); height > 0; height--) {
      int c = nodes.childWith(view, at, height, nodes.childCount(view, at), inChild);
      inChild -= c == 0 ? 0 : heap.getInt(view, at, listStart(c));
      holder = at;
      offset = listChild(c);
      at = heap.getLong(view, holder, offset);
    }
    if (inChild < 0 || inChild >= LEAF_CAPACITY_MAX) {
      throw ListNodes.noSuchElement(at, inChild);
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

  /** Passes the elements from one index, inclusive, to another, exclusive, on. */
  void read(long list, int from, int to, Consumer<@Nullable Object> elements) {
    visit(
        list,
        from,
        to,
        (leaf, first, index, count) -> {
          leaves.read(leaf, first, count, elements);
          return true;
        });
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
    return from >= to
        || visit(nodes.root(list), nodes.height(list), nodes.size(list), 0, from, to, visitor);
  }

  private boolean visit(
      long at, int height, int elements, int before, int from, int to, LeafVisitor visitor) {
    int first = Math.max(0, from - before);
    int end = Math.min(elements, to - before);
    if (first >= end || (height == 0 && end > LEAF_CAPACITY_MIN && end > leaves.capacity(at))) {
      throw ListNodes.noSuchElement(at, end - 1);
    }
    if (height == 0) {
      return visitor.elements(at, first, before + first, end - first);
    }
    int children = nodes.childCount(at);
    int c = nodes.childWith(heap.view(), at, height, children, first);
    if (nodes.start(at, c, children, elements) > first) {
      throw ListNodes.noChildFor(at, first);
    }
    for (; c < children; c++) {
      int start = nodes.start(at, c, children, elements);
      if (start >= end) {
        return true;
      }
      int inChild = nodes.start(at, c + 1, children, elements) - start;
      if (!visit(nodes.child(at, c), height - 1, inChild, before + start, from, to, visitor)) {
        return false;
      }
    }
    return true;
  }

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
