package io.pmstore.jmh.structures;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** A key on one level of a {@link SkipListMap}; the value is on the lowest level. */
@Persistent
public class SkipNode {
  private long key;
  private @Nullable Object value;
  private @Nullable SkipNode next;
  private @Nullable SkipNode below;

  public long getKey() {
    return key;
  }

  public void setKey(long key) {
    this.key = key;
  }

  public @Nullable Object getValue() {
    return value;
  }

  public void setValue(@Nullable Object value) {
    this.value = value;
  }

  /** The node with the next key on the same level. */
  public @Nullable SkipNode getNext() {
    return next;
  }

  public void setNext(@Nullable SkipNode next) {
    this.next = next;
  }

  /** The same key one level lower. */
  public @Nullable SkipNode getBelow() {
    return below;
  }

  public void setBelow(@Nullable SkipNode below) {
    this.below = below;
  }
}
