package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.Heap;
import io.pmstore.spi.PersistentObject;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the invariants of {@link SortedTree} on the bytes. */
final class SortedCheck {
  private final TestStore store;
  private final Heap heap;
  private final boolean withValues;
  private final long collection;
  private final SortedOrder order;
  private long entries;
  private long leaves;
  private int depth = -1;
  private @Nullable Object last;

  private SortedCheck(TestStore store, PersistentObject collection, boolean withValues) {
    this.store = store;
    this.heap = store.heap;
    this.withValues = withValues;
    this.collection = TestStore.address(collection);
    this.order = SortedOrder.read(store.space, this.collection);
  }

  /** Checks the tree; returns how many leaves it has. */
  static long check(TestStore store, PersistentSortedMap<?, ?> map) {
    return store.heap.read(() -> new SortedCheck(store, map, true).collection());
  }

  static long check(TestStore store, PersistentSortedSet<?> set) {
    return store.heap.read(() -> new SortedCheck(store, set, false).collection());
  }

  private long collection() {
    CollectionKind kind = withValues ? CollectionKind.SORTED_MAP : CollectionKind.SORTED_SET;
    assertEquals(store.space.shapes().id(kind), heap.shapeId(collection));
    long root = heap.getLong(collection, SortedShapes.ROOT);
    long counters = heap.getLong(collection, SortedShapes.COUNTERS);
    boolean tall = SortedNodes.isNode(root);
    assertEquals(tall, counters != 0, "counters are there with a node");
    if (root == 0) {
      return 0;
    }
    if (tall) {
      assertTrue(
          heap.getInt(root - 1, SortedShapes.NODE_COUNT) > 1,
          "a root with one child is not needed");
    }
    part(root, 0, tall);
    if (tall) {
      long size = 0;
      for (int i = 0; i < CollectionShapes.COUNTERS; i++) {
        size += heap.counter(counters, CollectionShapes.counter(i));
      }
      assertEquals(entries, size, "the sum of the counters");
    }
    return leaves;
  }

  /** Checks what is below a reference; returns the cell of the first key. */
  private SortedNodes.Cell part(long reference, int level, boolean tall) {
    if (!SortedNodes.isNode(reference)) {
      assertTrue(depth == -1 || depth == level, "all leaves are at one depth");
      depth = level;
      return leaf(reference, tall);
    }
    long node = reference - 1;
    assertEquals(store.space.shapes().sorted().node(), heap.shapeId(node));
    int count = heap.getInt(node, SortedShapes.NODE_COUNT);
    assertTrue(count >= 1 && count <= SortedShapes.FANOUT, count + " children");
    SortedNodes.Cell first = null;
    for (int i = 0; i < count; i++) {
      SortedNodes.Cell below = part(heap.getLong(node, SortedShapes.child(i)), level + 1, tall);
      if (i == 0) {
        first = below;
      } else {
        assertEquals(below, cell(node, SortedShapes.key(i)), "the first key below child " + i);
      }
    }
    for (int i = count; i < SortedShapes.FANOUT; i++) {
      assertEquals(0, heap.getLong(node, SortedShapes.child(i)), "a child that is not in use");
      if (i > 0) {
        assertZero(node, SortedShapes.key(i), 2, "a key that is not in use");
      }
    }
    assertNotNull(first);
    return first;
  }

  private SortedNodes.Cell cell(long object, int offset) {
    return new SortedNodes.Cell(heap.getLong(object, offset), heap.getLong(object, offset + 8));
  }

  private void assertZero(long object, int offset, int words, String what) {
    for (int i = 0; i < words; i++) {
      assertEquals(0, heap.getLong(object, offset + 8 * i), what);
    }
  }

  private SortedNodes.Cell leaf(long leaf, boolean tall) {
    leaves++;
    int slotSize = withValues ? SortedShapes.ENTRY_SIZE : SortedShapes.ELEMENT_SIZE;
    int capacity = (heap.size(leaf) - SortedShapes.LEAF_SLOTS) / slotSize;
    assertEquals(store.space.shapes().sorted().leaf(slotSize, capacity), heap.shapeId(leaf));
    assertTrue(!tall || capacity == SortedShapes.LEAF_CAPACITY_MAX, capacity + " slots");
    long places = heap.getLong(leaf, SortedShapes.LEAF_PLACES);
    int count = LeafPlaces.count(places);
    assertTrue(count >= 1 && count <= capacity, count + " entries of " + capacity);
    Set<Integer> slots = new HashSet<>();
    for (int place = 0; place < SortedShapes.LEAF_CAPACITY_MAX; place++) {
      int slot = LeafPlaces.slot(places, place);
      assertTrue(slots.add(slot) && slot < SortedShapes.LEAF_CAPACITY_MAX, "a permutation");
      int offset = SortedShapes.LEAF_SLOTS + slotSize * slot;
      if (place >= capacity) {
        assertTrue(slot >= capacity, "a slot that is not there");
      } else if (place >= count) {
        assertZero(leaf, offset, slotSize / 8, "a slot that is not in use");
      } else {
        Object key = store.space.codec().readCell(leaf, offset);
        assertTrue(
            entries == 0 || order.compare(last, key) < 0, () -> last + " is not before " + key);
        last = key;
        entries++;
      }
    }
    return cell(leaf, SortedShapes.LEAF_SLOTS + slotSize * LeafPlaces.slot(places, 0));
  }
}
