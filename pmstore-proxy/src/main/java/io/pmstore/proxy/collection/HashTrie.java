package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.COUNTERS;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_HASH;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_SECOND_HASH;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_COUNTERS;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_FANOUT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_FANOUT_SHIFT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_NODE_BIT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_ROOT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_SAME_BIT;
import static io.pmstore.proxy.collection.CollectionShapes.SAME_HASH;
import static io.pmstore.proxy.collection.CollectionShapes.SAME_ROOT;
import static io.pmstore.proxy.collection.CollectionShapes.SAME_SECRET;
import static io.pmstore.proxy.collection.CollectionShapes.counter;
import static io.pmstore.proxy.collection.CollectionShapes.mapChild;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Trail;
import io.pmstore.core.tx.View;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The hash trie of a map or set in the heap: finds, adds and removes entries.
 *
 * <p>A slot (the map's root, or a child of a node) holds nothing, a chain of entries, a node, or a
 * collision object. A node at depth d branches on the d-th 4 bits of the spread hash, highest
 * first. So a walk in slot order visits entries in the order of their unsigned hashes, whatever the
 * shape of the trie, and a hash is an iterator's position that stays valid after any change.
 *
 * <ul>
 *   <li>A chain holds up to {@value #CHAIN_MAX} entries. Another entry turns it into a node: a
 *       local split, at most 8 nodes deep. If all entries have the same hash, they become a
 *       <em>collision object</em> instead ({@code same} in identifiers), with a trie of its own
 *       that branches on a second hash.
 *   <li>The second hash depends on a secret of the collision object, so that an attacker cannot
 *       choose many keys that have both hashes in common. All keys of classes that hash themselves
 *       have the same second hash. A chain in the trie of second hashes holds up to {@value
 *       #CHAIN_MAX} entries, or any number whose second hashes are the same.
 *   <li>A node is never empty: removing its last entry removes it, and the nodes above it that have
 *       no other child. The same holds for a collision object.
 *   <li>While the root is not a chain, the map has a counters object whose words sum up to the
 *       number of entries. Otherwise the length of the root's chain is the size. So only changes of
 *       the root write the map object.
 * </ul>
 *
 * <p>{@link TrieEntries} says what is in an entry. An entry stands where its hash leads: what its
 * key hashed to when it was put. {@link StrayEntries} finds the entries whose keys have another
 * hash in this JVM.
 *
 * <p>Methods that change the trie are called inside a transaction, the others inside a transaction
 * or a consistent read.
 */
final class HashTrie {
  private static final int CHAIN_MAX = 4;
  private static final int TOP_SHIFT = Integer.SIZE - MAP_FANOUT_SHIFT;

  /**
   * Initialized on first use: seeding takes a new process time, which every first map would wait
   * for.
   */
  private static final class Secrets {
    static final SecureRandom RANDOM = new SecureRandom();
  }

  /** The position behind the last hash. */
  static final long END = 1L << Integer.SIZE;

  private final Heap heap;
  private final CellCodec codec;
  private final CollectionShapes.Trie shapes;
  private final TrieEntries entries;

  HashTrie(CollectionSpace space, CollectionShapes.Trie shapes) {
    heap = space.heap();
    codec = space.codec();
    this.shapes = shapes;
    this.entries = new TrieEntries(space, shapes);
  }

  TrieEntries entries() {
    return entries;
  }

  /** Returns the spread hash of a key, as {@link TrieEntries#hash} does. */
  int hash(@Nullable Object key) {
    return entries.hash(key);
  }

  /**
   * Returns true if a slot refers to a node. The reference itself tells, so that a look-up loads
   * one word a level.
   */
  static boolean isNode(long slot) {
    return (slot & MAP_NODE_BIT) != 0;
  }

  /** Returns true if a slot refers to a collision object. */
  static boolean isSame(long slot) {
    return (slot & MAP_SAME_BIT) != 0;
  }

  static long address(long slot) {
    return slot & -8;
  }

  private static int slot(int hash, int shift) {
    return (hash >>> shift) & (MAP_FANOUT - 1);
  }

  /** Returns the entry of a key among those that were put under a hash, or 0. */
  long find(long map, @Nullable Object key, int hash) {
    View view = heap.view();
    long at = leaf(view, heap.getLong(view, map, MAP_ROOT), hash);
    if (!isSame(at)) {
      return entries.find(view, at, ENTRY_HASH, hash, key);
    }
    long same = address(at);
    if (heap.getInt(view, same, SAME_HASH) != hash) {
      return 0;
    }
    int second = codec.secondHash(key, heap.getLong(view, same, SAME_SECRET));
    at = leaf(view, heap.getLong(view, same, SAME_ROOT), second);
    return entries.find(view, at, ENTRY_SECOND_HASH, second, key);
  }

  /**
   * Does as {@link #find}, for a key whose second hash may have changed since it was put: it
   * compares the key with all that were put under the hash.
   */
  long findOfHash(long map, @Nullable Object key, int hash) {
    long[] found = new long[1];
    visit(
        map,
        Integer.toUnsignedLong(hash),
        entry -> {
          if (found[0] == 0 && entries.hashOf(entry) == hash && entries.hasKey(entry, key)) {
            found[0] = entry;
          }
          return false; // visits the other entries of the slot only
        });
    return found[0];
  }

  /** Returns what the last node on the path of a hash holds. */
  private long leaf(@Nullable View view, long root, int hash) {
    long at = root;
    for (int shift = TOP_SHIFT; isNode(at); shift -= MAP_FANOUT_SHIFT) {
      checkDepth(at, shift);
      at = heap.getLong(view, address(at), mapChild(slot(hash, shift)));
    }
    return at;
  }

  /** Throws if a hash has no bits left for another node. */
  static void checkDepth(long node, int shift) {
    if (shift < 0) {
      throw CollectionDamage.in(
          "a node", address(node), "eight nodes above it", "seven at most: hashes have 32 bits");
    }
  }

  long size(long map) {
    long counters = heap.getLong(map, MAP_COUNTERS);
    long size = 0;
    if (counters == 0) {
      Trail trail = new Trail();
      for (long at = heap.getLong(map, MAP_ROOT); at != 0; at = entries.next(at)) {
        trail.step(TrieEntries.address(at));
        size++;
      }
      return size;
    }
    return sum(heap, counters);
  }

  /** Returns the sum of the counters of a map or set. */
  static long sum(Heap heap, long counters) {
    long size = 0;
    for (int i = 0; i < COUNTERS; i++) {
      size += heap.counter(counters, counter(i));
    }
    if (size < 0) {
      throw CollectionDamage.in(
          "the counters object", counters, "a sum of " + size + " entries", "0 or more");
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

  /** The slot at the end of a hash's path through the nodes. */
  private final class Place {
    final long same; // the collision object in whose trie it is; 0 for that of the first hashes
    final int hash; // of the entries that belong here, in this trie
    long owner;
    int offset;
    int shift = TOP_SHIFT;
    long at; // the slot: 0, a chain, or a collision object

    Place(long top, int rootOffset, long same, int hash) {
      this.same = same;
      this.hash = hash;
      owner = top;
      offset = rootOffset;
      at = heap.getLong(owner, offset);
      while (isNode(at)) {
        checkDepth(at, shift);
        owner = address(at);
        offset = mapChild(slot(hash, shift));
        shift -= MAP_FANOUT_SHIFT;
        at = heap.getLong(owner, offset);
      }
    }

    void set(long slot) {
      heap.putLong(owner, offset, slot);
      at = slot;
    }

    int hash(long entry) {
      return same == 0 ? entries.hashOf(entry) : entries.secondHashOf(entry, same);
    }
  }

  private Place placeOfHash(long map, int hash) {
    return new Place(map, MAP_ROOT, 0, hash);
  }

  private Place placeOfSecondHash(long same, int second) {
    return new Place(same, SAME_ROOT, same, second);
  }

  /** Adds an entry for a key that has none, and returns it. A set's entry has no value. */
  long insert(long map, @Nullable Object key, int hash, @Nullable Object value) {
    long entry = entries.create(key, hash, value);
    Place place = placeOfHash(map, hash);
    if (isSame(place.at) && heap.getInt(address(place.at), SAME_HASH) == hash) {
      linkBySecondHash(address(place.at), entry, key);
      count(map, hash, 1);
      return entry;
    }
    Chain before = new Chain(place);
    link(place, before, entry);
    boolean isRoot = place.owner == map;
    if (isRoot && (isNode(place.at) || isSame(place.at)) && !isSame(before.head)) {
      long counters = heap.allocate(shapes.counters(), CollectionShapes.MAP_COUNTER.size());
      heap.addToCounter(counters, counter(0), before.length + 1L);
      heap.putLong(map, MAP_COUNTERS, counters);
    } else {
      count(map, hash, 1);
    }
    return entry;
  }

  /** What a slot holds, as a split needs it. It does not look into a collision object. */
  private final class Chain {
    final long head; // an entry, or a reference to a collision object
    final int hash;
    final boolean uniform;
    final int length;

    Chain(Place place) {
      head = place.at;
      int n = 0;
      boolean same = true;
      if (isSame(head)) {
        hash = heap.getInt(address(head), SAME_HASH);
      } else {
        hash = head == 0 ? 0 : place.hash(head);
        Trail trail = new Trail();
        for (long at = head; at != 0; at = entries.next(at)) {
          trail.step(TrieEntries.address(at));
          same &= place.hash(at) == hash;
          n++;
        }
      }
      uniform = same;
      length = n;
    }
  }

  /** Adds an entry to what a slot holds. */
  private void link(Place place, Chain chain, long entry) {
    boolean isOneHash = chain.uniform && chain.hash == place.hash;
    if (!isSame(chain.head) && (chain.length < CHAIN_MAX || (isOneHash && place.same != 0))) {
      entries.setNext(entry, chain.head);
      place.set(entry);
    } else if (isOneHash) {
      place.set(entriesOfOneHash(chain, entry) | MAP_SAME_BIT);
    } else {
      place.set(split(chain, entry, place));
    }
  }

  /** Moves a chain and another entry into a new collision object. */
  private long entriesOfOneHash(Chain chain, long entry) {
    long same = heap.allocate(shapes.same(), CollectionShapes.MAP_SAME.size());
    heap.putInt(same, SAME_HASH, chain.hash);
    heap.putLong(same, SAME_SECRET, Secrets.RANDOM.nextLong());
    for (long at = chain.head; at != 0; ) {
      long next = entries.next(at);
      linkBySecondHash(same, at, entries.key(at));
      at = next;
    }
    linkBySecondHash(same, entry, entries.key(entry));
    return same;
  }

  private void linkBySecondHash(long same, long entry, @Nullable Object key) {
    int second = codec.secondHash(key, heap.getLong(same, SAME_SECRET));
    entries.setSecondHash(entry, second);
    Place place = placeOfSecondHash(same, second);
    link(place, new Chain(place), entry);
  }

  /** Splits a chain and another entry into nodes. Returns the new reference for the slot. */
  private long split(Chain chain, long entry, Place place) {
    // A uniform chain, however long, moves as a whole. Any other has at most CHAIN_MAX entries.
    int parts = chain.uniform ? 1 : chain.length;
    long[] heads = new long[parts + 1];
    int[] hashes = new int[parts + 1];
    heads[0] = chain.head;
    hashes[0] = chain.hash;
    for (int i = 1; i < parts; i++) {
      heads[i] = entries.next(heads[i - 1]);
      hashes[i] = place.hash(heads[i]);
    }
    heads[parts] = entry;
    hashes[parts] = place.hash;

    long top = newNode();
    long node = top;
    int shift = place.shift;
    // Where all hashes take the same branch, another level is needed.
    while (sameSlot(hashes, shift)) {
      checkDepth(node, shift - MAP_FANOUT_SHIFT);
      long below = newNode();
      heap.putLong(node, mapChild(slot(place.hash, shift)), below | MAP_NODE_BIT);
      node = below;
      shift -= MAP_FANOUT_SHIFT;
    }
    for (int i = 0; i <= parts; i++) {
      int offset = mapChild(slot(hashes[i], shift));
      if (!chain.uniform || i == parts) {
        entries.setNext(heads[i], heap.getLong(node, offset));
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

  void remove(long map, long entry) {
    int hash = entries.hashOf(entry);
    int second = 0;
    Place place = placeOfHash(map, hash);
    count(map, hash, -1);
    if (isSame(place.at)) {
      long same = address(place.at);
      second = entries.secondHashOf(entry, same);
      place = placeOfSecondHash(same, second);
    }
    long next = entries.next(entry);
    if (place.at == entry) {
      place.set(next);
      if (next == 0 && place.owner != map) {
        prune(map, hash, second);
      }
      return;
    }
    Trail trail = new Trail();
    long before = place.at;
    while (before != 0 && entries.next(before) != entry) {
      before = entries.next(before);
      trail.step(TrieEntries.address(before));
    }
    if (before == 0 || isSame(before)) {
      throw CollectionDamage.in(
          "an entry",
          TrieEntries.address(entry),
          "a hash of " + hash,
          "one that leads to the entry");
    }
    entries.setNext(before, next);
  }

  /**
   * Removes the nodes and the collision object that have nothing else in them, after a slot on the
   * path of an entry became empty.
   */
  private void prune(long map, int hash, int second) {
    long cutOwner = map;
    int cutOffset = MAP_ROOT;
    int bits = hash;
    int shift = TOP_SHIFT;
    long at = heap.getLong(map, MAP_ROOT);
    for (int steps = 0; at != 0; steps++) { // down to the empty slot
      if (steps > CollectionDamage.LEVELS_MAX) {
        throw Trail.circle(address(at));
      }
      if (isSame(at)) {
        at = heap.getLong(address(at), SAME_ROOT);
        bits = second;
        shift = TOP_SHIFT;
        continue;
      }
      int way = mapChild(slot(bits, shift));
      if (hasChildBeside(address(at), way)) {
        cutOwner = address(at);
        cutOffset = way;
      }
      at = heap.getLong(address(at), way);
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

  /**
   * Visits, in order, the entries whose unsigned hashes are {@code from} or greater, until the
   * visitor stops.
   *
   * @return the position to continue from, or {@link #END} if all were visited
   */
  long visit(long map, long from, EntryVisitor visitor) {
    long root = heap.getLong(map, MAP_ROOT);
    return root == 0
        ? END
        : new HashTrieVisit(heap, entries, from, visitor).below(root, TOP_SHIFT, 0);
  }
}
