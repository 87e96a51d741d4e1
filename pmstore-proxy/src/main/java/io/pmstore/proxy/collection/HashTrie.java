package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.COUNTERS;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_HASH;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_KEY;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_NEXT;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_COUNTERS;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_FANOUT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_FANOUT_SHIFT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_NODE_BIT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_ROOT;
import static io.pmstore.proxy.collection.CollectionShapes.counter;
import static io.pmstore.proxy.collection.CollectionShapes.mapChild;

import io.pmstore.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/**
 * The hash trie of a map or set in the heap: finds, adds and removes entries.
 *
 * <p>A slot (the map's root, or a child of a node) holds nothing, a chain of entries, or a node. A
 * node at depth d distributes by the d-th 4 bits of the spread hash, highest first, so that walking
 * the trie in slot order visits entries in the order of their unsigned hash whatever its shape: a
 * hash is a position for an iterator that survives every change.
 *
 * <ul>
 *   <li>A chain holds up to {@value #CHAIN_MAX} entries, or any number whose hashes are all the
 *       same. One entry more makes it a node: a local split, at most 8 nodes deep.
 *   <li>A node is never empty: with its last entry it goes, and the nodes above that have no other
 *       child.
 *   <li>The root's node, while there is one, comes with a counters object whose words sum up to the
 *       number of entries; without it the entries are counted in the root's chain. So only changes
 *       of the root touch the map object.
 * </ul>
 *
 * <p>Methods that change are called inside a transaction, the others inside a transaction or a
 * consistent read.
 */
final class HashTrie {
  private static final int CHAIN_MAX = 4;
  private static final int TOP_SHIFT = Integer.SIZE - MAP_FANOUT_SHIFT;

  /** The position behind the last hash. */
  static final long END = 1L << Integer.SIZE;

  private final Heap heap;
  private final CellCodec codec;
  private final CollectionShapes.Trie shapes;

  HashTrie(CollectionSpace space, CollectionShapes.Trie shapes) {
    heap = space.heap();
    codec = space.codec();
    this.shapes = shapes;
  }

