package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_KEY;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_NEXT;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_COUNTERS;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_ROOT;

import java.util.List;

/**
 * The layout of the nodes of linked maps and sets, and their shape ids in one store. This class is
 * the only place that knows their offsets. All offsets are in bytes from the start of an object,
 * whose first 8 bytes are its header.
 *
 * <pre>
 *   linked map        8 root       16 counters   24 first end   32 last end           40
 *   linked map entry  as a map entry, then the links:
 *                    56 number     64 before     72 after                             80
 *   linked set        as a linked map                                                 40
 *   linked set entry  as a set entry, then the links:
 *                    40 number     48 before     56 after                             64
 *   linked node       as a map node                                                  136
 *   linked same       as a map same                                                   32
 *   linked end        8 entry                                                         16
 * </pre>
 *
 * <p>The links, and the entry of an end, are plain numbers and not references: only the trie refers
 * to an entry. {@link LinkedOrder} explains them.
 */
public final class LinkedShapes {
  static final int FIRST_END = 24;
  static final int LAST_END = 32;

  static final int END_ENTRY = 8;

  // Offsets from the start of the links.
  static final int NUMBER = 0;
  static final int BEFORE = 8;
  static final int AFTER = 16;

  private static final int MAP_LINKS = 56;
  private static final int SET_LINKS = 40;
  private static final int LINKS_SIZE = 24;

  /** A linked map object. */
  public static final NodeShape MAP = table("pmstore.linkedmap");

  /** A linked set object. */
  public static final NodeShape SET = table("pmstore.linkedset");

  /** An interior node of a linked map or set. */
  public static final NodeShape NODE = CollectionShapes.trieNode("pmstore.linked.node");

  /** The entries of a linked map or set whose keys have the same hash. */
  public static final NodeShape SAME = CollectionShapes.same("pmstore.linked.same");

  /** An entry of a linked map. */
  public static final NodeShape MAP_ENTRY =
      new NodeShape(
          "pmstore.linkedmap.entry",
          MAP_LINKS + LINKS_SIZE,
          List.of(ENTRY_NEXT),
          List.of(ENTRY_KEY, ENTRY_VALUE));

  /** An entry of a linked set. */
  public static final NodeShape SET_ENTRY =
      new NodeShape(
          "pmstore.linkedset.entry",
          SET_LINKS + LINKS_SIZE,
          List.of(ENTRY_NEXT),
          List.of(ENTRY_KEY));

  /** One of the two ends of a linked map or set. */
  public static final NodeShape END = new NodeShape("pmstore.linked.end", 16, List.of(), List.of());

  private final int end;
  private final CollectionShapes.Trie mapTrie;
  private final CollectionShapes.Trie setTrie;

  LinkedShapes(NodeShape.Registry registry, int counters) {
    end = registry.shapeId(END);
    int node = registry.shapeId(NODE);
    int same = registry.shapeId(SAME);
    mapTrie =
        new CollectionShapes.Trie(
            node,
            registry.shapeId(MAP_ENTRY),
            MAP_ENTRY.size(),
            true,
            0,
            0,
            counters,
            MAP_LINKS,
            same);
    setTrie =
        new CollectionShapes.Trie(
            node,
            registry.shapeId(SET_ENTRY),
            SET_ENTRY.size(),
            false,
            0,
            0,
            counters,
            SET_LINKS,
            same);
  }

  int end() {
    return end;
  }

  CollectionShapes.Trie mapTrie() {
    return mapTrie;
  }

  CollectionShapes.Trie setTrie() {
    return setTrie;
  }

  private static NodeShape table(String name) {
    return new NodeShape(name, 40, List.of(MAP_ROOT, MAP_COUNTERS, FIRST_END, LAST_END), List.of());
  }
}
