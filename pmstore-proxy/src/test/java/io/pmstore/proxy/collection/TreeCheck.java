package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.ListShapes.LIST_FANOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.Heap;

/** Checks the invariants of {@link ListTree} on the bytes. */
final class TreeCheck {
  private final TestStore store;
  private final Heap heap;

  private final ListLeaves leaves;
  private int ofReferences;
  private int ofCells;
  private long tail;
  private int tailElements;

  private TreeCheck(TestStore store) {
    this.store = store;
    this.heap = store.heap;
    this.leaves = new ListLeaves(store.space);
  }

  /** How many leaves a list has of each form. */
  record Leaves(int ofReferences, int ofCells) {}

  static Leaves check(TestStore store, PersistentList<?> list) {
    return store.heap.read(
        () -> {
          TreeCheck check = new TreeCheck(store);
          check.list(TestStore.address(list));
          return new Leaves(check.ofReferences, check.ofCells);
        });
  }

  private void list(long list) {
    int size = heap.getInt(list, ListShapes.LIST_SIZE);
    int height = heap.getInt(list, ListShapes.LIST_HEIGHT);
    long root = heap.getLong(list, ListShapes.LIST_ROOT);
    assertEquals(size == 0, root == 0, "an empty list has no leaf");
    if (root == 0) {
      assertEquals(0, height);
      assertEquals(0, heap.getLong(list, ListShapes.LIST_TAIL));
      assertEquals(0, heap.getInt(list, ListShapes.LIST_TAIL_START));
      return;
    }
    part(root, height, size, height > 0);
    assertEquals(tail, heap.getLong(list, ListShapes.LIST_TAIL));
    assertEquals(size - tailElements, heap.getInt(list, ListShapes.LIST_TAIL_START));
    if (height > 0) {
      assertTrue(fill(root, height, size) > 1, "a root with one child is not needed");
    }
  }

  private int fill(long at, int height, int elements) {
    return height == 0 ? elements : heap.getInt(at, ListShapes.LIST_NODE_COUNT);
  }

  private void part(long at, int height, int elements, boolean tall) {
    if (height == 0) {
      leaf(at, elements, tall);
      return;
    }
    assertEquals(store.space.shapes().lists().node(), heap.shapeId(at));
    int children = fill(at, height, elements);
    assertTrue(children >= 1 && children <= LIST_FANOUT, children + " children");
    int start = 0;
    for (int i = 0; i < children; i++) {
      int end = i + 1 < children ? heap.getInt(at, ListShapes.listStart(i + 1)) : elements;
      assertTrue(end > start, "child " + i + " has " + (end - start) + " elements");
      part(heap.getLong(at, ListShapes.listChild(i)), height - 1, end - start, tall);
      start = end;
    }
    for (int i = children; i < LIST_FANOUT; i++) {
      assertEquals(0, heap.getLong(at, ListShapes.listChild(i)), "a child that is not in use");
      assertEquals(0, heap.getInt(at, ListShapes.listStart(i)), "a start that is not in use");
    }
  }

  private void leaf(long at, int elements, boolean tall) {
    boolean references = ListLeaves.isOfReferences(at);
    int capacity = leaves.capacity(at);
    assertTrue(elements <= capacity && (!tall || capacity == 31), elements + " of " + capacity);
    for (int i = elements; i < capacity; i++) {
      assertEquals(0, leaves.first(at, i), "an element that is not in use");
      assertEquals(0, leaves.second(at, i), "an element that is not in use");
    }
    ofReferences += references ? 1 : 0;
    ofCells += references ? 0 : 1;
    tail = at;
    tailElements = elements;
  }
}
