package io.pmstore.oms.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.ReportSnapshot;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.run.ExpectedOrders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KillAuditTest {
  private static ExpectedOrders expected;

  @BeforeAll
  static void makeFlow() throws IOException {
    expected =
        new ExpectedOrders(FlowSource.generate(new FlowSettings(3, 4, 1), null, count -> {}));
  }

  @Test
  void everythingAcknowledgedIsThere() {
    KillAudit.Result result = audit(Map.of(1L, 3, 2L, 5), 1, order(1, 3), order(2, 5));
    assertEquals("acknowledged 8 found 8 lost 0 partial 0 in-flight 0", result.toString());
    assertTrue(result.kept());
  }

  @Test
  void aReportInFlightMayBeThereOrNot() {
    KillAudit.Result result = audit(Map.of(1L, 3), 1, order(1, 4));
    assertEquals("acknowledged 3 found 3 lost 0 partial 0 in-flight 1", result.toString());
    assertTrue(result.kept());
  }

  @Test
  void aNewOrderInFlightMayBeThere() {
    assertTrue(audit(Map.of(1L, 3), 1, order(1, 3), order(2, 1)).kept());
  }

  @Test
  void aMissingReportIsLost() {
    KillAudit.Result result = audit(Map.of(1L, 3, 2L, 5), 1, order(1, 3), order(2, 3));
    assertEquals("acknowledged 8 found 6 lost 2 partial 0 in-flight 0", result.toString());
    assertFalse(result.kept());
    assertEquals(List.of("order 2 has 3 reports; 5 were acknowledged"), result.shown());
  }

  @Test
  void aMissingOrderIsLost() {
    KillAudit.Result result = audit(Map.of(1L, 3, 2L, 5), 1, order(1, 3));
    assertEquals("acknowledged 8 found 3 lost 5 partial 0 in-flight 0", result.toString());
  }

  @Test
  void anOrderAheadOfItsReportsIsPartial() {
    OrderSnapshot ahead = expected.orderAfter(1, 4);
    OrderSnapshot half = withReports(ahead, ahead.reports().subList(0, 3));
    KillAudit.Result result = audit(Map.of(1L, 3), 1, half);
    assertEquals("acknowledged 3 found 3 lost 0 partial 1 in-flight 0", result.toString());
    assertFalse(result.kept());
  }

  @Test
  void anOrderBehindItsReportsIsPartial() {
    OrderSnapshot behind =
        withReports(expected.orderAfter(1, 3), expected.orderAfter(1, 4).reports());
    assertEquals(1, audit(Map.of(1L, 3), 1, behind).partial());
  }

  @Test
  void anOrderWithoutReportsIsPartial() {
    assertEquals(
        1, audit(Map.of(), 1, withReports(expected.orderAfter(1, 1), List.of())).partial());
  }

  @Test
  void aWrongReportIsPartial() {
    OrderSnapshot right = expected.orderAfter(1, 3);
    List<ReportSnapshot> reports = new ArrayList<>(right.reports());
    ReportSnapshot last = reports.removeLast();
    reports.add(
        new ReportSnapshot(
            last.execId(), last.type(), last.price(), last.quantity() + 1, last.time()));
    assertEquals(1, audit(Map.of(1L, 3), 1, withReports(right, reports)).partial());
  }

  @Test
  void moreReportsThanTheFlowHasArePartial() {
    OrderSnapshot right = expected.orderAfter(1, 5);
    List<ReportSnapshot> reports = new ArrayList<>(right.reports());
    reports.add(reports.getLast());
    assertTrue(audit(Map.of(1L, 5), 1, withReports(right, reports)).partial() > 0);
  }

  @Test
  void anOrderOfNoFlowIsPartial() {
    OrderSnapshot order = expected.orderAfter(1, 1);
    OrderSnapshot stranger =
        new OrderSnapshot(
            99,
            order.clOrdId(),
            order.symbol(),
            order.side(),
            order.type(),
            order.price(),
            order.quantity(),
            OrderStatus.NEW,
            0,
            0,
            order.avgPx(),
            order.account(),
            order.created(),
            order.updated(),
            order.reports());
    assertTrue(audit(Map.of(), 1, stranger).partial() > 0);
  }

  @Test
  void twoReportsOfOneOrderCannotBeInFlight() {
    assertFalse(audit(Map.of(1L, 2), 4, order(1, 4)).kept());
  }

  @Test
  void noMoreReportsThanThreadsCanBeInFlight() {
    assertTrue(audit(Map.of(), 2, order(1, 1), order(2, 1)).kept());
    assertFalse(audit(Map.of(), 2, order(1, 1), order(2, 1), order(3, 1)).kept());
  }

  @Test
  void anOrderThatIsThereTwiceIsPartial() {
    assertEquals(1, audit(Map.of(1L, 3), 1, order(1, 3), order(1, 3)).partial());
  }

  @Test
  void aStrayReportIsPartial() {
    KillAudit audit = new KillAudit(expected, Map.of(), 1);
    audit.stray("report 1 of order 7 has no order");
    assertEquals(1, audit.result().partial());
    assertFalse(audit.result().kept());
  }

  private static OrderSnapshot order(long id, int reports) {
    return expected.orderAfter(id, reports);
  }

  private static OrderSnapshot withReports(OrderSnapshot o, List<ReportSnapshot> reports) {
    return new OrderSnapshot(
        o.id(),
        o.clOrdId(),
        o.symbol(),
        o.side(),
        o.type(),
        o.price(),
        o.quantity(),
        o.status(),
        o.cumQty(),
        o.leavesQty(),
        o.avgPx(),
        o.account(),
        o.created(),
        o.updated(),
        reports);
  }

  private static KillAudit.Result audit(
      Map<Long, Integer> acknowledged, int threads, OrderSnapshot... content) {
    KillAudit audit = new KillAudit(expected, acknowledged, threads);
    for (OrderSnapshot order : content) {
      audit.order(order);
    }
    return audit.result();
  }
}
