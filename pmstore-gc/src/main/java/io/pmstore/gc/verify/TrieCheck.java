package io.pmstore.gc.verify;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Trail;
import org.jspecify.annotations.Nullable;

/**
 * Checks the trie of a hash map or set, and its size; for a linked one also the order of its
 * entries.
 */
final class TrieCheck extends CollectionCheck {
  private static final int ROOT = 8;
  private static final int FIRST_CHILD = 8;
  private static final int CHILDREN = 16;
  private static final int HASH_BITS = 32;
  private static final int CHILD_BITS = 4;
  private static final int CHAIN_MAX = 4;
  private static final int ENTRY_HASH = 8;
  private static final int ENTRY_SECOND = 12;
  private static final int ENTRY_NEXT = 16;
  private static final int NUMBER_BIT = 4;
  private static final int NUMBER_KEY = 8;
  private static final int NUMBER_VALUE = 24;
  private static final int SAME_ROOT = 8;
  private static final int SAME_HASH = 24;
  private static final int LINKS_OF_MAP = 56;
  private static final int LINKS_OF_SET = 40;
  private static final String MAP_NUMBER = "pmstore.map.number";

  private final String node;
  private final String entry;
  private final String number;
  private final String same;
  private final @Nullable LinksCheck links;
  private long entries;

  @SuppressWarnings("this-escape") // the check of links keeps this one and does not call it yet
  private TrieCheck(
      NodeView nodes, long collection, Faults faults, String kinds, String entry, int links) {
    super(nodes, collection, faults);
    this.node = kinds + ".node";
    this.same = kinds + ".same";
    this.number = kinds + ".number";
    this.entry = entry;
    this.links = links == 0 ? null : new LinksCheck(this, entry, links);
  }

  static TrieCheck ofMap(NodeView nodes, long map, Faults faults) {
    return new TrieCheck(nodes, map, faults, "pmstore.map", "pmstore.map.entry", 0);
  }

  static TrieCheck ofSet(NodeView nodes, long set, Faults faults) {
    return new TrieCheck(nodes, set, faults, "pmstore.set", "pmstore.set.entry", 0);
  }

  static TrieCheck ofLinkedMap(NodeView nodes, long map, Faults faults) {
    return new TrieCheck(
        nodes, map, faults, "pmstore.linked", "pmstore.linkedmap.entry", LINKS_OF_MAP);
  }

  static TrieCheck ofLinkedSet(NodeView nodes, long set, Faults faults) {
    return new TrieCheck(
        nodes, set, faults, "pmstore.linked", "pmstore.linkedset.entry", LINKS_OF_SET);
  }

  @Override
  void check() {
    long root = nodes.getLong(collection, ROOT);
    if (root != 0) {
      slot(root, new Way(collection, "root", 0, 0, false, 0));
    }
    checkCounters((root & 3) != 0, entries);
    if (links != null && isWhole()) {
      links.checkEnds(entries);
    }
  }

  /**
   * The path to a slot.
   *
   * @param holder the node with the slot
   * @param field which of its fields
   * @param bits the number of bits of the hash that led here
   * @param prefix these bits
   * @param second whether they are bits of second hashes
   * @param hash the hash that all entries have, below a node of entries with one hash
   */
  private record Way(long holder, String field, int bits, long prefix, boolean second, int hash) {
    Way child(long node, int i) {
      return new Way(node, "child " + i, bits + CHILD_BITS, prefix << CHILD_BITS | i, second, hash);
    }

    boolean leadsTo(int way) {
      return Integer.toUnsignedLong(way) >>> (HASH_BITS - bits) == prefix;
    }

    /** Describes how hashes must begin. */
    String expected() {
      return bits == 0 ? "any hash" : "a hash whose first %d bits are %x".formatted(bits, prefix);
    }
  }

