package io.pmstore.gc.upgrade;

import java.util.List;

/** A shelf of any version. */
public interface Shelf {
  /** What is on it. */
  List<? extends Item> items();

  /** Puts items on it. */
  void fill(int items);
}
