package io.pmstore.gc.verify;

/**
 * Checks the B+ tree of a sorted map or set: depths, counts, places, copies of keys, and its size.
 */
final class SortedCheck extends CollectionCheck {
  private static final int ROOT = 8;
  private static final String NODE = "pmstore.sorted.node";
  private static final int COUNT = 8;
  private static final int FIRST_CHILD = 16;
  private static final int KEYS = 256; // key i at 256 + 16 i, from 1 on
  private static final int FANOUT = 32;
  private static final int PLACES = 8;
  private static final int FIRST_SLOT = 16;
  private static final int SLOTS_MAX = 15;
  private static final int CELL = 16;
  private static final int LEVELS_MAX = 48;

  private final String leaf;
  private final int slotSize;
  private boolean isTall;
  private long entries;
  private int depth = -1;

  private SortedCheck(NodeView nodes, long collection, Faults faults, String leaf, int slotSize) {
    super(nodes, collection, faults);
    this.leaf = leaf;
    this.slotSize = slotSize;
  }

  static SortedCheck ofMap(NodeView nodes, long map, Faults faults) {
    return new SortedCheck(nodes, map, faults, "pmstore.sorted.entries", 2 * CELL);
  }

  static SortedCheck ofSet(NodeView nodes, long set, Faults faults) {
    return new SortedCheck(nodes, set, faults, "pmstore.sorted.elements", CELL);
  }

  @Override
  void check() {
    long root = nodes.getLong(collection, ROOT);
    isTall = (root & 1) != 0;
    if (root != 0) {
      part(root, 0, collection, "root");
    }
    checkCounters(isTall, entries);
  }

  /** The location of a key: an object and an offset; {@link #NONE} if a part is damaged. */
  private record Key(long object, int offset) {}

  private static final Key NONE = new Key(0, 0);

  /** Checks the subtree of a reference; returns the location of its first key. */
  private Key part(long reference, int level, long holder, String field) {
    long address = reference & -8;
    if ((reference & 7) > 1 || !step(address)) {
      lost();
      return NONE;
    }
    if ((reference & 1) == 0) {
      return leaf(address, level, holder, field);
    }
    if (!isNode(reference, 1, NODE, holder, field)) {
      return NONE;
    }
    if (level > LEVELS_MAX) {
      fault(holder, field, nodes.describe(address), "a leaf: the tree has too many levels");
      lost();
      return NONE;
    }
    return node(address, level);
  }

  private Key node(long node, int level) {
    int count = nodes.getInt(node, COUNT);
    int countMin = level == 0 ? 2 : 1;
    if (count < countMin || count > FANOUT) {
      fault(node, "count", "" + count, "%d to %d".formatted(countMin, FANOUT));
      lost();
      return NONE;
    }
    Key first = NONE;
    for (int i = 0; i < FANOUT; i++) {
      long child = nodes.getLong(node, FIRST_CHILD + i * Long.BYTES);
      int copy = KEYS + i * CELL;
      if (i >= count) {
        if (child != 0 || !nodes.isZero(node, copy, CELL)) {
          fault(node, "child " + i, "a child or key", "zeros: it is not used");
        }
      } else if (child == 0) {
        fault(node, "child " + i, "0", "one of the %d that are used".formatted(count));
        lost();
      } else {
        Key key = part(child, level + 1, node, "child " + i);
        first = i == 0 ? key : first;
        if (i > 0 && !key.equals(NONE) && !isCopy(key, node, copy)) {
          fault(
              node,
              "key " + i,
              "a cell of %x %x"
                  .formatted(nodes.getLong(node, copy), nodes.getLong(node, copy + Long.BYTES)),
              "%x %x, the first key below child %d"
                  .formatted(
                      nodes.getLong(key.object, key.offset),
                      nodes.getLong(key.object, key.offset + Long.BYTES),
                      i));
        }
      }
    }
    return first;
  }

  private boolean isCopy(Key key, long node, int offset) {
    return nodes.getLong(key.object, key.offset) == nodes.getLong(node, offset)
        && nodes.getLong(key.object, key.offset + Long.BYTES)
            == nodes.getLong(node, offset + Long.BYTES);
  }

  private Key leaf(long address, int level, long holder, String field) {
    int capacity = capacity(address, leaf);
    if (capacity == 0 || (isTall && capacity != SLOTS_MAX)) {
      otherNode(address, "a " + leaf + (isTall ? SLOTS_MAX : ""), holder, field);
      return NONE;
    }
    if (depth >= 0 && depth != level) {
      fault(holder, field, "a leaf below %d nodes".formatted(level), "" + depth + ", as others");
    }
    depth = depth < 0 ? level : depth;
    long places = nodes.getLong(address, PLACES);
    int count = (int) places & SLOTS_MAX;
    int slots = 0; // a bit for each slot that has a place
    for (int place = 0; place < SLOTS_MAX; place++) {
      int slot = slot(places, place);
      slots |= 1 << slot;
      if ((slot >= capacity) != (place >= capacity)) {
        slots |= 1 << SLOTS_MAX;
      }
    }
    if (count < 1 || count > capacity || slots != (1 << SLOTS_MAX) - 1) {
      fault(
          address,
          "places",
          "%x".formatted(places),
          "1 to %d entries, and each slot once".formatted(capacity));
      lost();
      return NONE;
    }
    for (int place = count; place < capacity; place++) {
      int slot = slot(places, place);
      if (!nodes.isZero(address, FIRST_SLOT + slotSize * slot, slotSize)) {
        fault(address, "slot " + slot, "an entry", "zeros: it is not used");
      }
    }
    entries += count;
    return new Key(address, FIRST_SLOT + slotSize * slot(places, 0));
  }

  private static int slot(long places, int place) {
    return (int) (places >>> (4 + 4 * place)) & 15;
  }
}
