package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CellCodec.CELL_SIZE;
import static io.pmstore.proxy.collection.SortedShapes.ELEMENT_SIZE;
import static io.pmstore.proxy.collection.SortedShapes.ENTRY_SIZE;
import static io.pmstore.proxy.collection.SortedShapes.LEAF_PLACES;
import static io.pmstore.proxy.collection.SortedShapes.LEAF_SLOTS;
import static io.pmstore.proxy.collection.SortedShapes.NODE_BIT;
import static io.pmstore.proxy.collection.SortedShapes.NODE_COUNT;

import io.pmstore.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the nodes of sorted maps, or of sorted sets.
 *
 * <p>An entry is denoted by its leaf's address times 16 plus its slot; 0 is none.
 */
final class SortedNodes {
  private static final int SLOT_BITS = 4;

  private final Heap heap;
  private final CellCodec codec;
  private final SortedShapes shapes;
  private final int slotSize;

  SortedNodes(CollectionSpace space, boolean withValues) {
    heap = space.heap();
    codec = space.codec();
    shapes = space.shapes().sorted();
    slotSize = withValues ? ENTRY_SIZE : ELEMENT_SIZE;
  }

  /** A key as it is in the heap. */
  record Cell(long first, long second) {}

  /** Returns true if a root or child refers to a node, not a leaf. */
  static boolean isNode(long reference) {
    return (reference & NODE_BIT) != 0;
  }

  /** Returns the address of the node that a root or child refers to. */
  static long node(long reference) {
    return reference & ~NODE_BIT;
  }

  // -- interior nodes

  long newNode() {
    return heap.allocate(shapes.node(), SortedShapes.NODE.size());
  }

  int count(long node) {
    int count = heap.getInt(node, NODE_COUNT);
    if (count < 1 || count > SortedShapes.FANOUT) {
      throw CollectionDamage.in("a node", node, count + " children", "1 to " + SortedShapes.FANOUT);
    }
    return count;
  }

  void setCount(long node, int count) {
    heap.putInt(node, NODE_COUNT, count);
  }

  long childAt(long node, int i) {
    long child = heap.getLong(node, SortedShapes.child(i));
    if (child == 0) {
      throw CollectionDamage.in("a node", node, "no child " + i, "one: it is in use");
    }
    return child;
  }

  void setChild(long node, int i, long reference) {
    heap.putLong(node, SortedShapes.child(i), reference);
  }

  Cell keyAt(long node, int i) {
    return cell(node, SortedShapes.key(i));
  }

  void setKey(long node, int i, Cell cell) {
    heap.putLong(node, SortedShapes.key(i), cell.first);
    heap.putLong(node, SortedShapes.key(i) + 8, cell.second);
  }

  /** Copies a child, and the key before it, to an index that is not 0. */
  void moveChild(long from, int i, long to, int j) {
    setChild(to, j, childAt(from, i));
    setKey(to, j, keyAt(from, i));
  }

  void clearChild(long node, int i) {
    setChild(node, i, 0);
    if (i > 0) {
      heap.putLong(node, SortedShapes.key(i), 0);
      heap.putLong(node, SortedShapes.key(i) + 8, 0);
    }
  }

  /** Removes a child and the key before it; for the first child, the key behind it. */
  void removeChild(long node, int i) {
    int count = count(node);
    if (i == 0) {
      setChild(node, 0, childAt(node, 1));
      i = 1;
    }
    for (int j = i + 1; j < count; j++) {
      moveChild(node, j, node, j - 1);
    }
    clearChild(node, count - 1);
    setCount(node, count - 1);
  }

  /** Returns the number of children of a node, or of entries of a leaf. */
  int fill(long reference) {
    return isNode(reference) ? count(node(reference)) : LeafPlaces.count(places(reference));
  }

  // -- leaves

