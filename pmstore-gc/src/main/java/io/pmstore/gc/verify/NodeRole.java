package io.pmstore.gc.verify;

import static java.util.Map.entry;

import io.pmstore.core.heap.ForwarderLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The role of an object in a collection, as a bit, and the roles of the objects to which it may
 * refer, as a set of bits. With them verification finds a reference inside a collection that leads
 * to the wrong kind of object. An unknown shape of the store's own has every role and may refer to
 * every role.
 *
 * @param is the role of the object
 * @param refersTo the roles to which its references may lead; its cells lead to objects and blobs
 * @param refersToMarked the roles to which references with the lowest bit set may lead
 * @param refersToSame the roles to which references with the next bit set may lead
 * @param refersToNumber the roles to which references with the third bit set may lead
 */
record NodeRole(int is, int refersTo, int refersToMarked, int refersToSame, int refersToNumber) {
  /** An object by itself, of a user's class or a collection: what beans and cells refer to. */
  static final int OBJECT = 1;

  static final NodeRole OF_USER = new NodeRole(OBJECT, OBJECT, 0);

  private static final int MAP_NODE = 1 << 1;
  private static final int MAP_ENTRY = 1 << 2;
  private static final int MAP_COUNTERS = 1 << 3;
  private static final int LIST_NODE = 1 << 4;
  private static final int LIST_CELLS = 1 << 5;
  private static final int SET_NODE = 1 << 6;
  private static final int SET_ENTRY = 1 << 7;
  private static final int DEQUE_END = 1 << 8;
  private static final int DEQUE_CHUNK = 1 << 9;
  private static final int SORTED_NODE = 1 << 10;
  private static final int ENTRIES = 1 << 11;
  private static final int ELEMENTS = 1 << 12;
  private static final int BODY = 1 << 13;
  private static final int LINKED_NODE = 1 << 14;
  private static final int LINKED_MAP_ENTRY = 1 << 15;
  private static final int LINKED_SET_ENTRY = 1 << 16;
  private static final int LINKED_END = 1 << 17;
  private static final int MAP_SAME = 1 << 18;
  private static final int SET_SAME = 1 << 19;
  private static final int LINKED_SAME = 1 << 20;
  private static final int LIST_REFERENCES = 1 << 21;
  private static final int MAP_NUMBER = 1 << 22;
  private static final int SET_NUMBER = 1 << 23;
  private static final int MAP_VALUE = 1 << 24;
  private static final int ANYTHING = -1;

  private static final List<String> NAMES =
      List.of(
          "an object or collection",
          "a node of a map",
          "an entry of a map",
          "the counters of a map or set",
          "a node of a list",
          "a leaf of cells of a list",
          "a node of a set",
          "an entry of a set",
          "an end of a deque",
          "a chunk of a deque",
          "a node of a sorted map or set",
          "a leaf of a sorted map",
          "a leaf of a sorted set",
          "the body of a moved object",
          "a node of a linked map or set",
          "an entry of a linked map",
          "an entry of a linked set",
          "an end of a linked map or set",
          "entries of a map with one hash",
          "entries of a set with one hash",
          "entries of a linked map or set with one hash",
          "a leaf of references of a list",
          "an entry of a map with a number as its key",
          "an entry of a set with a number as its key",
          "the value of an entry of a map");

  private static final NodeRole UNKNOWN =
      new NodeRole(ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING);
  private static final NodeRole BODY_OF_USER = new NodeRole(BODY, OBJECT, 0);
  private static final NodeRole NOTHING = new NodeRole(0, 0, 0);
  private static final NodeRole LEAF_OF_CELLS = new NodeRole(LIST_CELLS, 0, 0);
  private static final NodeRole LEAF_OF_REFERENCES = new NodeRole(LIST_REFERENCES, OBJECT, 0);

