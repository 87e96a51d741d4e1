package io.pmstore.enhance.sample;

import io.pmstore.Persistent;

/** A class that hands out its array, and stores no element itself. */
@Persistent
public class Sheet {
  private long[] cells = new long[3];

  public long[] getCells() {
    return cells;
  }
}
