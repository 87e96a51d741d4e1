package io.pmstore.gc.verify;

import static java.util.Map.entry;

import io.pmstore.core.heap.ForwarderLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What an object may be to those that refer to it, as a bit, and what it may refer to, as a set of
 * bits. So a reference inside a collection that leads to something else is found. A shape of the
 * store's own that is not known here may be and refer to anything.
 *
 * @param is what the object is
 * @param refersTo what its references may lead to; its cells lead to objects and blobs
 * @param refersToMarked what those with their lowest bit set may lead to
 */
record NodeRole(int is, int refersTo, int refersToMarked) {
  /** An object by itself, of a user's class or a collection: what beans and cells refer to. */
  static final int OBJECT = 1;

  static final NodeRole OF_USER = new NodeRole(OBJECT, OBJECT, 0);

  private static final int MAP_NODE = 1 << 1;
  private static final int MAP_ENTRY = 1 << 2;
  private static final int MAP_COUNTERS = 1 << 3;
  private static final int LIST_NODE = 1 << 4;
  private static final int LIST_LEAF = 1 << 5;
  private static final int SET_NODE = 1 << 6;
  private static final int SET_ENTRY = 1 << 7;
  private static final int DEQUE_END = 1 << 8;
  private static final int DEQUE_CHUNK = 1 << 9;
  private static final int SORTED_NODE = 1 << 10;
  private static final int ENTRIES = 1 << 11;
  private static final int ELEMENTS = 1 << 12;
  private static final int BODY = 1 << 13;
  private static final int ANYTHING = -1;

  private static final List<String> NAMES =
      List.of(
          "an object or collection",
          "a node of a map",
          "an entry of a map",
          "the counters of a map or set",
          "a node of a list",
          "a leaf of a list",
          "a node of a set",
          "an entry of a set",
          "an end of a deque",
          "a chunk of a deque",
          "a node of a sorted map or set",
          "a leaf of a sorted map",
          "a leaf of a sorted set",
          "the body of a moved object");

  private static final NodeRole UNKNOWN = new NodeRole(ANYTHING, ANYTHING, ANYTHING);
  private static final NodeRole BODY_OF_USER = new NodeRole(BODY, OBJECT, 0);
  private static final NodeRole NOTHING = new NodeRole(0, 0, 0);
  private static final NodeRole LEAF = new NodeRole(LIST_LEAF, 0, 0);

  private static final NodeRole MAP = new NodeRole(OBJECT, MAP_ENTRY | MAP_COUNTERS, MAP_NODE);
  private static final NodeRole CHUNK = new NodeRole(DEQUE_CHUNK, DEQUE_CHUNK, 0);
  private static final NodeRole SORTED_ENTRIES = new NodeRole(ENTRIES, 0, 0);
  private static final NodeRole SORTED_ELEMENTS = new NodeRole(ELEMENTS, 0, 0);

  private static final Map<String, NodeRole> COLLECTIONS =
      Map.ofEntries(
          entry(ForwarderLayout.CLASS_NAME, new NodeRole(OBJECT, BODY, 0)),
          entry("pmstore.map", MAP),
          entry("pmstore.concurrentmap", MAP),
          entry("pmstore.map.node", new NodeRole(MAP_NODE, MAP_ENTRY, MAP_NODE)),
          entry("pmstore.map.entry", new NodeRole(MAP_ENTRY, MAP_ENTRY, 0)),
          entry("pmstore.map.counters", new NodeRole(MAP_COUNTERS, 0, 0)),
          entry("pmstore.set", new NodeRole(OBJECT, SET_ENTRY | MAP_COUNTERS, SET_NODE)),
          entry("pmstore.set.node", new NodeRole(SET_NODE, SET_ENTRY, SET_NODE)),
          entry("pmstore.set.entry", new NodeRole(SET_ENTRY, SET_ENTRY, 0)),
          entry("pmstore.list", new NodeRole(OBJECT, LIST_NODE | LIST_LEAF, 0)),
          entry("pmstore.list.node", new NodeRole(LIST_NODE, LIST_NODE | LIST_LEAF, 0)),
          entry("pmstore.list.leaf4", LEAF),
          entry("pmstore.list.leaf8", LEAF),
          entry("pmstore.list.leaf16", LEAF),
          entry("pmstore.list.leaf32", LEAF),
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

  static NodeRole of(String className) {
    NodeRole known = COLLECTIONS.get(className);
    if (known != null) {
      return known;
    }
    return className.startsWith("pmstore.") ? UNKNOWN : OF_USER;
  }

  /** The role of an object of a user's class that is the body of another; nothing else is one. */
  NodeRole ofBody() {
    return equals(OF_USER) ? BODY_OF_USER : NOTHING;
  }

  /** What a reference of an object of this role may lead to, by its three low bits; 0: nothing. */
  int refersTo(int lowBits) {
    return switch (lowBits) {
      case 0 -> refersTo;
      case 1 -> refersToMarked;
      default -> is == ANYTHING ? ANYTHING : 0;
    };
  }

  /** Says what references of objects of this role look like. */
  String expectedReference() {
    return refersToMarked == 0 ? "a multiple of 8" : "a multiple of 8, or one more than that";
  }

  /**
   * Whether an object of this role is a part of one other object and of no second one. The chunks
   * of a deque refer to each other, and its ends to them.
   */
  boolean isPart() {
    return is != OBJECT && is != DEQUE_CHUNK && is != ANYTHING;
  }

  boolean fits(int allowed) {
    return (is & allowed) != 0;
  }

  /** Says what a set of roles is. */
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
