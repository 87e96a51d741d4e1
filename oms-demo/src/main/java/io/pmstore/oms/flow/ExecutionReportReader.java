package io.pmstore.oms.flow;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import quickfix.field.CumQty;
import quickfix.field.ExecID;
import quickfix.field.LastPx;
import quickfix.field.LastQty;
import quickfix.field.LeavesQty;
import quickfix.field.OrderQty;
import quickfix.field.Price;

/** Reads the ExecutionReport of a known order. */
final class ExecutionReportReader {
  private ExecutionReportReader() {}

  /**
   * Reads it.
   *
   * @param sequence how many reports the order has
   * @param orderType the order's type
   * @param orderPrice the order's price now
   * @param orderQuantity the order's quantity now
   * @throws UnusableMessageException if a field is missing or contradicts another
   */
  static FlowEvent.Update read(
      FixFields fields,
      long orderId,
      int sequence,
      OrderType orderType,
      @Nullable BigDecimal orderPrice,
      long orderQuantity)
      throws UnusableMessageException {
    ExecType type = fields.execType();
    BigDecimal price = orderPrice;
    long quantity = orderQuantity;
    if (type == ExecType.TRADE) {
      price = fields.price(LastPx.FIELD);
      quantity = fields.positiveQuantity(LastQty.FIELD);
    } else if (type == ExecType.REPLACED) {
      price = orderType == OrderType.LIMIT ? fields.price(Price.FIELD) : null;
      quantity = fields.positiveQuantity(OrderQty.FIELD);
    }
    long ordered = type == ExecType.REPLACED ? quantity : orderQuantity;
    long cumQty = fields.quantity(CumQty.FIELD);
    long leavesQty = fields.quantity(LeavesQty.FIELD);
    if (cumQty + leavesQty > ordered) {
      throw new UnusableMessageException(
          "CumQty(14) %d and LeavesQty(151) %d exceed the order's quantity %d"
              .formatted(cumQty, leavesQty, ordered));
    }
    return new FlowEvent.Update(
        orderId,
        sequence,
        fields.text(ExecID.FIELD),
        type,
        price,
        quantity,
        fields.orderStatus(),
        cumQty,
        leavesQty,
        fields.averagePrice(),
        fields.time());
  }
}
