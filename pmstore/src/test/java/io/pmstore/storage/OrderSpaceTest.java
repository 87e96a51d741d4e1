package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.ClassUse;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an order takes in a store beyond what its fields say. */
class OrderSpaceTest {
  private static final int ORDERS = 5_000;
  private static final int OVERHEAD_MAX = 48;

  @TempDir Path directory;

  /** Which way. */
  public enum Side {
    BUY,
    SELL
  }

  /** An order, with strings as short as they are in orders. */
  @Persistent
  public static class Order {
    private long id;
    private String clientId;
    private String symbol;
    private String account;
    private Side side = Side.SELL;
    private int quantity;
    private int filled;
    private BigDecimal price;
    private Instant time;

    public Order() {}

    Order(int n) {
      id = n;
      clientId = "ORD-%08d".formatted(n);
      symbol = "SYM" + n % 100;
      account = "ACC%06d".formatted(n % 1000);
      quantity = n;
      price = BigDecimal.valueOf(1000 + n, 2);
      time = Instant.ofEpochSecond(1_700_000_000L + n, n);
    }

    /** The bytes of the fields themselves: an enum is one, an Instant and a BigDecimal twelve. */
    int ownBytes() {
      return 8 + clientId.length() + symbol.length() + account.length() + 1 + 4 + 4 + 12 + 12;
    }
  }

  /** What holds them. */
  @Persistent(root = "book")
  public static class Book {
    private final List<Order> orders = new ArrayList<>();

    List<Order> orders() {
      return orders;
    }
  }

  @Test
  void anOrderTakesLittleMoreThanItsFields() {
    long own = 0;
    try (PmStore store = PmStore.open(directory.resolve("store"))) {
      List<Order> orders = store.root(Book.class).orders();
      List<Order> plain = new ArrayList<>();
      for (int n = 0; n < ORDERS; n++) {
        plain.add(new Order(n));
        own += plain.get(n).ownBytes();
      }
      orders.addAll(plain);
      assertEquals(plain.get(7).ownBytes(), orders.get(7).ownBytes());
    }
    VerificationReport report = PmStore.verify(directory.resolve("store"));
    long bytes = 0;
    for (ClassUse use : report.classes()) {
      if (use.className().equals(Order.class.getName())
          || use.className().startsWith("pmstore.blob")) {
        bytes += use.bytes();
      }
    }
    System.out.printf(
        "an order of %.1f bytes takes %.1f%n", (double) own / ORDERS, (double) bytes / ORDERS);
    assertTrue(bytes > own, bytes + " bytes for " + own);
    assertTrue(bytes <= own + (long) ORDERS * OVERHEAD_MAX, bytes + " bytes for " + own);
  }
}
