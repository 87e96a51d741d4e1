package io.pmstore.proxy.collection;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape ids that the nodes of all persistent collections have in one store, and the layout of
 * those of hash maps and sets: the only place that knows their offsets. The others are in {@link
 * ListShapes}, {@link DequeShapes} and {@link SortedShapes}. All offsets are in bytes from the
 * start of an object, whose first 8 bytes are its header.
 *
 * <pre>
 *   map          8 root               16 counters                                       24
 *   map node     8 child 0 .. 15                                                       136
 *   map entry    8 hash    12 unused  16 next             24 key cell   40 value cell   56
 *   map counters 8 counter 0 .. 7                                                       72
 *   set          as a map                                                               24
 *   set node     as a map node                                                         136
 *   set entry    as a map entry, without the value cell                                 40
 * </pre>
 *
 * <p>A concurrent map has the layout of a map. {@link HashTrie} says what the fields mean.
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

  /** The object that is a map. */
  public static final NodeShape MAP = table("pmstore.map");

  /** The object that is a concurrent map. */
  public static final NodeShape CONCURRENT_MAP = table("pmstore.concurrentmap");

  /** An interior node of a map. */
  public static final NodeShape MAP_NODE = trieNode("pmstore.map.node");

  /** An entry of a map. */
  public static final NodeShape MAP_ENTRY =
      new NodeShape("pmstore.map.entry", 56, List.of(ENTRY_NEXT), List.of(ENTRY_KEY, ENTRY_VALUE));

  /** The size counters of a map or set. */
  public static final NodeShape MAP_COUNTER =
      new NodeShape("pmstore.map.counters", FIRST + WORD * COUNTERS, List.of(), List.of());

  /** The object that is a set. */
  public static final NodeShape SET = table("pmstore.set");

  /** An interior node of a set. */
  public static final NodeShape SET_NODE = trieNode("pmstore.set.node");

  /** An entry of a set. */
  public static final NodeShape SET_ENTRY =
      new NodeShape("pmstore.set.entry", 40, List.of(ENTRY_NEXT), List.of(ENTRY_KEY));

  /**
   * The shapes of the nodes of a hash trie.
   *
   * @param node interior nodes
   * @param entry entries
   * @param entrySize of an entry in bytes
   * @param hasValues whether entries have a value cell
   * @param counters the size counters
   */
  record Trie(int node, int entry, int entrySize, boolean hasValues, int counters) {}

  private final int map;
  private final int concurrentMap;
  private final Trie mapTrie;
  private final int set;
  private final Trie setTrie;
  private final int mapCounters;
  private final ListShapes lists;
  private final DequeShapes deques;
  private final SortedShapes sorted;
  private final @Nullable CollectionKind[] kinds; // by shape id

  /**
   * Looks up, or adds to the catalogue, all node kinds.
   *
   * @param registry the store's catalogue
   */
  public CollectionShapes(NodeShape.Registry registry) {
    map = registry.shapeId(MAP);
    concurrentMap = registry.shapeId(CONCURRENT_MAP);
    mapCounters = registry.shapeId(MAP_COUNTER);
    mapTrie = trie(registry, MAP_NODE, MAP_ENTRY, true);
    set = registry.shapeId(SET);
    setTrie = trie(registry, SET_NODE, SET_ENTRY, false);
    lists = new ListShapes(registry);
    deques = new DequeShapes(registry);
    sorted = new SortedShapes(registry);
    kinds = kinds();
  }

  private Trie trie(
      NodeShape.Registry registry, NodeShape node, NodeShape entry, boolean hasValues) {
    return new Trie(
        registry.shapeId(node), registry.shapeId(entry), entry.size(), hasValues, mapCounters);
  }

  private @Nullable CollectionKind[] kinds() {
    @Nullable CollectionKind[] result = {};
    for (CollectionKind kind : CollectionKind.values()) {
      int id = kind.shape(this);
      if (id >= 0) { // else the store is only read, and has none
        result = Arrays.copyOf(result, Math.max(result.length, id + 1));
        result[id] = kind;
      }
    }
    return result;
  }

  /** The kind of the collection that an object of a shape is; null if it is none. */
  @Nullable CollectionKind kind(int shapeId) {
    return shapeId >= 0 && shapeId < kinds.length ? kinds[shapeId] : null;
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
   * The shape of the object that is a concurrent map.
   *
   * @return its id: an object with this id is read as a {@link PersistentConcurrentMap}
   */
  public int concurrentMap() {
    return concurrentMap;
  }

  /**
   * The shape of the object that is a set.
   *
   * @return its id: an object with this id is read as a {@link PersistentSet}
   */
  public int set() {
    return set;
  }

  /**
   * The shapes of lists.
   *
   * @return their ids
   */
  public ListShapes lists() {
    return lists;
  }

  /**
   * The shapes of deques.
   *
   * @return their ids
   */
  public DequeShapes deques() {
    return deques;
  }

  /**
   * The shapes of sorted maps and sets.
   *
   * @return their ids
   */
  public SortedShapes sorted() {
    return sorted;
  }

  Trie mapTrie() {
    return mapTrie;
  }

  Trie setTrie() {
    return setTrie;
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

  private static NodeShape trieNode(String name) {
    return new NodeShape(
        name, FIRST + WORD * MAP_FANOUT, NodeShape.row(FIRST, MAP_FANOUT, WORD), List.of());
  }
}
