package io.pmstore.jmh.orders;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the benchmarks' store holds. */
@Persistent(root = "book")
public class Book {
  private Map<Long, StockOrder> orders = new HashMap<>();
  private Map<Long, Long> numbers = new HashMap<>();
  private @Nullable Node first;

  public Map<Long, StockOrder> getOrders() {
    return orders;
  }

  public Map<Long, Long> getNumbers() {
    return numbers;
  }

  public @Nullable Node getFirst() {
    return first;
  }

  public void setFirst(@Nullable Node first) {
    this.first = first;
  }
}
