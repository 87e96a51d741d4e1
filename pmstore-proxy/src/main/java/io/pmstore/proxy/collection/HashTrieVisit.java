package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.MAP_FANOUT;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_FANOUT_SHIFT;
import static io.pmstore.proxy.collection.CollectionShapes.SAME_ROOT;
import static io.pmstore.proxy.collection.CollectionShapes.mapChild;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Trail;

/**
 * A visit to the entries of a hash trie in the order of their hashes, from a position on.
 *
 * @param from the first hash whose entries are visited
 */
record HashTrieVisit(Heap heap, TrieEntries entries, long from, EntryVisitor visitor) {
  private static final int TOP_SHIFT = Integer.SIZE - MAP_FANOUT_SHIFT;

  /**
   * Visits what is below one slot, whose first hash is {@code base}.
   *
   * @param shift of a node's slot bits in the hash at this level
   * @return the position to continue from, or {@link HashTrie#END} if all were visited
   */
  long below(long at, int shift, long base) {
    if (!HashTrie.isNode(at)) {
      long end = base + (1L << (shift + MAP_FANOUT_SHIFT));
      return all(at, TOP_SHIFT, from <= base) ? HashTrie.END : end;
    }
    HashTrie.checkDepth(at, shift);
    for (int i = from <= base ? 0 : (int) ((from - base) >>> shift); i < MAP_FANOUT; i++) {
      long child = heap.getLong(HashTrie.address(at), mapChild(i));
      if (child != 0) {
        long next = below(child, shift - MAP_FANOUT_SHIFT, base + ((long) i << shift));
        if (next != HashTrie.END) {
          return next;
        }
      }
    }
    return HashTrie.END;
  }

  /**
   * Visits a whole chain or collision object.
   *
   * @param isAfter true if the hashes of all its entries are {@code from} or greater
   * @return true if the visitor wants more
   */
  private boolean all(long top, int shift, boolean isAfter) {
    if (HashTrie.isSame(top)) {
      long below = heap.getLong(HashTrie.address(top), SAME_ROOT);
      if (HashTrie.isSame(below)) {
        throw CollectionDamage.in(
            "the object of entries of one hash",
            HashTrie.address(top),
            "another such object below it",
            "a node or an entry");
      }
      return all(below, shift, isAfter);
    }
    boolean more = true;
    if (HashTrie.isNode(top)) {
      HashTrie.checkDepth(top, shift);
      for (int i = 0; i < MAP_FANOUT; i++) {
        long child = heap.getLong(HashTrie.address(top), mapChild(i));
        if (HashTrie.isSame(child)) {
          throw CollectionDamage.in(
              "a node", HashTrie.address(top), "entries of one hash below it", "no second ones");
        }
        more &= all(child, shift - MAP_FANOUT_SHIFT, isAfter);
      }
      return more;
    }
    Trail trail = new Trail();
    for (long at = top; at != 0; at = entries.next(at)) {
      trail.step(TrieEntries.address(at));
      // A chain may stand here now, where an earlier part of this walk saw a node and visited some
      // of its entries.
      if (isAfter || Integer.toUnsignedLong(entries.hashOf(at)) >= from) {
        more &= visitor.entry(at);
      }
    }
    return more;
  }
}
