package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CellCodec.NO_REFERENCE;
import static io.pmstore.proxy.collection.CellCodec.REFERENCE_CELL;
import static io.pmstore.proxy.collection.ListShapes.REFERENCES_BIT;
import static io.pmstore.proxy.collection.ListShapes.leafCell;
import static io.pmstore.proxy.collection.ListShapes.leafReference;
import static io.pmstore.proxy.collection.ListShapes.leafSize;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.tx.View;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements in the leaves of a list. A leaf of references holds objects of the store and null, a
 * word each; a leaf of cells holds anything.
 *
 * <p>A leaf is denoted by the reference to it, whose lowest bit tells the form, so that a read
 * loads nothing but the element. Before it appends, the list reads the leaf's header.
 */
final class ListLeaves {
  private final Heap heap;
  private final CellCodec codec;
  private final ListShapes shapes;

  ListLeaves(CollectionSpace space) {
    heap = space.heap();
    codec = space.codec();
    shapes = space.shapes().lists();
  }

  static boolean isOfReferences(long leaf) {
    return (leaf & REFERENCES_BIT) != 0;
  }

  static long address(long leaf) {
    return leaf & -8;
  }

  /** Returns the number of elements that a leaf can hold, as its header says. */
  int capacity(long leaf) {
    boolean references = isOfReferences(leaf);
    long address = address(leaf);
    long header = heap.getLong(address, 0);
    int shape = ObjectLayout.shapeId(header);
    int capacity = shapes.capacity(shape, references);
    if (capacity == 0) {
      throw CollectionDamage.in(
          "what a list refers to",
          address,
          "shape id " + shape,
          references ? "that of a leaf of references" : "that of a leaf of cells");
    }
    int expected = leafSize(capacity, references);
    if (ObjectLayout.size(header) != expected) {
      throw CollectionDamage.in(
          "a leaf", address, ObjectLayout.size(header) + " bytes", expected + ", as its kind has");
    }
    return capacity;
  }

  /** Makes a leaf of zeros. */
  long create(int capacity, boolean references) {
    long leaf = heap.allocate(shapes.leafOf(capacity, references), leafSize(capacity, references));
    return references ? leaf | REFERENCES_BIT : leaf;
  }

  /** Returns a new leaf of cells with the elements of a leaf of references. */
  long toCells(long leaf) {
    int capacity = capacity(leaf);
    long cells = create(capacity, false);
    for (int i = 0; i < capacity; i++) {
      move(leaf, i, cells, i);
    }
    return cells;
  }

  // -- elements

  @Nullable Object read(long leaf, int index) {
    return isOfReferences(leaf)
        ? codec.readReference(heap.getLong(address(leaf), leafReference(index)))
        : codec.readCell(leaf, leafCell(index));
  }

  /** Passes some elements of a leaf on. */
  void read(long leaf, int first, int count, Consumer<@Nullable Object> elements) {
    if (!isOfReferences(leaf)) {
      for (int i = first; i < first + count; i++) {
        elements.accept(codec.readCell(leaf, leafCell(i)));
      }
      return;
    }
    View view = heap.view();
    long[] references = new long[count];
    for (int i = 0; i < count; i++) {
      references[i] = heap.getLong(view, address(leaf), leafReference(first + i));
    }
    for (Object element : codec.readReferences(references)) {
      elements.accept(element);
    }
  }

  boolean isEqual(long leaf, int index, @Nullable Object value) {
    return isOfReferences(leaf)
        ? codec.referenceEquals(heap.getLong(address(leaf), leafReference(index)), value)
        : codec.cellEquals(leaf, leafCell(index), value);
  }

  /** Returns true if a leaf can hold an element of which {@code reference} is the reference. */
  static boolean canHold(long leaf, long reference) {
    return reference != NO_REFERENCE || !isOfReferences(leaf);
  }

  /**
   * Writes an element that the leaf can hold.
   *
   * @param reference what {@link CellCodec#referenceTo} returned for the element
   */
  void write(long leaf, int index, @Nullable Object element, long reference) {
    if (isOfReferences(leaf)) {
      heap.putLong(address(leaf), leafReference(index), reference);
    } else {
      codec.writeCell(leaf, leafCell(index), element);
    }
  }

  // -- elements as they are in the heap, as the two words of a cell

  long first(long leaf, int index) {
    if (!isOfReferences(leaf)) {
      return heap.getLong(leaf, leafCell(index));
    }
    return second(leaf, index) == 0 ? 0 : REFERENCE_CELL;
  }

  long second(long leaf, int index) {
    return isOfReferences(leaf)
        ? heap.getLong(address(leaf), leafReference(index))
        : heap.getLong(leaf, leafCell(index) + 8);
  }

  /** Returns true if a leaf can hold what a cell with this first word holds. */
  static boolean canHoldCell(long leaf, long first) {
    return !isOfReferences(leaf) || first == 0 || first == REFERENCE_CELL;
  }

  /** Writes an element that the leaf can hold, unless it is there already. */
  void put(long leaf, int index, long first, long second) {
    long address = address(leaf);
    if (isOfReferences(leaf)) {
      putChanged(address, leafReference(index), second);
    } else {
      putChanged(address, leafCell(index), first);
      putChanged(address, leafCell(index) + 8, second);
    }
  }

  private void putChanged(long object, int offset, long word) {
    if (heap.getLong(object, offset) != word) {
      heap.putLong(object, offset, word);
    }
  }

  /** Copies an element to a leaf that can hold it. */
  void move(long from, int index, long to, int target) {
    put(to, target, first(from, index), second(from, index));
  }

  void clear(long leaf, int index) {
    put(leaf, index, 0, 0);
  }
}
