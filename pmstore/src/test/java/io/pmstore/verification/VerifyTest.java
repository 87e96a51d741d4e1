package io.pmstore.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.ClassUse;
import io.pmstore.VerificationReport.Fault;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What verification says of stores that programs wrote. */
class VerifyTest {
  private static final long MARKED_QUANTITY = 0x5EED_0FA1_1BAD_F00DL;

  @TempDir Path directory;

  /** The side of an order. */
  public enum Side {
    BUY,
    SELL
  }

  /** The root. */
  @Persistent(root = "exchange")
  public static class Exchange {
    private Map<Long, Order> orders = new HashMap<>();
    private List<Object> values = new ArrayList<>();

    public Map<Long, Order> getOrders() {
      return orders;
    }

    public void setOrders(Map<Long, Order> orders) {
      this.orders = orders;
    }

    public List<Object> getValues() {
      return values;
    }

    public void setValues(List<Object> values) {
      this.values = values;
    }
  }

  /** An order, with slots of several kinds. */
  @Persistent
  public static class Order {
    private String symbol;
    private long quantity;
    private Side side;
    private boolean live;
    private Order parent;

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

    public Side getSide() {
      return side;
    }

    public void setSide(Side side) {
      this.side = side;
    }

    public boolean isLive() {
      return live;
    }

    public void setLive(boolean live) {
      this.live = live;
    }

    public Order getParent() {
      return parent;
    }

    public void setParent(Order parent) {
      this.parent = parent;
    }
  }

  static List<Object> valuesOfEveryType() {
    LocalDateTime time = LocalDateTime.of(2026, 11, 21, 23, 59, 59, 999_999_999);
    return List.of(
        true,
        (byte) -1,
        (short) -2,
        'x',
        -3,
        -4L,
        -5.5f,
        -6.5,
        Side.SELL,
        new UUID(-1, 1),
        "",
        "short",
        "fourteen chars",
        "fifteen or more characters",
        "\u4e00\ud83d",
        BigInteger.TEN.negate(),
        BigInteger.TWO.pow(200),
        BigDecimal.ONE.movePointRight(9),
        new BigDecimal(BigInteger.TWO.pow(99).negate(), -7),
        Instant.MIN,
        Instant.MAX,
        Duration.ofNanos(-1),
        LocalDate.MIN,
        LocalDate.MAX,
        LocalTime.MIN,
        LocalTime.MAX,
        time,
        LocalDateTime.MIN,
        LocalDateTime.MAX,
        time.atOffset(ZoneOffset.MIN),
        OffsetDateTime.MAX,
        OffsetTime.MIN,
        OffsetTime.MAX,
        ZonedDateTime.of(time, ZoneId.of("America/Sao_Paulo")),
        ZonedDateTime.of(time, ZoneOffset.MAX),
        ZoneOffset.MIN,
        ZoneId.of("Europe/Berlin"),
        Year.of(Year.MIN_VALUE),
        YearMonth.of(Year.MAX_VALUE, 12),
        MonthDay.of(12, 31),
        Period.of(-1, -2, -3));
  }

  private static Order order(long quantity, Side side) {
    Order order = new Order();
    order.setSymbol("symbol of " + quantity);
    order.setQuantity(quantity);
    order.setSide(side);
    order.setLive(quantity % 2 == 0);
    return order;
  }

  static void fill(PmStore store) {
    Exchange exchange = store.root(Exchange.class);
    store.transaction(
        () -> {
          for (long i = 0; i < 200; i++) {
            Order order = order(i, i % 3 == 0 ? null : Side.values()[(int) i % 2]);
            exchange.getOrders().put(i, order);
            Order stored = exchange.getOrders().get(i);
            stored.setParent(exchange.getOrders().get(i / 2)); // itself, for the first
          }
          exchange.getValues().addAll(valuesOfEveryType());
        });
  }

  private static ClassUse use(VerificationReport report, Class<?> type) {
    return report.classes().stream()
        .filter(use -> use.className().equals(type.getName()))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void whatAProgramWroteIsSound(Storage storage) {
    PmStoreOptions options =
        PmStoreOptions.defaults().storage(storage).llplPoolSize(128L << 20).logSegmentSize(4 << 20);
    try (PmStore store = PmStore.open(directory, options)) {
      fill(store);
    } catch (PmStoreException e) {
      boolean missing = e.getMessage().contains("libpmem");
      if (missing) {
        System.out.println("SKIPPED: " + storage + ": " + e.getMessage());
      }
      assumeTrue(!missing, e.getMessage());
      throw e;
    }
    VerificationReport report = PmStore.verify(directory);
    assertTrue(report.isSound(), report::toString);
    assertEquals(200, use(report, Order.class).objects());
    assertEquals(1, use(report, Exchange.class).objects());

    long freedBytes = use(report, Order.class).bytes() / 2;
    try (PmStore store = PmStore.open(directory, options)) {
      Exchange exchange = store.root(Exchange.class);
      for (long i = 100; i < 200; i++) {
        exchange.getOrders().remove(i);
      }
    }
    try (PmStore store = PmStore.open(directory, options)) {
      store.gc(); // orders know their parents, so they are shared
    }
    VerificationReport after = PmStore.verify(directory, options);
    assertTrue(after.isSound(), after::toString);
    assertEquals(100, use(after, Order.class).objects());
    assertEquals(0, after.garbageBytes());
    assertTrue(report.bytes() - after.bytes() > freedBytes, after::toString);
  }

  @Test
  void damageIsFoundWithTheWayToIt() throws Exception {
    try (PmStore store = PmStore.open(directory)) {
      fill(store);
      store.root(Exchange.class).getOrders().get(7L).setQuantity(MARKED_QUANTITY);
    }
    Path heap = directory.resolve("heap");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(heap)).order(ByteOrder.LITTLE_ENDIAN);
    int quantity = 8192;
    while (bytes.getLong(quantity) != MARKED_QUANTITY) {
      quantity += 8;
    }
    // The cell of the symbol comes first in an order; then come parent and quantity.
    int order = quantity - 16 - 16;
    bytes.put(order + 8, (byte) 0x5f);
    Files.write(heap, bytes.array());

    VerificationReport report = PmStore.verify(directory);
    Fault fault = report.faults().getFirst();
    assertTrue(
        fault
            .path()
            .matches(
                "root \"exchange\" -> orders -> \\[node] -> (parent -> )*VerifyTest\\$Order@"
                    + order
                    + "\\.symbol"),
        fault::path);
    assertTrue(fault.found().startsWith("a cell of 0x"), fault::found);
    assertEquals("a tag of the cell format", fault.expected());
    Fault page = report.faults().getLast();
    assertEquals("page of the heap file at " + (order & -4096), page.path());
    assertEquals(2, report.faultCount());
    assertTrue(report.toString().startsWith("2 faults\n"), report::toString);
    assertTrue(
        report.toString().endsWith("\nfaults\n  " + fault + "\n  " + page), report::toString);
  }
}
