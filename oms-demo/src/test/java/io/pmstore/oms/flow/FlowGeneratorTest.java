package io.pmstore.oms.flow;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.TestSeed;
import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowGeneratorTest {
  private static final Set<OrderStatus> ENDED =
      EnumSet.of(
          OrderStatus.FILLED, OrderStatus.CANCELED, OrderStatus.REJECTED, OrderStatus.EXPIRED);

  @Test
  void theSameSeedGivesTheSameMessages() {
    assertEquals(messages(5), messages(5));
    assertNotEquals(messages(5), messages(6));
  }

  private static List<String> messages(long seed) {
    List<String> messages = new ArrayList<>();
    new FlowGenerator(new FlowSettings(50, 6, seed)).generate(messages::add);
    return messages;
  }

  @ParameterizedTest
  @CsvSource({"300, 0", "300, 1", "300, 2", "300, 3", "1500, 6", "20, 1000"})
  void everyOrderLivesByTheRules(int orders, int ratio) throws IOException {
    long seed = TestSeed.next("everyOrderLivesByTheRules(" + orders + ", " + ratio + ")");
    OrderFlow flow = FlowSource.generate(new FlowSettings(orders, ratio, seed), null, count -> {});
    assertEquals(orders, flow.orders());
    assertEquals(orders * (ratio + 1), flow.events().size());
    Map<Long, Life> lives = new HashMap<>();
    Set<String> execIds = new HashSet<>();
    for (FlowEvent event : flow.events()) {
      assertTrue(execIds.add(event.execId()), () -> "twice: " + event);
      switch (event) {
        case FlowEvent.NewOrder order -> lives.put(order.orderId(), new Life(order));
        case FlowEvent.Update update -> requireNonNull(lives.get(update.orderId())).take(update);
      }
    }
    assertEquals(orders, lives.size());
    lives.values().forEach(life -> life.check(ratio));
  }

  @Test
  void ordersAreInterleavedAndSomeSymbolsArePopular() throws IOException {
    OrderFlow flow = FlowSource.generate(new FlowSettings(2_000, 6, 11), null, count -> {});
    Map<String, Integer> bySymbol = new HashMap<>();
    int neighbours = 0;
    long last = 0;
    for (FlowEvent event : flow.events()) {
      neighbours += event.orderId() == last ? 1 : 0;
      last = event.orderId();
      if (event instanceof FlowEvent.NewOrder order) {
        bySymbol.merge(order.symbol(), 1, Integer::sum);
      }
    }
    assertTrue(
        neighbours < flow.events().size() / 20, "reports of one order in a row: " + neighbours);
    int most = bySymbol.values().stream().mapToInt(n -> n).max().orElse(0);
    assertTrue(most > 2_000 / 12, "orders in the most popular symbol: " + most);
    assertTrue(bySymbol.size() > 150, "symbols: " + bySymbol.size());
  }

  @Test
  void alsoCancelsReplacesAndExpires() throws IOException {
    OrderFlow flow = FlowSource.generate(new FlowSettings(2_000, 6, 13), null, count -> {});
    Set<ExecType> seen = EnumSet.noneOf(ExecType.class);
    for (FlowEvent event : flow.events()) {
      if (event instanceof FlowEvent.Update update) {
        seen.add(update.type());
      }
    }
    assertEquals(EnumSet.complementOf(EnumSet.of(ExecType.PENDING_NEW, ExecType.REJECTED)), seen);
  }

  @Test
  void refusesWhatCannotBeCounted() {
    assertThrows(IllegalArgumentException.class, () -> new FlowSettings(0, 6, 1));
    assertThrows(IllegalArgumentException.class, () -> new FlowSettings(1, -1, 1));
    assertThrows(IllegalArgumentException.class, () -> new FlowSettings(1_000_000_000, 6, 1));
  }

  /** Follows one order and works out its quantities and average price anew. */
  private static final class Life {
    private final long id;
    private long quantity;
    private long executed;
    private BigDecimal notional = BigDecimal.ZERO;
    private int updates;
    private OrderStatus status = OrderStatus.PENDING_NEW;

    Life(FlowEvent.NewOrder order) {
      id = order.orderId();
      quantity = order.quantity();
    }

    void take(FlowEvent.Update update) {
      updates++;
      assertEquals(updates, update.sequence());
      if (update.type() == ExecType.TRADE) {
        executed += update.quantity();
        notional =
            notional.add(
                requireNonNull(update.price()).multiply(BigDecimal.valueOf(update.quantity())));
      } else if (update.type() == ExecType.REPLACED) {
        quantity = update.quantity();
      }
      status = update.status();
      assertEquals(executed, update.cumQty(), update::toString);
      boolean nothingLeft = ENDED.contains(status);
      assertEquals(nothingLeft ? 0 : quantity - executed, update.leavesQty(), update::toString);
      assertEquals(status == OrderStatus.FILLED, executed == quantity, update::toString);
      BigDecimal average =
          executed == 0
              ? BigDecimal.ZERO.setScale(6)
              : notional.divide(BigDecimal.valueOf(executed), 6, RoundingMode.HALF_EVEN);
      assertEquals(average, update.avgPx(), update::toString);
    }

    void check(int ratio) {
      assertEquals(ratio, updates, () -> "updates of order " + id);
      if (ratio >= 2) {
        assertTrue(ENDED.contains(status), () -> "order " + id + " ends as " + status);
      }
    }
  }
}
