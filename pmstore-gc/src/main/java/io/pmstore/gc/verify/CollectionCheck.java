package io.pmstore.gc.verify;

/**
 * Checks the structure of a collection's nodes, as docs/format-collections.md specifies it: from
 * the bytes alone, without the code that writes them. It neither follows nor reports a reference
 * that leads to no node, because the walk that reaches the collection reports it. What then cannot
 * be known, such as the number of elements, is not compared.
 */
abstract class CollectionCheck {
  /** The offset of the reference to the counters of maps and sets, including sorted ones. */
  private static final int COUNTERS_OFFSET = 16;

  private static final int COUNTERS = 8;

  /** Receives faults. */
  interface Faults {
    /**
     * Receives a fault.
     *
     * @param place a field of the collection, or a node and its field
     */
    void add(String place, String found, String expected);
  }

  final NodeView nodes;
  final long collection;
  private final Faults faults;
  private long faultCount;
  private boolean isWhole = true;
  private long steps;

  CollectionCheck(NodeView nodes, long collection, Faults faults) {
    this.nodes = nodes;
    this.collection = collection;
    this.faults = faults;
  }

  abstract void check();

  // ---- building blocks of checks

  final void fault(String place, String found, String expected) {
    faultCount++;
    faults.add(place, found, expected);
  }

  final void fault(long node, String field, String found, String expected) {
    fault(node == collection ? field : "node@" + node + "." + field, found, expected);
  }

  final boolean hasFaults() {
    return faultCount > 0;
  }

  /** Notes that something could not be followed, so that the number of elements is unknown. */
  final void lost() {
    isWhole = false;
  }

  /** Returns true if all nodes were seen. */
  final boolean isWhole() {
    return isWhole;
  }

  /** Counts a step. Reports and ends a check that takes more steps than the heap has objects. */
  final boolean step(long node) {
    if (++steps <= nodes.objectsMax()) {
      return true;
    }
    if (isWhole) {
      fault(node, "references", "a way back to nodes above", "a way that ends");
    }
    lost();
    return false;
  }

  /**
   * Returns true if a reference with a tag leads to a node of a kind; otherwise calls {@link
   * #otherNode}.
   */
  final boolean isNode(long reference, int tag, String kind, long holder, String field) {
    if (nodes.is(reference - tag, kind)) {
      return true;
    }
    otherNode(reference, "a " + kind, holder, field);
    return false;
  }

  /** Notes that a reference leads to no node, or reports that it leads to one of another kind. */
  final void otherNode(long reference, String expected, long holder, String field) {
    lost();
    String found = nodes.kind(reference & -8);
    int roles = NodeRole.of(nodes.kind(holder)).refersTo((int) reference & 7);
    if (!found.isEmpty() && NodeRole.of(found).fits(roles)) { // otherwise the walk reports it
      fault(holder, field, nodes.describe(reference & -8), expected);
    }
  }

  /**
   * Compares the size counters of a map or set with its entries.
   *
   * @param tall whether it must have counters
   * @param entries the number of entries
   */
  final void checkCounters(boolean tall, long entries) {
    if (!isWhole) {
      return;
    }
    long counters = nodes.getLong(collection, COUNTERS_OFFSET);
    if (tall != (counters != 0)) {
      fault(
          "counters",
          counters == 0 ? "none" : "heap address " + counters,
          tall ? "counters, since the root is no entry" : "none, since there are few entries");
    } else if (tall && nodes.is(counters, "pmstore.map.counters")) {
      long sum = 0;
      for (int i = 1; i <= COUNTERS; i++) {
        sum += nodes.getLong(counters, i * Long.BYTES);
      }
      if (sum != entries) {
        fault("counters", "a sum of " + sum, entries + ", as many as there are entries");
      }
    }
  }

  /**
   * Returns the number at the end of the name of a node's kind, such as 32 for a leaf32; 0 for
   * another kind.
   */
  final int capacity(long node, String kind) {
    String name = nodes.kind(node);
    return name.startsWith(kind) ? Integer.parseInt(name.substring(kind.length())) : 0;
  }
}
