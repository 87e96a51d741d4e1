package io.pmstore.proxy.collection;

import java.util.List;

/**
 * The layout of the nodes of sorted maps and sets, and their shape ids in one store. This class is
 * the only place that knows their offsets. All offsets are in bytes from the start of an object,
 * whose first 8 bytes are its header.
 *
 * <pre>
 *   sorted map    8 root    16 counters    24 order    28 unused    32 comparator cell       48
 *   sorted set    the same
 *   node          8 count   12 unused      16 child 0 .. 31        272 key cell 1 .. 31     768
 *   entries       8 places  16 key cell and value cell: 3, 7 or 15 times          112, 240, 496
 *   elements      8 places  16 key cell: 3, 7 or 15 times                          64, 128, 256
 * </pre>
 *
 * <ul>
 *   <li><b>root, child:</b> the address of a node plus 1, or of a leaf (<i>entries</i> in a map,
 *       <i>elements</i> in a set), or 0.
 *   <li><b>counters:</b> 0 while the root is no node; otherwise a counters object as in hash maps,
 *       whose sum is the size.
 *   <li><b>order, comparator cell:</b> {@link SortedOrder} explains them.
 *   <li><b>key i</b> of a node is a copy of the first key below its child i.
 *   <li><b>places:</b> {@link LeafPlaces}: the slots of a leaf that are in use, and their order.
 * </ul>
 *
 * <p>Unused parts are zeros.
 */
public final class SortedShapes {
  static final int ROOT = 8;
  static final int COUNTERS = 16;
  static final int ORDER = 24;
  static final int COMPARATOR = 32;

  /** Set in a root or child: the reference leads to a node, not to a leaf. */
  static final long NODE_BIT = 1;

  static final int FANOUT = 32;
  static final int NODE_COUNT = 8;
  private static final int NODE_CHILDREN = 16;
  // Key 0 would overlap the last child: it is not stored.
  private static final int NODE_KEYS = NODE_CHILDREN + 8 * FANOUT - CellCodec.CELL_SIZE;

  static final int LEAF_PLACES = 8;
  static final int LEAF_SLOTS = 16;
  static final int LEAF_CAPACITY_MIN = 3;
  static final int LEAF_CAPACITY_MAX = 15;

  static final int ENTRY_SIZE = 2 * CellCodec.CELL_SIZE;
  static final int ELEMENT_SIZE = CellCodec.CELL_SIZE;

  /** A sorted map object. */
  public static final NodeShape MAP = collection("pmstore.sortedmap");

  /** A sorted set object. */
  public static final NodeShape SET = collection("pmstore.sortedset");

  /** An interior node. */
  public static final NodeShape NODE =
      new NodeShape(
          "pmstore.sorted.node",
          key(FANOUT),
          NodeShape.row(NODE_CHILDREN, FANOUT, 8),
          NodeShape.row(key(1), FANOUT - 1, CellCodec.CELL_SIZE));

  /** The leaves of a map, smallest first. */
  public static final List<NodeShape> ENTRIES =
      List.of(leaf("entries", 3, 2), leaf("entries", 7, 2), leaf("entries", 15, 2));

  /** The leaves of a set, smallest first. */
  public static final List<NodeShape> ELEMENTS =
      List.of(leaf("elements", 3, 1), leaf("elements", 7, 1), leaf("elements", 15, 1));

  private final int node;
  private final int[] entries;
  private final int[] elements;

  SortedShapes(NodeShape.Registry registry) {
    node = registry.shapeId(NODE);
    entries = ENTRIES.stream().mapToInt(registry::shapeId).toArray();
    elements = ELEMENTS.stream().mapToInt(registry::shapeId).toArray();
  }

  int node() {
    return node;
  }

  /** Returns the shape id of a leaf with 3, 7 or 15 slots of a size. */
  int leaf(int slotSize, int capacity) {
    int size = 29 - Integer.numberOfLeadingZeros(capacity + 1); // of 4, 8, 16: 0, 1, 2
    return (slotSize == ENTRY_SIZE ? entries : elements)[size];
  }

  static int child(int i) {
    return NODE_CHILDREN + 8 * i;
  }

  /** Returns the offset of the first key below a child in its node, for children 1 to 31. */
  static int key(int i) {
    return NODE_KEYS + CellCodec.CELL_SIZE * i;
  }

  static int leafSize(int slotSize, int capacity) {
    return LEAF_SLOTS + slotSize * capacity;
  }

  private static NodeShape collection(String name) {
    return new NodeShape(name, 48, List.of(ROOT, COUNTERS), List.of(COMPARATOR));
  }

  private static NodeShape leaf(String name, int capacity, int cells) {
    return new NodeShape(
        "pmstore.sorted." + name + capacity,
        leafSize(cells * CellCodec.CELL_SIZE, capacity),
        List.of(),
        NodeShape.row(LEAF_SLOTS, cells * capacity, CellCodec.CELL_SIZE));
  }
}
