package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.Heap;
import java.util.HashSet;
import java.util.Set;

/** Checks the invariants of {@link HashTrie} and {@link LinkedOrder} on the bytes. */
final class TrieCheck {
  private final TestStore store;
  private final Heap heap;
  private final CollectionShapes.Trie shapes;
  private final HashTrie trie;
  private final TrieEntries here;
  private final Set<Long> entries = new HashSet<>();

  private TrieCheck(TestStore store, CollectionShapes.Trie shapes) {
    this.store = store;
    this.shapes = shapes;
    this.trie = new HashTrie(store.space, shapes);
    this.here = trie.entries();
    this.heap = store.heap;
  }

  static void check(TestStore store, PersistentCollection collection) {
    CollectionShapes.Trie shapes = store.space.shapes().trie(collection.contents().kind());
    store.heap.read(
        () -> {
          new TrieCheck(store, shapes).map(TestStore.address(collection));
          return true;
        });
  }

  private void map(long map) {
    long root = heap.getLong(map, CollectionShapes.MAP_ROOT);
    long counters = heap.getLong(map, CollectionShapes.MAP_COUNTERS);
    assertEquals(
        isNode(root) || isSame(root),
        counters != 0,
        "counters stand beside a root that is no chain");
    if (root != 0) {
      slot(root, 0, 0, 0, 0);
    }
    assertEquals(entries.size(), trie.size(map));
    if (counters != 0) {
      assertEquals(shapes.counters(), heap.shapeId(counters));
    }
    if (shapes.links() != 0) {
      links(map, LinkedOrder.End.FIRST);
      links(map, LinkedOrder.End.LAST);
    }
  }

  /** Follows the links of the entries from one end to the other. */
  private void links(long map, LinkedOrder.End from) {
    LinkedOrder order = new LinkedOrder(store.space, shapes);
    Set<Long> linked = new HashSet<>();
    long before = 0;
    for (long at = order.at(map, from); at != 0; at = order.beside(at, from.other())) {
      assertTrue(linked.add(at), "an entry is linked once");
      assertEquals(before, order.beside(at, from), "the links of neighbours agree");
      if (before != 0) {
        assertEquals(
            from == LinkedOrder.End.FIRST,
            order.number(before) < order.number(at),
            "numbers grow from the first to the last");
      }
      before = at;
    }
    assertEquals(before, order.at(map, from.other()), "the last one is at the other end");
    assertEquals(entries, linked, "all entries of the trie are linked");
  }

  private static boolean isNode(long slot) {
    return (slot & CollectionShapes.MAP_NODE_BIT) != 0;
  }

  private static boolean isSame(long slot) {
    return (slot & CollectionShapes.MAP_SAME_BIT) != 0;
  }

  /**
   * A slot that is not empty, reached by the first bits of hashes, or of second hashes of entries
   * with one hash.
   *
   * @param oneHashAt their collision object, or 0
   */
  private void slot(long at, int bits, long prefix, long oneHashAt, int oneHash) {
    if (isNode(at)) {
      assertTrue(bits < 32, "a node distributes by bits that hashes have");
      long node = at & ~CollectionShapes.MAP_NODE_BIT;
      assertEquals(shapes.node(), heap.shapeId(node));
      int children = 0;
      for (int i = 0; i < CollectionShapes.MAP_FANOUT; i++) {
        long child = heap.getLong(node, CollectionShapes.mapChild(i));
        if (child != 0) {
          children++;
          slot(child, bits + 4, prefix << 4 | i, oneHashAt, oneHash);
        }
      }
      assertTrue(children > 0, "no node is empty");
      return;
    }
    if (isSame(at)) {
      assertEquals(0, oneHashAt, "second hashes are the last");
      long same = at & -8;
      assertEquals(shapes.same(), heap.shapeId(same));
      int hash = heap.getInt(same, CollectionShapes.SAME_HASH);
      assertEquals(prefix, Integer.toUnsignedLong(hash) >>> (32 - bits), "the way to a hash");
      long root = heap.getLong(same, CollectionShapes.SAME_ROOT);
      assertTrue(root != 0, "entries of one hash are not empty");
      slot(root, 0, 0, same, hash);
      return;
    }
    boolean second = oneHashAt != 0;
    Set<Integer> hashes = new HashSet<>();
    int length = 0;
    for (; at != 0; at = here.next(at)) {
      assertEquals(
          TrieEntries.isNumber(at) ? shapes.number() : shapes.entry(),
          heap.shapeId(TrieEntries.address(at)));
      int hash = here.hashOf(at);
      Object key = here.key(at);
      if (store.codec.hasLastingHash(key)) {
        assertEquals(trie.hash(key), hash, "the hash of " + key);
      }
      if (second) {
        assertEquals(oneHash, hash, "the hash of " + key);
      }
      int way = second ? here.secondHashOf(at, oneHashAt) : hash;
      assertEquals(prefix, Integer.toUnsignedLong(way) >>> (32 - bits), "the way to " + key);
      hashes.add(way);
      entries.add(at);
      length++;
    }
    assertTrue(
        length <= 4 || (second && hashes.size() == 1),
        length + " entries with " + hashes.size() + " hashes");
  }
}
