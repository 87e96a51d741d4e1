package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.Heap;
import io.pmstore.spi.PersistentObject;
import java.util.HashSet;
import java.util.Set;

/** Checks what {@link HashTrie} says of its structure, from the bytes. */
final class TrieCheck {
  private final TestStore store;
  private final Heap heap;
  private final CollectionShapes.Trie shapes;
  private final HashTrie trie;
  private int entries;

  private TrieCheck(TestStore store, CollectionShapes.Trie shapes) {
    this.store = store;
    this.shapes = shapes;
    this.trie = new HashTrie(store.space, shapes);
    this.heap = store.heap;
  }

  static void check(TestStore store, PersistentMap<?, ?> map) {
    check(store, map, store.space.shapes().mapTrie());
  }

  static void check(TestStore store, PersistentSet<?> set) {
    check(store, set, store.space.shapes().setTrie());
  }

  private static void check(
      TestStore store, PersistentObject collection, CollectionShapes.Trie shapes) {
    store.heap.read(
        () -> {
          new TrieCheck(store, shapes).map(TestStore.address(collection));
          return true;
        });
  }

  private void map(long map) {
    long root = heap.getLong(map, CollectionShapes.MAP_ROOT);
    long counters = heap.getLong(map, CollectionShapes.MAP_COUNTERS);
    assertEquals(isNode(root), counters != 0, "counters stand beside a root node");
    if (root != 0) {
      slot(root, 0, 0);
    }
    assertEquals(entries, trie.size(map));
    if (counters != 0) {
      assertEquals(shapes.counters(), heap.shapeId(counters));
    }
  }

  private static boolean isNode(long slot) {
    return (slot & CollectionShapes.MAP_NODE_BIT) != 0;
  }

  /** A slot that is not empty, reached by the first bits of hashes. */
  private void slot(long at, int bits, long prefix) {
    if (isNode(at)) {
      assertTrue(bits < 32, "a node distributes by bits that hashes have");
      long node = at & ~CollectionShapes.MAP_NODE_BIT;
      assertEquals(shapes.node(), heap.shapeId(node));
      int children = 0;
      for (int i = 0; i < CollectionShapes.MAP_FANOUT; i++) {
        long child = heap.getLong(node, CollectionShapes.mapChild(i));
        if (child != 0) {
          children++;
          slot(child, bits + 4, prefix << 4 | i);
        }
      }
      assertTrue(children > 0, "no node is empty");
      return;
    }
    Set<Integer> hashes = new HashSet<>();
    int length = 0;
    for (; at != 0; at = heap.getLong(at, CollectionShapes.ENTRY_NEXT)) {
      assertEquals(shapes.entry(), heap.shapeId(at));
      int hash = heap.getInt(at, CollectionShapes.ENTRY_HASH);
      Object key = store.space.codec().readCell(at, CollectionShapes.ENTRY_KEY);
      assertEquals(trie.hash(key), hash, "the hash of " + key);
      assertEquals(prefix, Integer.toUnsignedLong(hash) >>> (32 - bits), "the way to " + key);
      hashes.add(hash);
      length++;
    }
    assertTrue(
        length <= 4 || hashes.size() == 1, length + " entries with " + hashes.size() + " hashes");
    entries += length;
  }
}
