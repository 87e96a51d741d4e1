package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.ListShapes.LEAF_CAPACITY_MAX;
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
import org.jspecify.annotations.Nullable;

/** Reads and writes the fields of lists and of the nodes of their trees ({@link ListTree}). */
final class ListNodes {
  private final Heap heap;
  private final ListShapes shapes;

  ListNodes(CollectionSpace space) {
    heap = space.heap();
    shapes = space.shapes().lists();
  }

  /** Nodes are merged below a quarter, so no list comes near this height. */
  private static final int HEIGHT_MAX = 15;

  /** How many leaves are below a full node, by its height. */
  private static final long[] FANOUTS = new long[HEIGHT_MAX + 1];

  static {
    for (int height = 0; height <= HEIGHT_MAX; height++) {
      FANOUTS[height] = (long) Math.min(Integer.MAX_VALUE, Math.pow(LIST_FANOUT, height));
    }
  }

  int size(long list) {
    return size(list, heap.getInt(list, LIST_SIZE));
  }

  static int size(long list, int size) {
    if (size < 0) {
      throw CollectionDamage.in("the object", list, "a size of " + size, "0 or more");
    }
    return size;
  }

  int height(long list) {
    return height(list, heap.getInt(list, LIST_HEIGHT));
  }

  static int height(long list, int height) {
    if (height < 0 || height > HEIGHT_MAX) {
      throw CollectionDamage.in("the object", list, "a height of " + height, "0 to " + HEIGHT_MAX);
    }
    return height;
  }

  long root(long list) {
    return heap.getLong(list, LIST_ROOT);
  }

  void setRoot(long list, long root, int height) {
    heap.putLong(list, LIST_ROOT, root);
    heap.putInt(list, LIST_HEIGHT, height);
  }

  int childCount(long node) {
    return childCount(heap.view(), node);
  }

  int childCount(@Nullable View view, long node) {
    int count = heap.getInt(view, node, LIST_NODE_COUNT);
    if (count < 1 || count > LIST_FANOUT) {
      throw CollectionDamage.in("a node", node, count + " children", "1 to " + LIST_FANOUT);
    }
    return count;
  }

  static StoreDamagedException noSuchElement(long leaf, int index) {
    return CollectionDamage.in(
        "a leaf",
        leaf,
        "to have an element " + index,
        "one of those it has room for: the sizes do not fit");
  }

  static StoreDamagedException noChildFor(long node, int index) {
    return CollectionDamage.in(
        "a node",
        node,
        "no child that begins at or before element " + index,
        "starts that fit the sizes");
  }

  long child(long node, int i) {
    return heap.getLong(node, listChild(i));
  }

  /**
   * Returns the number of a node's elements before its child {@code i}; for {@code i == children},
   * all of them.
   */
  int start(long node, int i, int children, int elements) {
    return i == 0 ? 0 : i == children ? elements : heap.getInt(node, listStart(i));
  }

  void setChild(long node, int i, long child, int start) {
    heap.putLong(node, listChild(i), child);
    if (i > 0) {
      heap.putInt(node, listStart(i), start);
    }
  }

  void clearChild(long node, int i) {
    setChild(node, i, 0, 0);
  }

  /**
   * Returns the child that has the element at an index; behind the last element, the last child. No
   * child has more elements than a full one, so the search begins where the element is if all are
   * full.
   */
  int childWith(@Nullable View view, long node, int height, int children, int index) {
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

  long newNode() {
    return heap.allocate(shapes.node(), ListShapes.LIST_NODE.size());
  }

  void setTail(long list, long tail, int start) {
    if (heap.getLong(list, LIST_TAIL) != tail) {
      heap.putLong(list, LIST_TAIL, tail);
    }
    if (heap.getInt(list, LIST_TAIL_START) != start) {
      heap.putInt(list, LIST_TAIL_START, start);
    }
  }

  /** Finds the tail after a change of the tree. */
  void findTail(long list) {
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

  void clear(long list) {
    setRoot(list, 0, 0);
    heap.putInt(list, LIST_SIZE, 0);
    setTail(list, 0, 0);
  }

  void addToStarts(long node, int from, int children, int n) {
    for (int i = from; i < children; i++) {
      heap.putInt(node, listStart(i), heap.getInt(node, listStart(i)) + n);
    }
  }

  /** Returns the number of elements or children in use. */
  int fill(long at, int height, int elements) {
    return height == 0 ? elements : childCount(at);
  }

  void removeChild(long node, int children, int elements, int index) {
    for (int i = index + 1; i < children; i++) {
      setChild(node, i - 1, child(node, i), start(node, i, children, elements));
    }
    clearChild(node, children - 1);
    heap.putInt(node, LIST_NODE_COUNT, children - 1);
  }
}