  private static final NodeRole MAP =
      new NodeRole(OBJECT, MAP_ENTRY | MAP_COUNTERS, MAP_NODE, MAP_SAME, MAP_NUMBER);
  private static final NodeRole CHUNK = new NodeRole(DEQUE_CHUNK, DEQUE_CHUNK, 0);
  private static final NodeRole SORTED_ENTRIES = new NodeRole(ENTRIES, 0, 0);
  private static final NodeRole SORTED_ELEMENTS = new NodeRole(ELEMENTS, 0, 0);

  private static final Map<String, NodeRole> COLLECTIONS =
      Map.ofEntries(
          entry(ForwarderLayout.CLASS_NAME, new NodeRole(OBJECT, BODY, 0)),
          entry("pmstore.map", MAP),
          entry("pmstore.concurrentmap", MAP),
          entry(
              "pmstore.map.node",
              new NodeRole(MAP_NODE, MAP_ENTRY, MAP_NODE, MAP_SAME, MAP_NUMBER)),
          entry("pmstore.map.entry", new NodeRole(MAP_ENTRY, MAP_ENTRY, 0, 0, MAP_NUMBER)),
          entry(
              "pmstore.map.number",
              new NodeRole(MAP_NUMBER, MAP_ENTRY | OBJECT, MAP_VALUE, 0, MAP_NUMBER)),
          entry("pmstore.map.value", new NodeRole(MAP_VALUE, 0, 0)),
          entry("pmstore.map.same", new NodeRole(MAP_SAME, MAP_ENTRY, MAP_NODE, 0, MAP_NUMBER)),
          entry("pmstore.map.counters", new NodeRole(MAP_COUNTERS, 0, 0)),
          entry(
              "pmstore.set",
              new NodeRole(OBJECT, SET_ENTRY | MAP_COUNTERS, SET_NODE, SET_SAME, SET_NUMBER)),
          entry(
              "pmstore.set.node",
              new NodeRole(SET_NODE, SET_ENTRY, SET_NODE, SET_SAME, SET_NUMBER)),
          entry("pmstore.set.same", new NodeRole(SET_SAME, SET_ENTRY, SET_NODE, 0, SET_NUMBER)),
          entry("pmstore.set.entry", new NodeRole(SET_ENTRY, SET_ENTRY, 0, 0, SET_NUMBER)),
          entry("pmstore.set.number", new NodeRole(SET_NUMBER, SET_ENTRY, 0, 0, SET_NUMBER)),
          entry("pmstore.linkedmap", linked(LINKED_MAP_ENTRY)),
          entry("pmstore.linkedmap.entry", new NodeRole(LINKED_MAP_ENTRY, LINKED_MAP_ENTRY, 0)),
          entry("pmstore.linkedset", linked(LINKED_SET_ENTRY)),
          entry("pmstore.linkedset.entry", new NodeRole(LINKED_SET_ENTRY, LINKED_SET_ENTRY, 0)),
          entry(
              "pmstore.linked.node",
              new NodeRole(
                  LINKED_NODE, LINKED_MAP_ENTRY | LINKED_SET_ENTRY, LINKED_NODE, LINKED_SAME, 0)),
          entry(
              "pmstore.linked.same",
              new NodeRole(LINKED_SAME, LINKED_MAP_ENTRY | LINKED_SET_ENTRY, LINKED_NODE)),
          entry("pmstore.linked.end", new NodeRole(LINKED_END, 0, 0)),
          entry("pmstore.list", new NodeRole(OBJECT, LIST_NODE | LIST_CELLS, LIST_REFERENCES)),
          entry(
              "pmstore.list.node",
              new NodeRole(LIST_NODE, LIST_NODE | LIST_CELLS, LIST_REFERENCES)),
          entry("pmstore.list.references3", LEAF_OF_REFERENCES),
          entry("pmstore.list.references7", LEAF_OF_REFERENCES),
          entry("pmstore.list.references15", LEAF_OF_REFERENCES),
          entry("pmstore.list.references31", LEAF_OF_REFERENCES),
          entry("pmstore.list.cells3", LEAF_OF_CELLS),
          entry("pmstore.list.cells7", LEAF_OF_CELLS),
          entry("pmstore.list.cells15", LEAF_OF_CELLS),
          entry("pmstore.list.cells31", LEAF_OF_CELLS),
          entry("pmstore.deque", new NodeRole(OBJECT, DEQUE_END, 0)),
          entry("pmstore.deque.end", new NodeRole(DEQUE_END, DEQUE_CHUNK, 0)),
          entry("pmstore.deque.chunk4", CHUNK),
          entry("pmstore.deque.chunk8", CHUNK),
          entry("pmstore.deque.chunk16", CHUNK),
          entry("pmstore.deque.chunk32", CHUNK),
          entry("pmstore.sortedmap", new NodeRole(OBJECT, ENTRIES | MAP_COUNTERS, SORTED_NODE)),
          entry("pmstore.sortedset", new NodeRole(OBJECT, ELEMENTS | MAP_COUNTERS, SORTED_NODE)),
          entry("pmstore.sorted.node", new NodeRole(SORTED_NODE, ENTRIES | ELEMENTS, SORTED_NODE)),
          entry("pmstore.sorted.entries3", SORTED_ENTRIES),
          entry("pmstore.sorted.entries7", SORTED_ENTRIES),
          entry("pmstore.sorted.entries15", SORTED_ENTRIES),
          entry("pmstore.sorted.elements3", SORTED_ELEMENTS),
          entry("pmstore.sorted.elements7", SORTED_ELEMENTS),
          entry("pmstore.sorted.elements15", SORTED_ELEMENTS));

