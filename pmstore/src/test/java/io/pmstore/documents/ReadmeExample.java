package io.pmstore.documents;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** README's example. */
public final class ReadmeExample {
  private ReadmeExample() {}

  /** The root. */
  @Persistent(root = "exchange")
  public static class Exchange {
    private final Map<Long, Order> orders = new HashMap<>();

    public Map<Long, Order> getOrders() {
      return orders;
    }
  }

  /** An order. */
  @Persistent
  public static class Order {
    private final String symbol;
    private long quantity;

    public Order(String symbol, long quantity) {
      this.symbol = symbol;
      this.quantity = quantity;
    }

    public String getSymbol() {
      return symbol;
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
      Exchange exchange = store.root(Exchange.class); // created once, found ever after
      store.transaction(() -> exchange.getOrders().put(1L, new Order("PETR4", 100)));
      exchange.getOrders().get(1L).setQuantity(200); // durable when the setter returns
    }
  }

  static VerificationReport reportAndBackUp(PmStore store, Path backup) {
    Exchange exchange = store.root(Exchange.class);
    long total =
        store.snapshot(
            () -> exchange.getOrders().values().stream().mapToLong(Order::getQuantity).sum());
    store.backup(backup); // a store of its own, durable when this returns
    VerificationReport report = PmStore.verify(backup); // objects by class, garbage, every fault
    if (total != 200) {
      throw new IllegalStateException("the snapshot shows a quantity of " + total);
    }
    return report;
  }
}
