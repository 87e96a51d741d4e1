package io.pmstore.gc.verify;

/**
 * Checks the tree of a list: heights, counts, the number of elements before each child, and which
 * leaf is the last.
 */
final class ListCheck extends CollectionCheck {
  private static final int SIZE = 8;
  private static final int HEIGHT = 12;
  private static final int ROOT = 16;
  private static final int TAIL = 24;
  private static final int TAIL_START = 32;
  private static final int HEIGHT_MAX = 15;
  private static final String NODE = "pmstore.list.node";
  private static final int COUNT = 8;
  private static final int STARTS = 8; // start i at 8 + 4 i, from 1 on
  private static final int FIRST_CHILD = 136;
  private static final int FANOUT = 32;
  private static final int REFERENCES_TAG = 1;
  private static final String REFERENCES = "pmstore.list.references";
  private static final String CELLS = "pmstore.list.cells";
  private static final int FIRST_ELEMENT = 8;
  private static final int REFERENCE = 8;
  private static final int CELL = 16;
  private static final int CAPACITY_MAX = 31;

  private int height;
  private long tail;
  private long inTail;

  ListCheck(NodeView nodes, long collection, Faults faults) {
    super(nodes, collection, faults);
  }

  @Override
  void check() {
    int size = nodes.getInt(collection, SIZE);
    height = nodes.getInt(collection, HEIGHT);
    long root = nodes.getLong(collection, ROOT);
    if (height < 0 || height > HEIGHT_MAX || (root == 0 && height != 0)) {
      fault("height", "" + height, root == 0 ? "0" : "0 to " + HEIGHT_MAX);
    } else if (root == 0 ? size != 0 : size < 1) {
      fault("size", "" + size, root == 0 ? "0, since there is no leaf" : "1 or more");
    } else if (root != 0) {
      part(root, height, size, collection, "root");
    }
    if (isWhole() && !hasFaults()) {
      tail(size);
    }
  }

  private void tail(int size) {
    long found = nodes.getLong(collection, TAIL);
    int start = nodes.getInt(collection, TAIL_START);
    if (found != tail) {
      fault("tail", "" + found, tail + ", as the reference to the last leaf is");
    } else if (start != size - inTail) {
      fault("tail start", "" + start, (size - inTail) + ", the elements before the last leaf");
    }
  }

  private void part(long address, int level, long elements, long holder, String field) {
    if (!step(address)) {
      return;
    }
    if (level == 0) {
      leaf(address, elements, holder, field);
    } else if (isNode(address, 0, NODE, holder, field)) {
      node(address, level, elements);
    }
  }

  private void leaf(long reference, long elements, long holder, String field) {
    int tag = (int) reference & 7;
    boolean ofReferences = tag == REFERENCES_TAG;
    long leaf = reference - tag;
    int capacity = tag > REFERENCES_TAG ? 0 : capacity(leaf, ofReferences ? REFERENCES : CELLS);
    int width = ofReferences ? REFERENCE : CELL;
    if (capacity == 0) {
      otherNode(reference, "a leaf: the list has height " + height, holder, field);
    } else if (height > 0 && capacity != CAPACITY_MAX) {
      fault(holder, field, nodes.describe(leaf), "a leaf of 31 elements");
    } else if (elements < 1 || elements > capacity) {
      fault(
          holder,
          field,
          "a leaf that is to have %d elements".formatted(elements),
          "1 to %d, by the sizes above it".formatted(capacity));
    } else if (!nodes.isZero(
        leaf, FIRST_ELEMENT + width * (int) elements, width * (capacity - (int) elements))) {
      fault(leaf, "elements", "more than the " + elements + " in use", "zeros behind them");
    }
    tail = reference;
    inTail = elements;
  }

  private void node(long node, int level, long elements) {
    int count = nodes.getInt(node, COUNT);
    int countMin = level == height ? 2 : 1;
    if (count < countMin || count > FANOUT) {
      fault(node, "count", "" + count, "%d to %d".formatted(countMin, FANOUT));
      return;
    }
    for (int i = 0; i < FANOUT; i++) {
      long child = nodes.getLong(node, FIRST_CHILD + i * Long.BYTES);
      long start = i == 0 ? 0 : nodes.getInt(node, STARTS + i * Integer.BYTES);
      if (i >= count) {
        if (child != 0 || start != 0) {
          fault(
              node, "child " + i, "%d from %d on".formatted(child, start), "zeros: it is not used");
        }
        continue;
      }
      long end = i + 1 == count ? elements : nodes.getInt(node, STARTS + (i + 1) * Integer.BYTES);
      if (child == 0) {
        fault(node, "child " + i, "0", "one of the %d that are used".formatted(count));
      } else if (start < 0 || start >= end || end > elements) {
        fault(
            node,
            "start " + i,
            "elements %d to %d".formatted(start, end),
            "ones that follow each other, of %d".formatted(elements));
      } else {
        part(child, level - 1, end - start, node, "child " + i);
      }
    }
  }
}