  private static NodeRole linked(int entry) {
    return new NodeRole(OBJECT, entry | MAP_COUNTERS | LINKED_END, LINKED_NODE, LINKED_SAME, 0);
  }

  private NodeRole(int is, int refersTo, int refersToMarked) {
    this(is, refersTo, refersToMarked, 0, 0);
  }

  static NodeRole of(String className) {
    NodeRole known = COLLECTIONS.get(className);
    if (known != null) {
      return known;
    }
    return className.startsWith("pmstore.") ? UNKNOWN : OF_USER;
  }

  /**
   * Returns the role of a body whose object has this role: only objects of users' classes have
   * bodies.
   */
  NodeRole ofBody() {
    return equals(OF_USER) ? BODY_OF_USER : NOTHING;
  }

  /**
   * Returns what a reference of an object of this role may lead to, by its three low bits; 0 for
   * nothing.
   */
  int refersTo(int lowBits) {
    return switch (lowBits) {
      case 0 -> refersTo;
      case 1 -> refersToMarked;
      case 2 -> refersToSame;
      case 4 -> refersToNumber;
      default -> is == ANYTHING ? ANYTHING : 0;
    };
  }

  /** Describes valid references of objects of this role. */
  String expectedReference() {
    List<String> more = new ArrayList<>();
    for (int lowBits = 1; lowBits < Long.BYTES; lowBits++) {
      if (refersTo(lowBits) != 0) {
        more.add(String.valueOf(lowBits));
      }
    }
    return more.isEmpty()
        ? "a multiple of 8"
        : "a multiple of 8, or that plus " + String.join(" or ", more);
  }

  /**
   * Returns true if an object of this role is part of exactly one other object. The chunks of a
   * deque are not: they refer to each other, and the ends refer to them.
   */
  boolean isPart() {
    return is != OBJECT && is != DEQUE_CHUNK && is != ANYTHING;
  }

  boolean fits(int allowed) {
    return (is & allowed) != 0;
  }

  /** Describes a set of roles. */
  static String names(int roles) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      if ((roles & 1 << i) != 0) {
        names.add(NAMES.get(i));
      }
    }
    return names.isEmpty() ? "null" : String.join(" or ", names);
  }
}
