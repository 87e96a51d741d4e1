package io.pmstore.jmh.intset;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** A key on one level of a {@link SkipList}. */
@Persistent
public class Tower {
  private long key;
  private @Nullable Tower next;
  private @Nullable Tower below;

  /** For the store, which fills it. */
  public Tower() {}

  /**
   * A key before others.
   *
   * @param next those behind on the same level; null at the end
   * @param below the same key one level lower; null on the lowest
   */
  public Tower(long key, @Nullable Tower next, @Nullable Tower below) {
    this.key = key;
    this.next = next;
    this.below = below;
  }

  public long getKey() {
    return key;
  }

  public @Nullable Tower getNext() {
    return next;
  }

  public void setNext(@Nullable Tower next) {
    this.next = next;
  }

  public @Nullable Tower getBelow() {
    return below;
  }

  public void setBelow(@Nullable Tower below) {
    this.below = below;
  }

  /** The last one before a key on this level, from this one on, which is before it. */
  Tower before(long wanted) {
    Tower at = this;
    for (Tower behind = at.getNext();
        behind != null && behind.getKey() < wanted;
        behind = at.getNext()) {
      at = behind;
    }
    return at;
  }
}
