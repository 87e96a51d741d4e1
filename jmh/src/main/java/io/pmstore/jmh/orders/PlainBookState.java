package io.pmstore.jmh.orders;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The same in Java's heap, lost with the process. */
@State(Scope.Benchmark)
public class PlainBookState {
  /** How many orders, numbers and elements there are. */
  @Param("1000000")
  public int bookSize;

  final Map<Long, StockOrder> orders = new HashMap<>();
  final Map<Long, Long> numbers = new HashMap<>();
  @Nullable Node first;

  @Setup
  public void fill() {
    for (long i = 0; i < bookSize; i++) {
      orders.put(i, new StockOrder(i));
      numbers.put(i, i);
      Node node = new Node();
      node.setValue(i);
      node.setNext(first);
      first = node;
    }
  }
}
