package io.pmstore.jmh.intset;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/**
 * A set as a skip list (Pugh 1990). How high a key goes is computed from the key, so that a
 * transaction that is run again does the same, and one way down is enough for each operation: a key
 * that is not on its highest level is nowhere.
 */
@Persistent
public class SkipList implements IntSet {
  private static final int LEVELS_MAX = 20;

  private Tower top = new Tower(Long.MIN_VALUE, null, null); // no key, before all of them
  private int height = 1;

  /**
   * How many levels a key is on: geometrically distributed.
   *
   * @param key any
   * @return 1 to 20; each number a quarter as often as the one before
   */
  static int levels(long key) {
    long mixed = (key ^ (key >>> 32)) * 0x9e37_79b9_7f4a_7c15L; // spread as a hash is
    mixed = (mixed ^ (mixed >>> 29)) * 0xbf58_476d_1ce4_e5b9L;
    mixed ^= mixed >>> 32;
    return 1 + Math.min(LEVELS_MAX - 1, Long.numberOfTrailingZeros(mixed) / 2);
  }

  @Override
  public boolean contains(long key) {
    Tower at = top;
    while (true) {
      at = at.before(key);
      Tower next = at.getNext();
      if (next != null && next.getKey() == key) {
        return true;
      }
      Tower below = at.getBelow();
      if (below == null) {
        return false;
      }
      at = below;
    }
  }

  @Override
  public boolean add(long key) {
    int levels = levels(key);
    for (; height < levels; height++) {
      top = new Tower(Long.MIN_VALUE, null, top);
    }
    Tower above = null; // the key, one level higher
    Tower at = top;
    for (int level = height; at != null; level--) {
      at = at.before(key);
      if (level <= levels) {
        Tower next = at.getNext();
        if (next != null && next.getKey() == key) {
          return false;
        }
        at.setNext(new Tower(key, next, null));
        Tower added = at.getNext(); // the persistent one, if the set is
        if (above != null) {
          above.setBelow(added);
        }
        above = added;
      }
      at = at.getBelow();
    }
    return true;
  }

  @Override
  public boolean remove(long key) {
    boolean removed = false;
    for (@Nullable Tower at = top; at != null; at = at.getBelow()) {
      at = at.before(key);
      Tower next = at.getNext();
      if (next != null && next.getKey() == key) {
        at.setNext(next.getNext());
        removed = true;
      }
    }
    return removed;
  }
}
