package io.pmstore.jmh.gc;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** What holds an item, or two. */
@Persistent
public class Place {
  private @Nullable Item item;
  private @Nullable Item other;

  public @Nullable Item getItem() {
    return item;
  }

  public void setItem(@Nullable Item item) {
    this.item = item;
  }

  public @Nullable Item getOther() {
    return other;
  }

  public void setOther(@Nullable Item other) {
    this.other = other;
  }
}
