package io.pmstore.oms.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of an order and of its reports, detached from every store.
 *
 * @param id the id the order management system gave the order
 * @param clOrdId the customer's id of the order
 * @param symbol what is bought or sold
 * @param price the limit price; null for a market order
 * @param quantity the quantity ordered, in shares
 * @param cumQty what was executed so far, in shares
 * @param leavesQty what can still be executed, in shares
 * @param avgPx the average price of what was executed
 * @param created when the order came in
 * @param updated when the order last changed
 * @param reports what happened to it, oldest first
 */
public record OrderSnapshot(
    long id,
    String clOrdId,
    String symbol,
    Side side,
    OrderType type,
    @Nullable BigDecimal price,
    long quantity,
    OrderStatus status,
    long cumQty,
    long leavesQty,
    BigDecimal avgPx,
    String account,
    Instant created,
    Instant updated,
    List<ReportSnapshot> reports) {

  /** Copies the list. */
  public OrderSnapshot {
    reports = List.copyOf(reports);
  }

  /** Copies the values of an order. */
  public static OrderSnapshot of(Order order) {
    return new OrderSnapshot(
        order.getId(),
        order.getClOrdId(),
        order.getSymbol(),
        order.getSide(),
        order.getType(),
        order.getPrice(),
        order.getQuantity(),
        order.getStatus(),
        order.getCumQty(),
        order.getLeavesQty(),
        order.getAvgPx(),
        order.getAccount(),
        order.getCreated(),
        order.getUpdated(),
        order.getReports().stream().map(ReportSnapshot::of).toList());
  }
}
