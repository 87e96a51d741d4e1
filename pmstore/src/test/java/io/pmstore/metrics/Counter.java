package io.pmstore.metrics;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** The root of the stores that are watched. */
@Persistent(root = "counter")
public class Counter {
  private long value;
  private List<Counter> others = new ArrayList<>();

  public long getValue() {
    return value;
  }

  public void setValue(long value) {
    this.value = value;
  }

  public List<Counter> getOthers() {
    return others;
  }
}
