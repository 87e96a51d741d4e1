package io.pmstore.jmh.structures;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map from {@code long} keys to objects, as a skip list (Pugh 1990) of ordinary persistent
 * objects: what the store's own sorted map, a B+ tree, is measured against.
 *
 * <p>Each level is a linked list of nodes, the lowest one of all keys; a key that is on a level is
 * on the next higher one too with a probability of 1/4. How high a key goes is computed from the
 * key, so that a transaction that is run again does the same.
 *
 * <p>Methods that change are called inside a transaction, and those that read as well if others
 * write at the same time. Safe for use by any number of threads as far as transactions are.
 */
@Persistent(root = "skiplist")
public class SkipListMap implements LongMap {
  private static final int LEVELS_MAX = 20;

  private @Nullable SkipNode top; // before the first key of the highest level

  public @Nullable SkipNode getTop() {
    return top;
  }

  public void setTop(@Nullable SkipNode top) {
    this.top = top;
  }

  /**
   * How many levels a key is on: geometrically distributed.
   *
   * @param key any
   * @return 1 to 20; each number a quarter as often as the one before
   */
  public static int levels(long key) {
    long mixed = (key ^ (key >>> 32)) * 0x9e37_79b9_7f4a_7c15L; // spread as a hash is
    mixed = (mixed ^ (mixed >>> 29)) * 0xbf58_476d_1ce4_e5b9L;
    mixed ^= mixed >>> 32;
    return 1 + Math.min(LEVELS_MAX - 1, Long.numberOfTrailingZeros(mixed) / 2);
  }

  /** The last node of a level before a key. */
  private static SkipNode before(SkipNode from, long key) {
    SkipNode at = from;
    for (SkipNode next = at.getNext(); next != null && next.getKey() < key; next = at.getNext()) {
      at = next;
    }
    return at;
  }

  /** The nodes before a key, the lowest level first; empty if there is no level yet. */
  private Deque<SkipNode> way(long key) {
    Deque<SkipNode> way = new ArrayDeque<>();
    for (SkipNode level = getTop(); level != null; level = way.getFirst().getBelow()) {
      way.addFirst(before(level, key));
    }
    return way;
  }

  /** The node with the first key at or behind another, on the lowest level. */
  private @Nullable SkipNode at(long key) {
    SkipNode level = getTop();
    if (level == null) {
      return null;
    }
    while (true) {
      SkipNode before = before(level, key);
      level = before.getBelow();
      if (level == null) {
        return before.getNext();
      }
    }
  }

  @Override
  public @Nullable Object get(long key) {
    SkipNode node = at(key);
    return node == null || node.getKey() != key ? null : node.getValue();
  }

  @Override
  public @Nullable Object put(PmStore store, long key, Object value) {
    Deque<SkipNode> way = way(key);
    SkipNode lowest = way.peekFirst();
    SkipNode found = lowest == null ? null : lowest.getNext();
    if (found != null && found.getKey() == key) {
      Object old = found.getValue();
      found.setValue(value);
      return old;
    }
    SkipNode below = null;
    for (int level = levels(key); level > 0; level--) {
      SkipNode before = way.isEmpty() ? addLevel(store) : way.removeFirst();
      SkipNode node = store.create(SkipNode.class);
      node.setKey(key);
      node.setNext(before.getNext());
      node.setBelow(below);
      if (below == null) {
        node.setValue(value);
      }
      before.setNext(node);
      below = node;
    }
    return null;
  }

  private SkipNode addLevel(PmStore store) {
    SkipNode level = store.create(SkipNode.class);
    level.setBelow(getTop());
    setTop(level);
    return level;
  }

  @Override
  public @Nullable Object remove(long key) {
    Object value = null;
    for (SkipNode before : way(key)) {
      SkipNode node = before.getNext();
      if (node == null || node.getKey() != key) {
        break; // it is on no higher level either
      }
      value = value == null ? Objects.requireNonNull(node.getValue()) : value;
      before.setNext(node.getNext());
    }
    return value;
  }

  @Override
  public void visit(long from, long to, ObjLongConsumer<Object> visitor) {
    for (SkipNode at = at(from); at != null && at.getKey() < to; at = at.getNext()) {
      visitor.accept(Objects.requireNonNull(at.getValue()), at.getKey());
    }
  }
}
