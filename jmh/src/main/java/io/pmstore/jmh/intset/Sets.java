package io.pmstore.jmh.intset;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** The root of a store that has a set. */
@Persistent(root = "sets")
public class Sets {
  private @Nullable IntSet set;

  /** The persistent set; null in a new store. */
  public @Nullable IntSet getSet() {
    return set;
  }

  /**
   * Keeps a set.
   *
   * @param set a plain one, from which the persistent one is made
   */
  public void setSet(@Nullable IntSet set) {
    this.set = set;
  }
}