  /**
   * Hash of a key as entries keep it: a bijection that spreads well (the finalizer of MurmurHash3,
   * Appleby 2011).
   */
  int hash(@Nullable Object key) {
    int h = codec.hash(key);
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  /**
   * Says whether a slot refers to a node. The reference itself tells, so that a look-up loads one
   * word a level.
   */
  private static boolean isNode(long slot) {
    return (slot & MAP_NODE_BIT) != 0;
  }

  private static long node(long slot) {
    return slot & ~MAP_NODE_BIT;
  }

  private static int slot(int hash, int shift) {
    return (hash >>> shift) & (MAP_FANOUT - 1);
  }

  /** The entry of a key, or 0. */
  long find(long map, @Nullable Object key, int hash) {
    long at = heap.getLong(map, MAP_ROOT);
    int shift = TOP_SHIFT;
    while (isNode(at)) {
      at = heap.getLong(node(at), mapChild(slot(hash, shift)));
      shift -= MAP_FANOUT_SHIFT;
    }
    while (at != 0
        && !(heap.getInt(at, ENTRY_HASH) == hash && codec.cellEquals(at, ENTRY_KEY, key))) {
      at = heap.getLong(at, ENTRY_NEXT);
    }
    return at;
  }

  /** The number of entries. */
  long size(long map) {
    long counters = heap.getLong(map, MAP_COUNTERS);
    long size = 0;
    if (counters == 0) {
      for (long at = heap.getLong(map, MAP_ROOT); at != 0; at = heap.getLong(at, ENTRY_NEXT)) {
        size++;
      }
      return size;
    }
    for (int i = 0; i < COUNTERS; i++) {
      size += heap.counter(counters, counter(i));
    }
    return size;
  }

  boolean isEmpty(long map) {
    return heap.getLong(map, MAP_ROOT) == 0;
  }

  void clear(long map) {
    heap.putLong(map, MAP_ROOT, 0);
    heap.putLong(map, MAP_COUNTERS, 0);
  }

  private void count(long map, int hash, long n) {
    long counters = heap.getLong(map, MAP_COUNTERS);
    if (counters != 0) {
      heap.addToCounter(counters, counter(hash & (COUNTERS - 1)), n);
    }
  }

  /** Adds an entry for a key that has none; a set's has no value. */
  void insert(long map, @Nullable Object key, int hash, @Nullable Object value) {
    // The cells first: a value that cannot be stored throws here, and the map is as it was.
    long entry = heap.allocate(shapes.entry(), shapes.entrySize());
    heap.putInt(entry, ENTRY_HASH, hash);
    codec.writeCell(entry, ENTRY_KEY, key);
    if (shapes.hasValues()) {
      codec.writeCell(entry, ENTRY_VALUE, value);
    }

    long owner = map;
    int offset = MAP_ROOT;
    int shift = TOP_SHIFT;
    long at = heap.getLong(owner, offset);
    while (isNode(at)) {
      owner = node(at);
      offset = mapChild(slot(hash, shift));
      shift -= MAP_FANOUT_SHIFT;
      at = heap.getLong(owner, offset);
    }
    Chain chain = new Chain(at);
    if (chain.length < CHAIN_MAX || (chain.uniform && chain.hash == hash)) {
      if (at != 0) {
        heap.putLong(entry, ENTRY_NEXT, at);
      }
      heap.putLong(owner, offset, entry);
      count(map, hash, 1);
      return;
    }
    heap.putLong(owner, offset, split(chain, entry, hash, shift));
    if (owner == map) {
      long counters = heap.allocate(shapes.counters(), CollectionShapes.MAP_COUNTER.size());
      heap.addToCounter(counters, counter(0), chain.length + 1L);
      heap.putLong(map, MAP_COUNTERS, counters);
    } else {
      count(map, hash, 1);
    }
  }

  /** A chain as a split sees it: the entries themselves are looked at only if they are few. */
  private final class Chain {
    final long head;
    final int hash;
    final boolean uniform;
    final int length;

    Chain(long head) {
      this.head = head;
      int first = head == 0 ? 0 : heap.getInt(head, ENTRY_HASH);
      int n = 0;
      boolean same = true;
      for (long at = head; at != 0; at = heap.getLong(at, ENTRY_NEXT)) {
        same &= heap.getInt(at, ENTRY_HASH) == first;
        n++;
      }
      hash = first;
      uniform = same;
      length = n;
    }
  }

  /** Makes nodes of a chain and one entry more; returns what the slot is to refer to. */
  private long split(Chain chain, long entry, int hash, int shift) {
    // A uniform chain, however long, moves as a whole. Any other has at most CHAIN_MAX entries.
    int parts = chain.uniform ? 1 : chain.length;
    long[] heads = new long[parts + 1];
    int[] hashes = new int[parts + 1];
    long at = chain.head;
    for (int i = 0; i < parts; i++) {
      heads[i] = at;
      hashes[i] = heap.getInt(at, ENTRY_HASH);
      at = heap.getLong(at, ENTRY_NEXT);
    }
    heads[parts] = entry;
    hashes[parts] = hash;

    long top = newNode();
    long node = top;
    // Where all go the same way one level is not enough.
    while (sameSlot(hashes, shift)) {
      long below = newNode();
      heap.putLong(node, mapChild(slot(hash, shift)), below | MAP_NODE_BIT);
      node = below;
      shift -= MAP_FANOUT_SHIFT;
    }
    for (int i = 0; i <= parts; i++) {
      int offset = mapChild(slot(hashes[i], shift));
      if (!chain.uniform && heap.getLong(heads[i], ENTRY_NEXT) != heap.getLong(node, offset)) {
        heap.putLong(heads[i], ENTRY_NEXT, heap.getLong(node, offset));
      }
      heap.putLong(node, offset, heads[i]);
    }
    return top | MAP_NODE_BIT;
  }

  private long newNode() {
    return heap.allocate(shapes.node(), CollectionShapes.MAP_NODE.size());
  }

  private static boolean sameSlot(int[] hashes, int shift) {
    for (int hash : hashes) {
      if (slot(hash, shift) != slot(hashes[0], shift)) {
        return false;
      }
    }
    return true;
  }

  /** Takes an entry out. */
  void remove(long map, long entry, int hash) {
    long owner = map;
    int offset = MAP_ROOT;
    int shift = TOP_SHIFT;
    long at = heap.getLong(owner, offset);
    while (isNode(at)) {
      owner = node(at);
      offset = mapChild(slot(hash, shift));
      shift -= MAP_FANOUT_SHIFT;
      at = heap.getLong(owner, offset);
    }
    count(map, hash, -1);
    boolean only = at == entry && owner != map;
    while (at != entry) {
      owner = at;
      offset = ENTRY_NEXT;
      at = heap.getLong(owner, offset);
    }
    long next = heap.getLong(entry, ENTRY_NEXT);
    heap.putLong(owner, offset, next);
    if (only && next == 0) {
      prune(map, hash);
    }
  }

  /**
   * After a slot on the way of a hash became empty: cuts off the nodes that have nothing else in
   * them.
   */
  private void prune(long map, int hash) {
    long cutOwner = map;
    int cutOffset = MAP_ROOT;
    int shift = TOP_SHIFT;
    long at = heap.getLong(map, MAP_ROOT);
    while (at != 0) { // down to the empty slot; every object on the way is a node
      int way = mapChild(slot(hash, shift));
      if (hasChildBeside(node(at), way)) {
        cutOwner = node(at);
        cutOffset = way;
      }
      at = heap.getLong(node(at), way);
      shift -= MAP_FANOUT_SHIFT;
    }
    if (heap.getLong(cutOwner, cutOffset) != 0) {
      heap.putLong(cutOwner, cutOffset, 0);
      if (cutOwner == map) {
        heap.putLong(map, MAP_COUNTERS, 0);
      }
    }
  }

  private boolean hasChildBeside(long node, int way) {
    for (int i = 0; i < MAP_FANOUT; i++) {
      if (mapChild(i) != way && heap.getLong(node, mapChild(i)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Takes entries one by one. */
  interface EntryVisitor {
    /**
     * Takes an entry.
     *
     * @return false to stop behind the entries of its slot
     */
    boolean entry(long entry);
  }

  /**
   * Visits, in order, the entries whose unsigned hashes are at or behind a position, until the
   * visitor has enough.
   *
   * @return the position to go on from, {@link #END} when all were visited
   */
  long visit(long map, long from, EntryVisitor visitor) {
    long root = heap.getLong(map, MAP_ROOT);
    return root == 0 ? END : visit(root, TOP_SHIFT, 0, from, visitor);
  }

  /** The part of the walk below one slot, whose first hash is {@code base}. */
  private long visit(long at, int shift, long base, long from, EntryVisitor visitor) {
    long end = base + (1L << (shift + MAP_FANOUT_SHIFT));
    if (!isNode(at)) {
      boolean more = true;
      for (; at != 0; at = heap.getLong(at, ENTRY_NEXT)) {
        // A chain may stand where the walk has seen a part of a node before.
        if (Integer.toUnsignedLong(heap.getInt(at, ENTRY_HASH)) >= from) {
          more &= visitor.entry(at);
        }
      }
      return more ? END : end;
    }
    for (int i = from <= base ? 0 : (int) ((from - base) >>> shift); i < MAP_FANOUT; i++) {
      long child = heap.getLong(node(at), mapChild(i));
      if (child != 0) {
        long next =
            visit(child, shift - MAP_FANOUT_SHIFT, base + ((long) i << shift), from, visitor);
        if (next != END) {
          return next;
        }
      }
    }
    return END;
  }
}