  long newLeaf(int capacity) {
    long leaf =
        heap.allocate(shapes.leaf(slotSize, capacity), SortedShapes.leafSize(slotSize, capacity));
    setPlaces(leaf, LeafPlaces.EMPTY);
    return leaf;
  }

  int capacity(long leaf) {
    int size = heap.size(leaf);
    int capacity = (size - LEAF_SLOTS) / slotSize;
    if (SortedShapes.leafSize(slotSize, capacity) != size
        || Integer.bitCount(capacity + 1) != 1
        || capacity < SortedShapes.LEAF_CAPACITY_MIN
        || capacity > SortedShapes.LEAF_CAPACITY_MAX) {
      throw CollectionDamage.in("a leaf", leaf, size + " bytes", "those of 3, 7 or 15 slots");
    }
    return capacity;
  }

  long places(long leaf) {
    return heap.getLong(leaf, LEAF_PLACES);
  }

  void setPlaces(long leaf, long places) {
    heap.putLong(leaf, LEAF_PLACES, places);
  }

  private int offset(int slot) {
    return LEAF_SLOTS + slotSize * slot;
  }

  /** Inserts an entry at a place of a leaf that has room. */
  void insert(long leaf, int place, @Nullable Object key, @Nullable Object value) {
    long places = places(leaf);
    int offset = offset(LeafPlaces.slot(places, LeafPlaces.count(places)));
    codec.writeCell(leaf, offset, key);
    if (slotSize == ENTRY_SIZE && value != null) { // a free slot is zeros, which is null
      codec.writeCell(leaf, offset + CELL_SIZE, value);
    }
    setPlaces(leaf, LeafPlaces.inserted(places, place));
  }

  /** Removes the entry at a place. */
  void remove(long leaf, int place) {
    long places = places(leaf);
    clear(leaf, LeafPlaces.slot(places, place));
    setPlaces(leaf, LeafPlaces.removed(places, place));
  }

  private void clear(long leaf, int slot) {
    for (int at = offset(slot); at < offset(slot + 1); at += 8) {
      heap.putLong(leaf, at, 0);
    }
  }

  /**
   * Moves the entries of a leaf from a place on to the end of another, which has room. {@code
   * clear} removes them from the first.
   */
  void moveEntries(long from, int first, long to, boolean clear) {
    long source = places(from);
    long target = places(to);
    for (int place = first; place < LeafPlaces.count(source); place++) {
      int count = LeafPlaces.count(target);
      int slot = LeafPlaces.slot(source, place);
      int distance = offset(LeafPlaces.slot(target, count)) - offset(slot);
      for (int at = offset(slot); at < offset(slot + 1); at += 8) {
        heap.putLong(to, at + distance, heap.getLong(from, at));
      }
      if (clear) {
        clear(from, slot);
      }
      target = LeafPlaces.inserted(target, count);
    }
    setPlaces(to, target);
    if (clear) {
      setPlaces(from, LeafPlaces.truncated(source, first));
    }
  }

  private Cell cell(long object, int offset) {
    return new Cell(heap.getLong(object, offset), heap.getLong(object, offset + 8));
  }

  /** Returns the key in the first place of a leaf. */
  Cell firstKey(long leaf) {
    return cell(leaf, offset(LeafPlaces.slot(places(leaf), 0)));
  }

  // -- entries

  static long entry(long leaf, int slot) {
    return (leaf << SLOT_BITS) | slot;
  }

  static long leaf(long entry) {
    return entry >>> SLOT_BITS;
  }

  int keyOffset(long entry) {
    return offset((int) entry & ((1 << SLOT_BITS) - 1));
  }

  int valueOffset(long entry) {
    return keyOffset(entry) + CELL_SIZE;
  }

  @Nullable Object key(long entry) {
    return codec.readCell(leaf(entry), keyOffset(entry));
  }

  /** Returns the value of an entry; null in a set. */
  @Nullable Object value(long entry) {
    return slotSize == ENTRY_SIZE ? codec.readCell(leaf(entry), valueOffset(entry)) : null;
  }
}
