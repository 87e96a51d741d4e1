package io.pmstore.gc.upgrade;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** An item as it is today: larger, so that its object moves. */
@Persistent
public class NewItem implements Item {
  private long count;
  private int number;

  @FormerNames("name")
  private String label;

  private BigDecimal price = BigDecimal.ONE;
  private String code;
  private List<String> notes = new ArrayList<>();

  @Override
  public long count() {
    return count;
  }

  @Override
  public void setCount(long count) {
    this.count = count;
    notes.add("counted " + count);
  }

  @Override
  public void check(int expected) {
    if (number != expected
        || !label.equals("item " + expected)
        || !price.equals(BigDecimal.ONE)
        || !code.equals("#" + expected)
        || notes.size() != count) {
      throw new AssertionError(
          "item %d is number %d, label %s, price %s, code %s, %d times counted: %s"
              .formatted(expected, number, label, price, code, count, notes));
    }
  }
}
