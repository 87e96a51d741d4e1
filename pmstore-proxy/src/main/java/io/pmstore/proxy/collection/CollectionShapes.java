package io.pmstore.proxy.collection;

import java.util.ArrayList;
import java.util.List;

/**
 * The layout of every node of the persistent collections, and the shape ids the nodes have in one
 * store. The only place that knows their offsets. All offsets are in bytes from the start of an
 * object, whose first 8 bytes are its header.
 *
 * <pre>
 *   map          8 root               16 counters                                       24
 *   map node     8 child 0 .. 15                                                       136
 *   map entry    8 hash    12 unused  16 next             24 key cell   40 value cell   56
 *   map counters 8 counter 0 .. 7                                                       72
 *   list         8 size    12 height  16 root                                           24
 *   list node    8 count   12 start 1 .. 31              136 child 0 .. 31             392
 *   list leaf    8 cells: 4, 8, 16 or 32                                   72, 136, 264, 520
 * </pre>
 *
 * <p>{@link PersistentMap} and {@link PersistentList} say what the fields mean.
 */
public final class CollectionShapes {
  private static final int WORD = 8;
  private static final int FIRST = 8;

  static final int MAP_ROOT = FIRST;
  static final int MAP_COUNTERS = 16;

  /** The bit of a map's root or of a child that says: this refers to a node, not to an entry. */
  static final long MAP_NODE_BIT = 1;

  static final int MAP_FANOUT_SHIFT = 4;
  static final int MAP_FANOUT = 1 << MAP_FANOUT_SHIFT;

  static final int ENTRY_HASH = FIRST;
  static final int ENTRY_NEXT = 16;
  static final int ENTRY_KEY = 24;
  static final int ENTRY_VALUE = 40;

  static final int COUNTERS = 8;

  static final int LIST_SIZE = FIRST;
  static final int LIST_HEIGHT = 12;
  static final int LIST_ROOT = 16;

  static final int LIST_FANOUT = 32;
  static final int LIST_NODE_COUNT = FIRST;
  private static final int LIST_NODE_STARTS =
      8; // start 0 would lie on the count: it is always 0 and not stored
  private static final int LIST_NODE_CHILDREN = LIST_NODE_STARTS + 4 * LIST_FANOUT;

  static final int LEAF_CAPACITY_MIN = 4;
  static final int LEAF_CAPACITY_MAX = 32;

  /** The object that is a map. */
  public static final NodeShape MAP =
      new NodeShape("pmstore.map", 24, List.of(MAP_ROOT, MAP_COUNTERS), List.of());

  /** An interior node of a map. */
  public static final NodeShape MAP_NODE =
      new NodeShape(
          "pmstore.map.node", FIRST + WORD * MAP_FANOUT, row(FIRST, MAP_FANOUT, WORD), List.of());

  /** An entry of a map. */
  public static final NodeShape MAP_ENTRY =
      new NodeShape("pmstore.map.entry", 56, List.of(ENTRY_NEXT), List.of(ENTRY_KEY, ENTRY_VALUE));

  /** The size counters of a map. */
  public static final NodeShape MAP_COUNTER =
      new NodeShape("pmstore.map.counters", FIRST + WORD * COUNTERS, List.of(), List.of());

  /** The object that is a list. */
  public static final NodeShape LIST =
      new NodeShape("pmstore.list", 24, List.of(LIST_ROOT), List.of());

  /** An interior node of a list. */
  public static final NodeShape LIST_NODE =
      new NodeShape(
          "pmstore.list.node",
          LIST_NODE_CHILDREN + WORD * LIST_FANOUT,
          row(LIST_NODE_CHILDREN, LIST_FANOUT, WORD),
          List.of());

  /**
   * The leaves of a list, smallest first: each has room for twice as many cells as the one before.
   */
  public static final List<NodeShape> LIST_LEAVES = List.of(leaf(4), leaf(8), leaf(16), leaf(32));

  private final int map;
  private final int mapNode;
  private final int mapEntry;
  private final int mapCounters;
  private final int list;
  private final int listNode;
  private final int[] listLeaves;
  private final SortedShapes sorted;

  /**
   * Looks up, or adds to the catalogue, all node kinds.
   *
   * @param registry the store's catalogue
   */
  public CollectionShapes(NodeShape.Registry registry) {
    map = registry.shapeId(MAP);
    mapNode = registry.shapeId(MAP_NODE);
    mapEntry = registry.shapeId(MAP_ENTRY);
    mapCounters = registry.shapeId(MAP_COUNTER);
    list = registry.shapeId(LIST);
    listNode = registry.shapeId(LIST_NODE);
    listLeaves = LIST_LEAVES.stream().mapToInt(registry::shapeId).toArray();
    sorted = new SortedShapes(registry);
  }

  /**
   * The shape of the object that is a map.
   *
   * @return its id: an object with this id is read as a {@link PersistentMap}
   */
  public int map() {
    return map;
  }

  /**
   * The shape of the object that is a list.
   *
   * @return its id: an object with this id is read as a {@link PersistentList}
   */
  public int list() {
    return list;
  }

  /**
   * The shapes of sorted maps and sets.
   *
   * @return their ids
   */
  public SortedShapes sorted() {
    return sorted;
  }

  int mapNode() {
    return mapNode;
  }

  int mapEntry() {
    return mapEntry;
  }

  int mapCounters() {
    return mapCounters;
  }

  int listNode() {
    return listNode;
  }

  /** The shape id of the leaf for a number of cells: 4, 8, 16 or 32. */
  int listLeaf(int capacity) {
    return listLeaves[Integer.numberOfTrailingZeros(capacity / LEAF_CAPACITY_MIN)];
  }

  static int mapChild(int slot) {
    return FIRST + WORD * slot;
  }

  static int counter(int stripe) {
    return FIRST + WORD * stripe;
  }

  /**
   * Where a list node keeps how many elements come before a child, in itself: for children 1 to 31.
   */
  static int listStart(int child) {
    return LIST_NODE_STARTS + 4 * child;
  }

  static int listChild(int child) {
    return LIST_NODE_CHILDREN + WORD * child;
  }

  static int leafCell(int index) {
    return FIRST + CellCodec.CELL_SIZE * index;
  }

  static int leafSize(int capacity) {
    return FIRST + CellCodec.CELL_SIZE * capacity;
  }

  static int leafCapacity(int size) {
    return (size - FIRST) / CellCodec.CELL_SIZE;
  }

  private static NodeShape leaf(int capacity) {
    return new NodeShape(
        "pmstore.list.leaf" + capacity,
        leafSize(capacity),
        List.of(),
        row(FIRST, capacity, CellCodec.CELL_SIZE));
  }

  private static List<Integer> row(int first, int count, int step) {
    List<Integer> offsets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      offsets.add(first + step * i);
    }
    return offsets;
  }
}
