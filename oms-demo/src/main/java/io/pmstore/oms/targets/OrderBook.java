package io.pmstore.oms.targets;

import io.pmstore.oms.domain.Exchange;
import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.ExecutionReport;
import io.pmstore.oms.domain.Order;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.flow.FlowEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The service over objects, whether a store keeps them or Java's heap only. Closing it does nothing
 * to them.
 */
final class OrderBook implements OmsService {
  private final Exchange exchange;
  private final Supplier<Order> newOrder;
  private final Supplier<ExecutionReport> newReport;

  OrderBook(Exchange exchange, Supplier<Order> newOrder, Supplier<ExecutionReport> newReport) {
    this.exchange = exchange;
    this.newOrder = newOrder;
    this.newReport = newReport;
  }

  @Override
  public void insert(FlowEvent.NewOrder event) {
    Order order = newOrder.get();
    order.setId(event.orderId());
    order.setClOrdId(event.clOrdId());
    order.setSymbol(event.symbol());
    order.setSide(event.side());
    order.setType(event.type());
    order.setPrice(event.price());
    order.setQuantity(event.quantity());
    order.setStatus(OrderStatus.PENDING_NEW);
    order.setLeavesQty(event.quantity());
    order.setAvgPx(Scales.NO_AVERAGE_PRICE);
    order.setAccount(event.account());
    order.setCreated(event.time());
    order.setUpdated(event.time());
    addReport(
        order, event.execId(), ExecType.PENDING_NEW, event.price(), event.quantity(), event.time());
    exchange.getOrders().put(event.orderId(), order);
  }

  @Override
  public void update(FlowEvent.Update event) {
    Order order = exchange.getOrders().get(event.orderId());
    if (order == null) {
      throw new IllegalStateException("there is no order " + event.orderId());
    }
    order.setStatus(event.status());
    order.setCumQty(event.cumQty());
    order.setLeavesQty(event.leavesQty());
    order.setAvgPx(event.avgPx());
    order.setUpdated(event.time());
    if (event.replacesTerms()) {
      order.setPrice(event.price());
      order.setQuantity(event.quantity());
    }
    addReport(order, event.execId(), event.type(), event.price(), event.quantity(), event.time());
  }

  private void addReport(
      Order order,
      String execId,
      ExecType type,
      @Nullable BigDecimal price,
      long quantity,
      Instant time) {
    ExecutionReport report = newReport.get();
    report.setExecId(execId);
    report.setType(type);
    report.setPrice(price);
    report.setQuantity(quantity);
    report.setTime(time);
    order.getReports().add(report);
  }

  @Override
  public @Nullable OrderSnapshot find(long orderId) {
    Order order = exchange.getOrders().get(orderId);
    return order == null ? null : OrderSnapshot.of(order);
  }

  @Override
  public void scan(ContentVisitor visitor) {
    for (Map.Entry<Long, Order> entry : exchange.getOrders().entrySet()) {
      Order order = entry.getValue();
      if (entry.getKey() != order.getId()) {
        visitor.stray("order " + order.getId() + " stands under key " + entry.getKey());
      }
      visitor.order(OrderSnapshot.of(order));
    }
  }

  @Override
  public void close() {
    // Whoever made it has the objects.
  }
}
