package io.pmstore.proxy.collection;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shape ids of all collection nodes in one store, and the layout of hash maps and sets. This
 * class is the only place that knows their offsets; the other layouts are in {@link LinkedShapes},
 * {@link ListShapes}, {@link DequeShapes} and {@link SortedShapes}. All offsets are in bytes from
 * the start of an object, whose first 8 bytes are its header.
 *
 * <pre>
 *   map          8 root               16 counters                                       24
 *   map node     8 child 0 .. 15                                                       136
 *   map entry    8 hash    12 second  16 next             24 key cell   40 value cell   56
 *   map number   8 key     16 next    24 value                                          32
 *   map value    8 cell                                                                 24
 *   map same     8 root    16 secret  24 hash    28 unused                              32
 *   map counters 8 counter 0 .. 7                                                       72
 *   set          as a map                                                               24
 *   set node     as a map node                                                         136
 *   set entry    as a map entry, without the value cell                                 40
 *   set number   as a map number, without the value                                     24
 *   set same     as a map same                                                          32
 * </pre>
 *
 * <p>A concurrent map has the layout of a map. {@link HashTrie} and {@link TrieEntries} explain the
 * fields; a "same" is a collision object.
 */
public final class CollectionShapes {
  private static final int WORD = 8;
  private static final int FIRST = 8;

  static final int MAP_ROOT = FIRST;
  static final int MAP_COUNTERS = 16;

  /** Set in a map's root or in a child: the reference leads to a node, not to an entry. */
  static final long MAP_NODE_BIT = 1;

  /** Set in a map's root or in a child: the reference leads to a collision object. */
  static final long MAP_SAME_BIT = 2;

  /** Set in a reference to an entry: it is a number entry. */
  static final long MAP_NUMBER_BIT = 4;

  /** Set in the value of a number entry: the reference leads to a cell, not to an object. */
  static final long VALUE_CELL_BIT = 1;

  static final int MAP_FANOUT_SHIFT = 4;
  static final int MAP_FANOUT = 1 << MAP_FANOUT_SHIFT;

  static final int ENTRY_HASH = FIRST;
  static final int ENTRY_SECOND_HASH = 12;
  static final int ENTRY_NEXT = 16;
  static final int ENTRY_KEY = 24;
  static final int ENTRY_VALUE = 40;

  static final int NUMBER_KEY = FIRST; // and ENTRY_NEXT, as in other entries
  static final int NUMBER_VALUE = 24;

  static final int VALUE_CELL = FIRST;

  static final int SAME_ROOT = FIRST;
  static final int SAME_SECRET = 16;
  static final int SAME_HASH = 24;

  static final int COUNTERS = 8;

  /** A map object. */
  public static final NodeShape MAP = table("pmstore.map");

  /** A concurrent map object. */
  public static final NodeShape CONCURRENT_MAP = table("pmstore.concurrentmap");

  /** An interior node of a map. */
  public static final NodeShape MAP_NODE = trieNode("pmstore.map.node");

  /** An entry of a map. */
  public static final NodeShape MAP_ENTRY =
      new NodeShape("pmstore.map.entry", 56, List.of(ENTRY_NEXT), List.of(ENTRY_KEY, ENTRY_VALUE));

  /** A number entry of a map. */
  static final NodeShape MAP_NUMBER =
      new NodeShape("pmstore.map.number", 32, List.of(ENTRY_NEXT, NUMBER_VALUE), List.of());

  /** The value of a number entry that is no object. */
  static final NodeShape MAP_VALUE =
      new NodeShape("pmstore.map.value", 24, List.of(), List.of(VALUE_CELL));

  /** The entries of a map whose keys have the same hash. */
  public static final NodeShape MAP_SAME = same("pmstore.map.same");

  /** The size counters of a map or set. */
  public static final NodeShape MAP_COUNTER =
      new NodeShape("pmstore.map.counters", FIRST + WORD * COUNTERS, List.of(), List.of());

  /** A set object. */
  public static final NodeShape SET = table("pmstore.set");

  /** An interior node of a set. */
  public static final NodeShape SET_NODE = trieNode("pmstore.set.node");

  /** An entry of a set. */
  public static final NodeShape SET_ENTRY =
      new NodeShape("pmstore.set.entry", 40, List.of(ENTRY_NEXT), List.of(ENTRY_KEY));

  /** A number entry of a set. */
  static final NodeShape SET_NUMBER =
      new NodeShape("pmstore.set.number", 24, List.of(ENTRY_NEXT), List.of());

