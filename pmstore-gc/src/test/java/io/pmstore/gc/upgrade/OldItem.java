package io.pmstore.gc.upgrade;

import io.pmstore.Persistent;

/** An item as it was. */
@Persistent
public class OldItem implements Item {
  private int number;
  private int count;
  private String name;

  OldItem() {}

  OldItem(int number) {
    this.number = number;
    this.name = "item " + number;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public void setCount(long count) {
    this.count = (int) count;
  }

  @Override
  public void check(int expected) {
    if (number != expected || !name.equals("item " + expected)) {
      throw new AssertionError(number + " " + name);
    }
  }
}