  private void slot(long reference, Way way) {
    long address = reference & -8;
    if (!step(address)) {
      return;
    }
    switch ((int) reference & 7) {
      case 0, NUMBER_BIT -> chain(reference, way);
      case 1 -> node(reference, way);
      case 2 -> same(reference, way);
      default -> lost();
    }
  }

  private void node(long reference, Way way) {
    if (!isNode(reference, 1, node, way.holder, way.field)) {
      return;
    }
    long address = reference & -8;
    if (way.bits >= HASH_BITS) {
      fault(way.holder, way.field, nodes.describe(address), "an entry: the hash has no more bits");
      lost();
      return;
    }
    int children = 0;
    for (int i = 0; i < CHILDREN; i++) {
      long child = nodes.getLong(address, FIRST_CHILD + i * Long.BYTES);
      if (child != 0) {
        children++;
        slot(child, way.child(address, i));
      }
    }
    if (children == 0) {
      fault(address, "children", "none", "one or more");
    }
  }

  private void same(long reference, Way way) {
    if (!isNode(reference, 2, same, way.holder, way.field)) {
      return;
    }
    long address = reference & -8;
    int hash = nodes.getInt(address, SAME_HASH);
    if (way.second) {
      fault(way.holder, way.field, nodes.describe(address), "a node or an entry");
      lost();
      return;
    }
    if (!way.leadsTo(hash)) {
      fault(address, "hash", "%08x".formatted(hash), way.expected());
    }
    long root = nodes.getLong(address, SAME_ROOT);
    if (root == 0) {
      fault(address, "root", "0", "entries");
    } else {
      slot(root, new Way(address, "root", 0, 0, true, hash));
    }
  }

  private void chain(long head, Way way) {
    int length = 0;
    boolean alike = true;
    long holder = way.holder;
    String field = way.field;
    int first = 0;
    Trail trail = new Trail();
    for (long at = head; at != 0; at = nodes.getLong(at & -8, ENTRY_NEXT)) {
      boolean isNumber = (at & NUMBER_BIT) != 0;
      if (!isNode(at, isNumber ? NUMBER_BIT : 0, isNumber ? number : entry, holder, field)) {
        return;
      }
      long address = at & -8;
      try {
        trail.step(address);
      } catch (StoreDamagedException e) {
        fault(holder, field, "an entry that leads back to itself", "a chain that ends");
        lost();
        return;
      }
      int hash = isNumber ? hashOfNumber(address) : nodes.getInt(address, ENTRY_HASH);
      if (way.second && hash != way.hash) {
        fault(
            address, "hash", "%08x".formatted(hash), "%08x, as all beside it".formatted(way.hash));
      }
      if (!(way.second && isNumber)) { // second hashes of numbers are not stored
        int here = way.second ? nodes.getInt(address, ENTRY_SECOND) : hash;
        if (!way.leadsTo(here)) {
          fault(address, way.second ? "second" : "hash", "%08x".formatted(here), way.expected());
        }
        first = length == 0 ? here : first;
        alike &= here == first;
      }
      if (isNumber && number.equals(MAP_NUMBER)) {
        value(address);
      }
      length++;
      entries++;
      if (links != null) {
        links.check(address);
      }
      holder = address;
      field = "next";
    }
    if (length > CHAIN_MAX && !(way.second && alike)) {
      fault(way.holder, way.field, "a chain of " + length, CHAIN_MAX + " entries at most");
    }
  }

  /** Returns the spread hash of the key of a number entry. */
  private int hashOfNumber(long address) {
    long word = nodes.getLong(address, NUMBER_KEY);
    int h = (word & 1) == 0 ? Long.hashCode(word >> 1) : (int) (word >> 1);
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  /** Checks that the value of a number entry is an object, or a cell of its own. */
  private void value(long address) {
    long value = nodes.getLong(address, NUMBER_VALUE);
    if (nodes.is(value, entry)) {
      otherNode(value, "an object, or a cell", address, "value");
    }
  }
}
