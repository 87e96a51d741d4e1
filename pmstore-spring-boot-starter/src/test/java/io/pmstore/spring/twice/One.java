package io.pmstore.spring.twice;

import io.pmstore.Persistent;

/** One of two classes that have the same root. */
@Persistent(root = "twice")
public class One {
  private int value;

  public int getValue() {
    return value;
  }
}
