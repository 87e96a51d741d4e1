package io.pmstore.oms.targets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Side;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.run.FlowRunner;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A pool of PMDK by hand. */
class LlplRawTargetTest extends TargetContract {
  private static final int STRIPE_BITS = 8;

  @Override
  TargetKind kind() {
    return TargetKind.LLPL_RAW;
  }

  /** The second table that is tried has no room for all that the full one had. */
  @Test
  void aTableGrowsUntilThereIsRoom() throws Exception {
    List<Long> ids = new ArrayList<>(ids(64, 31, 17));
    ids.addAll(16, ids(64, 32, 1));
    ids.addAll(ids(1024, 5, 40));
    applyAndFind(List.of(orders(ids)));
  }

  @Test
  void threadsShareAStripe() throws Exception {
    List<Long> ids = ids(1, 0, 1_200);
    applyAndFind(
        List.of(
            orders(ids.subList(0, 400)),
            orders(ids.subList(400, 800)),
            orders(ids.subList(800, 1_200))));
  }

  private static List<FlowEvent> orders(List<Long> ids) {
    return ids.stream().map(LlplRawTargetTest::order).toList();
  }

  private void applyAndFind(List<List<FlowEvent>> parts) throws InterruptedException {
    try (OmsTarget target = kind().create(settings(parts.size(), false))) {
      try (OmsService service = target.open()) {
        FlowRunner.run(service, parts, null, new LongAdder(), event -> {});
        findAll(service, parts);
      }
      try (OmsService service = target.open()) {
        findAll(service, parts);
      }
    }
  }

  private static void findAll(OmsService service, List<List<FlowEvent>> parts) {
    List<FlowEvent> orders = parts.stream().flatMap(List::stream).toList();
    Map<Long, OrderSnapshot> found = scan(service);
    assertEquals(orders.size(), found.size());
    for (FlowEvent event : orders) {
      OrderSnapshot order = found.get(event.orderId());
      assertEquals(order, service.find(event.orderId()));
      assertEquals("C" + event.orderId(), order.clOrdId());
      assertEquals("E" + event.orderId(), order.reports().getFirst().execId());
    }
  }

  private static Map<Long, OrderSnapshot> scan(OmsService service) {
    Map<Long, OrderSnapshot> found = new HashMap<>();
    service.scan(
        new ContentVisitor() {
          @Override
          public void order(OrderSnapshot order) {
            assertNull(found.put(order.id(), order));
          }

          @Override
          public void stray(String description) {
            throw new AssertionError(description);
          }
        });
    return found;
  }

  /** Ids of one stripe whose hashes have the same remainder. */
  private static List<Long> ids(int divisor, int remainder, int count) {
    return LongStream.iterate(1, id -> id + 1)
        .filter(
            id -> {
              long hash = LlplRawTable.hash(id);
              return hash >>> (Long.SIZE - STRIPE_BITS) == 3 && (hash & divisor - 1) == remainder;
            })
        .limit(count)
        .boxed()
        .toList();
  }

  private static FlowEvent order(long id) {
    return order(id, "C" + id);
  }

  private static FlowEvent order(long id, String clOrdId) {
    return new FlowEvent.NewOrder(
        id,
        "E" + id,
        clOrdId,
        "",
        Side.SELL,
        OrderType.MARKET,
        null,
        100,
        "Zürich",
        Instant.ofEpochMilli(id));
  }

  @Test
  void aFullPoolRefusesAndKeepsWhatItAcknowledged() {
    TargetSettings small =
        new TargetSettings(dir.resolve("store"), medium(), false, 1, 9L << 20, null);
    Set<Long> acknowledged = new HashSet<>();
    try (OmsTarget target = kind().create(small)) {
      try (OmsService service = target.open()) {
        long id = 0;
        for (int size = 200_000; size > 500; size /= 3) {
          String clOrdId = "C".repeat(size);
          int refused = 0;
          while (refused < 3) {
            try {
              service.apply(order(++id, clOrdId));
              acknowledged.add(id);
            } catch (TargetException e) {
              assertTrue(e.getMessage().contains("--llpl-pool"), e::getMessage);
              refused++;
            }
          }
        }
        assertTrue(acknowledged.size() > 20, acknowledged::toString);
        assertEquals(acknowledged, scan(service).keySet());
      }
      try (OmsService service = target.open()) {
        assertEquals(acknowledged, scan(service).keySet());
      }
    }
  }

  /** An average price with too many decimals is met when the order is half changed. */
  @Test
  void aReportThatFailsHalfwayChangesNothing() {
    try (OmsTarget target = kind().create(settings(1, false));
        OmsService service = target.open()) {
      service.apply(order(7));
      OrderSnapshot before = service.find(7);
      assertThrows(ArithmeticException.class, () -> service.apply(trade(7, "1.0000001")));
      assertEquals(before, service.find(7));
      service.apply(trade(7, "1.000001"));
      OrderSnapshot after = service.find(7);
      assertEquals(30, after.cumQty());
      assertEquals(2, after.reports().size());
    }
  }

  private static FlowEvent trade(long id, String avgPx) {
    return new FlowEvent.Update(
        id,
        1,
        "E" + id + "-1",
        ExecType.TRADE,
        BigDecimal.ONE,
        30,
        OrderStatus.PARTIALLY_FILLED,
        30,
        70,
        new BigDecimal(avgPx),
        Instant.EPOCH);
  }

  @Test
  void anOrderIsInsertedOnceAndAClosedPoolIsNotRead() {
    try (OmsTarget target = kind().create(settings(1, false))) {
      OmsService closed = target.open();
      closed.apply(order(7));
      assertThrows(IllegalStateException.class, () -> closed.apply(order(7)));
      closed.close();
      closed.close();
      assertThrows(IllegalStateException.class, () -> closed.find(7));
      assertThrows(IllegalStateException.class, () -> closed.apply(order(8)));
      try (OmsService service = target.open()) {
        Map<Long, OrderSnapshot> found = scan(service);
        assertEquals(Set.of(7L), found.keySet());
        assertEquals(1, found.get(7L).reports().size());
      }
    }
  }
}
