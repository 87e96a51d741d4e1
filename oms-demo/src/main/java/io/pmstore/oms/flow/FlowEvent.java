package io.pmstore.oms.flow;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Side;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One execution report of the flow: an order that comes in, or a change of one that did. Each is
 * one durable transaction. Immutable.
 */
public sealed interface FlowEvent {
  /** The id of the order it is about, from 1. */
  long orderId();

  /** Its place among the reports of its order: 0 for the insertion, then 1, 2 and so on. */
  int sequence();

  /** Its id: the ExecID of FIX. */
  String execId();

  /** When it happened, in whole milliseconds. */
  Instant time();

  /**
   * An order comes in: it is inserted, pending at the exchange, with its first report.
   *
   * @param execId the id of the first report
   * @param clOrdId the customer's id of the order
   * @param symbol what is bought or sold
   * @param price the limit price; null for a market order
   * @param quantity the quantity, in shares
   * @param time when it came in
   */
  record NewOrder(
      long orderId,
      String execId,
      String clOrdId,
      String symbol,
      Side side,
      OrderType type,
      @Nullable BigDecimal price,
      long quantity,
      String account,
      Instant time)
      implements FlowEvent {
    @Override
    public int sequence() {
      return 0;
    }
  }

  /**
   * Something happened to an order: the order changes and gets one more report.
   *
   * @param sequence its place among the reports of its order, from 1
   * @param execId the id of the report
   * @param type what it tells
   * @param price a trade's price, otherwise the order's; null when the order has none
   * @param quantity a trade's quantity, otherwise the order's, in shares
   * @param status the order's new status
   * @param cumQty what was executed so far, in shares
   * @param leavesQty what can still be executed, in shares
   * @param avgPx the average price of what was executed
   * @param time when it happened
   */
  record Update(
      long orderId,
      int sequence,
      String execId,
      ExecType type,
      @Nullable BigDecimal price,
      long quantity,
      OrderStatus status,
      long cumQty,
      long leavesQty,
      BigDecimal avgPx,
      Instant time)
      implements FlowEvent {
    /** Returns true if the order takes over price and quantity of this report. */
    public boolean replacesTerms() {
      return type == ExecType.REPLACED;
    }
  }
}