  /** The entries of a set whose hashes are the same. */
  public static final NodeShape SET_SAME = same("pmstore.set.same");

  /**
   * The shape ids of the nodes of a hash trie.
   *
   * @param entry of wide entries
   * @param entrySize of wide entries, in bytes
   * @param number of number entries, which linked tries do not have
   * @param value of the values of number entries that are no objects
   * @param links the offset of the links that keep the order of the entries; 0 if they have none
   * @param same of collision objects
   */
  record Trie(
      int node,
      int entry,
      int entrySize,
      boolean hasValues,
      int number,
      int value,
      int counters,
      int links,
      int same) {
    boolean hasNumbers() {
      return links == 0;
    }
  }

  private final Map<CollectionKind, Integer> roots = new EnumMap<>(CollectionKind.class);
  private final Trie mapTrie;
  private final Trie setTrie;
  private final int mapCounters;
  private final ListShapes lists;
  private final DequeShapes deques;
  private final SortedShapes sorted;
  private final LinkedShapes linked;
  private final @Nullable CollectionKind[] kinds; // by shape id

  /** Looks up the shapes of all nodes in the store's catalogue, and adds those that are missing. */
  public CollectionShapes(NodeShape.Registry registry) {
    for (CollectionKind kind : CollectionKind.values()) {
      roots.put(kind, registry.shapeId(kind.root()));
    }
    mapCounters = registry.shapeId(MAP_COUNTER);
    mapTrie = trie(registry, MAP_NODE, MAP_ENTRY, MAP_NUMBER, MAP_SAME, true);
    setTrie = trie(registry, SET_NODE, SET_ENTRY, SET_NUMBER, SET_SAME, false);
    lists = new ListShapes(registry);
    deques = new DequeShapes(registry);
    sorted = new SortedShapes(registry);
    linked = new LinkedShapes(registry, mapCounters);
    kinds = kinds();
  }

  private Trie trie(
      NodeShape.Registry registry,
      NodeShape node,
      NodeShape entry,
      NodeShape number,
      NodeShape same,
      boolean hasValues) {
    return new Trie(
        registry.shapeId(node),
        registry.shapeId(entry),
        entry.size(),
        hasValues,
        registry.shapeId(number),
        hasValues ? registry.shapeId(MAP_VALUE) : 0,
        mapCounters,
        0,
        registry.shapeId(same));
  }

  private @Nullable CollectionKind[] kinds() {
    @Nullable CollectionKind[] result = {};
    for (CollectionKind kind : CollectionKind.values()) {
      int id = id(kind);
      if (id >= 0) { // below 0: the store is read-only and has no such collection
        result = Arrays.copyOf(result, Math.max(result.length, id + 1));
        result[id] = kind;
      }
    }
    return result;
  }

  /** Returns the kind of collection that objects of a shape are, or null. */
  public @Nullable CollectionKind kind(int shapeId) {
    return shapeId >= 0 && shapeId < kinds.length ? kinds[shapeId] : null;
  }

  /** Returns the shape id of the collection objects of a kind. */
  int id(CollectionKind kind) {
    return Objects.requireNonNull(roots.get(kind));
  }

  public ListShapes lists() {
    return lists;
  }

  public DequeShapes deques() {
    return deques;
  }

  public SortedShapes sorted() {
    return sorted;
  }

  public LinkedShapes linked() {
    return linked;
  }

  /** Returns the shapes of the hash trie of a map or set. */
  Trie trie(CollectionKind kind) {
    return switch (kind) {
      case MAP, CONCURRENT_MAP -> mapTrie;
      case SET -> setTrie;
      case LINKED_MAP -> linked.mapTrie();
      case LINKED_SET -> linked.setTrie();
      default -> throw new IllegalArgumentException("a " + kind + " has no hash trie");
    };
  }

  int mapCounters() {
    return mapCounters;
  }

  static int mapChild(int slot) {
    return FIRST + WORD * slot;
  }

  static int counter(int stripe) {
    return FIRST + WORD * stripe;
  }

  private static NodeShape table(String name) {
    return new NodeShape(name, 24, List.of(MAP_ROOT, MAP_COUNTERS), List.of());
  }

  static NodeShape same(String name) {
    return new NodeShape(name, 32, List.of(SAME_ROOT), List.of());
  }

  static NodeShape trieNode(String name) {
    return new NodeShape(
        name, FIRST + WORD * MAP_FANOUT, NodeShape.row(FIRST, MAP_FANOUT, WORD), List.of());
  }
}
