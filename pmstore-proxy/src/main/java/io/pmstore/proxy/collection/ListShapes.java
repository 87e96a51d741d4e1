package io.pmstore.proxy.collection;

import java.util.List;

/**
 * The layout of the nodes of lists, and their shape ids in one store. This class is the only place
 * that knows their offsets. All offsets are in bytes from the start of an object, whose first 8
 * bytes are its header.
 *
 * <pre>
 *   list         8 size    12 height  16 root                                           24
 *   list node    8 count   12 start 1 .. 31              136 child 0 .. 31             392
 *   list leaf    8 cells: 4, 8, 16 or 32                                   72, 136, 264, 520
 * </pre>
 *
 * <p>{@link ListTree} explains the fields.
 */
public final class ListShapes {
  static final int LIST_SIZE = 8;
  static final int LIST_HEIGHT = 12;
  static final int LIST_ROOT = 16;

  static final int LIST_FANOUT = 32;
  static final int LIST_NODE_COUNT = 8;
  // Start 0 would overlap the count: it is always 0 and not stored.
  private static final int LIST_NODE_STARTS = 8;
  private static final int LIST_NODE_CHILDREN = LIST_NODE_STARTS + 4 * LIST_FANOUT;

  private static final int LEAF_CELLS = 8;
  static final int LEAF_CAPACITY_MIN = 4;
  static final int LEAF_CAPACITY_MAX = 32;

  /** A list object. */
  public static final NodeShape LIST =
      new NodeShape("pmstore.list", 24, List.of(LIST_ROOT), List.of());

  /** An interior node of a list. */
  public static final NodeShape LIST_NODE =
      new NodeShape(
          "pmstore.list.node",
          LIST_NODE_CHILDREN + 8 * LIST_FANOUT,
          NodeShape.row(LIST_NODE_CHILDREN, LIST_FANOUT, 8),
          List.of());

  /**
   * The leaves of a list, smallest first. Each has room for twice as many cells as the one before.
   */
  public static final List<NodeShape> LIST_LEAVES = List.of(leaf(4), leaf(8), leaf(16), leaf(32));

  private final int list;
  private final int node;
  private final int[] leaves;

  ListShapes(NodeShape.Registry registry) {
    list = registry.shapeId(LIST);
    node = registry.shapeId(LIST_NODE);
    leaves = LIST_LEAVES.stream().mapToInt(registry::shapeId).toArray();
  }

  /** Returns the shape id of a {@link PersistentList}. */
  public int list() {
    return list;
  }

  int node() {
    return node;
  }

  /** Returns the shape id of a leaf with 4, 8, 16 or 32 cells. */
  int leafOf(int capacity) {
    return leaves[Integer.numberOfTrailingZeros(capacity / LEAF_CAPACITY_MIN)];
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

  static int leafCell(int index) {
    return LEAF_CELLS + CellCodec.CELL_SIZE * index;
  }

  static int leafSize(int capacity) {
    return LEAF_CELLS + CellCodec.CELL_SIZE * capacity;
  }

  static int leafCapacity(int size) {
    return (size - LEAF_CELLS) / CellCodec.CELL_SIZE;
  }

  private static NodeShape leaf(int capacity) {
    return new NodeShape(
        "pmstore.list.leaf" + capacity,
        leafSize(capacity),
        List.of(),
        NodeShape.row(LEAF_CELLS, capacity, CellCodec.CELL_SIZE));
  }
}
