package io.pmstore.documents;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** README's example. */
public final class ReadmeExample {
  private ReadmeExample() {}

  /** The root. */
  @Persistent(root = "exchange")
  public static class Exchange {
    private Map<Long, Order> orders = new HashMap<>();

    public Map<Long, Order> getOrders() {
      return orders;
    }

    public void setOrders(Map<Long, Order> orders) {
      this.orders = orders;
    }
  }

  /** An order. */
  @Persistent
  public static class Order {
    private String symbol;
    private long quantity;

    public String getSymbol() {
      return symbol;
    }

    public void setSymbol(String symbol) {
      this.symbol = symbol;
    }

    public long getQuantity() {
      return quantity;
    }

    public void setQuantity(long quantity) {
      this.quantity = quantity;
    }
  }

  static void run(Path directory) {
    try (PmStore store = PmStore.open(directory)) {
      Exchange exchange = store.root(Exchange.class); // created at the first use, found afterwards
      store.transaction(
          () -> {
            Order order = store.create(Order.class); // persistent from the start; or a plain one
            order.setSymbol("PETR4");
            exchange.getOrders().put(1L, order);
          });
      exchange.getOrders().get(1L).setQuantity(200); // a single setter is its own transaction
    }
  }

  static long reportAndBackUp(Path directory, Path backup) {
    try (PmStore store = PmStore.open(directory)) {
      Exchange exchange = store.root(Exchange.class);
      Order order = exchange.getOrders().get(1L);
      store.transaction(
          Durability.relaxed(Duration.ofMillis(50)),
          () -> order.setQuantity(300)); // acknowledged at once
      long total =
          store.snapshot(
              () -> exchange.getOrders().values().stream().mapToLong(Order::getQuantity).sum());
      store.backup(backup); // whole and durable when this returns
      return total;
    }
  }

  static VerificationReport verify(Path directory) {
    VerificationReport report = PmStore.verify(directory);
    System.out.println(report); // objects and bytes by class, garbage, free space, faults
    return report;
  }
}
