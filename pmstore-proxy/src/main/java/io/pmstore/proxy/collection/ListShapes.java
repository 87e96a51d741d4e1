package io.pmstore.proxy.collection;

import java.util.List;

/**
 * The layout of the nodes of lists, and their shape ids in one store. This class is the only place
 * that knows their offsets. All offsets are in bytes from the start of an object, whose first 8
 * bytes are its header.
 *
 * <pre>
 *   list               8 size    12 height  16 root    24 tail    32 tail start    36 unused      40
 *   list node          8 count   12 start 1 .. 31              136 child 0 .. 31                 392
 *   leaf of references 8 references: 3, 7, 15 or 31                                32, 64, 128, 256
 *   leaf of cells      8 cells: 3, 7, 15 or 31                                     56, 120, 248, 504
 * </pre>
 *
 * <p>{@link ListTree} explains the fields.
 */
public final class ListShapes {
  static final int LIST_SIZE = 8;
  static final int LIST_HEIGHT = 12;
  static final int LIST_ROOT = 16;
  static final int LIST_TAIL = 24;
  static final int LIST_TAIL_START = 32;

  /** Set in a root, a child or a tail: it is a leaf of references. */
  static final long REFERENCES_BIT = 1;

  static final int LIST_FANOUT = 32;
  static final int LIST_NODE_COUNT = 8;
  // Start 0 would overlap the count: it is always 0 and not stored.
  private static final int LIST_NODE_STARTS = 8;
  private static final int LIST_NODE_CHILDREN = LIST_NODE_STARTS + 4 * LIST_FANOUT;

  private static final int LEAF_ELEMENTS = 8;
  static final int LEAF_CAPACITY_MIN = 3;
  static final int LEAF_CAPACITY_MAX = 31;

  /** A list object. */
  public static final NodeShape LIST =
      new NodeShape("pmstore.list", 40, List.of(LIST_ROOT), List.of());

  /** An interior node of a list. */
  public static final NodeShape LIST_NODE =
      new NodeShape(
          "pmstore.list.node",
          LIST_NODE_CHILDREN + 8 * LIST_FANOUT,
          NodeShape.row(LIST_NODE_CHILDREN, LIST_FANOUT, 8),
          List.of());

  /** The leaves of references, smallest first. Each but the last is half of the next, less one. */
  public static final List<NodeShape> REFERENCE_LEAVES =
      List.of(ofReferences(3), ofReferences(7), ofReferences(15), ofReferences(31));

  /** The leaves of cells, with as many elements. */
  public static final List<NodeShape> CELL_LEAVES =
      List.of(ofCells(3), ofCells(7), ofCells(15), ofCells(31));

  private final int node;
  private final int[] referenceLeaves;
  private final int[] cellLeaves;

  ListShapes(NodeShape.Registry registry) {
    node = registry.shapeId(LIST_NODE);
    referenceLeaves = REFERENCE_LEAVES.stream().mapToInt(registry::shapeId).toArray();
    cellLeaves = CELL_LEAVES.stream().mapToInt(registry::shapeId).toArray();
  }

  int node() {
    return node;
  }

  /** Returns the shape id of a leaf for 3, 7, 15 or 31 elements. */
  int leafOf(int capacity, boolean references) {
    return (references ? referenceLeaves : cellLeaves)[Integer.bitCount(capacity) - 2];
  }

  /** Returns the capacity of a leaf of a shape, or 0 if it is no leaf of the form. */
  int capacity(int shapeId, boolean references) {
    int[] leaves = references ? referenceLeaves : cellLeaves;
    for (int i = leaves.length - 1; i >= 0; i--) {
      if (leaves[i] == shapeId) {
        return (4 << i) - 1;
      }
    }
    return 0;
  }

  /**
   * Returns the offset of the number of elements before a child in its node, for children 1 to 31.
   */
  static int listStart(int child) {
    return LIST_NODE_STARTS + 4 * child;
  }

  static int listChild(int child) {
    return LIST_NODE_CHILDREN + 8 * child;
  }

  /** Returns the offset of a reference in a leaf of references. */
  static int leafReference(int index) {
    return LEAF_ELEMENTS + 8 * index;
  }

  /** Returns the offset of a cell in a leaf of cells. */
  static int leafCell(int index) {
    return LEAF_ELEMENTS + CellCodec.CELL_SIZE * index;
  }

  static int leafSize(int capacity, boolean references) {
    return references ? leafReference(capacity) : leafCell(capacity);
  }

  private static NodeShape ofReferences(int capacity) {
    return new NodeShape(
        "pmstore.list.references" + capacity,
        leafSize(capacity, true),
        NodeShape.row(LEAF_ELEMENTS, capacity, 8),
        List.of());
  }

  private static NodeShape ofCells(int capacity) {
    return new NodeShape(
        "pmstore.list.cells" + capacity,
        leafSize(capacity, false),
        List.of(),
        NodeShape.row(LEAF_ELEMENTS, capacity, CellCodec.CELL_SIZE));
  }
}
