package io.pmstore.gc.upgrade;

/** An item of any version. */
public interface Item {
  /** How many there are. */
  long count();

  /** Says how many there are. */
  void setCount(long count);

  /** Throws if the item with a number has any other value than it should. */
  void check(int number);
}
