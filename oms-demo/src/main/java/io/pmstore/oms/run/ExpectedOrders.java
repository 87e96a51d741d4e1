package io.pmstore.oms.run;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.ReportSnapshot;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.OrderFlow;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a store must contain after a flow, computed from the flow alone and by no code that any
 * target uses. Immutable once made.
 */
public final class ExpectedOrders {
  private final Map<Long, List<FlowEvent>> eventsByOrder = new LinkedHashMap<>();

  /** Sorts a flow by orders. */
  public ExpectedOrders(OrderFlow flow) {
    for (FlowEvent event : flow.events()) {
      List<FlowEvent> events =
          eventsByOrder.computeIfAbsent(event.orderId(), id -> new ArrayList<>());
      if (event.sequence() != events.size()
          || (event instanceof FlowEvent.NewOrder) != events.isEmpty()) {
        throw new IllegalArgumentException(
            "report %d of order %d is out of sequence; expected %d"
                .formatted(event.sequence(), event.orderId(), events.size()));
      }
      events.add(event);
    }
  }

  /** The ids of the flow's orders. */
  public Set<Long> orderIds() {
    return eventsByOrder.keySet();
  }

  /** How many reports an order gets; 0 if the flow has no such order. */
  public int reportsOf(long orderId) {
    return eventsByOrder.getOrDefault(orderId, List.of()).size();
  }

  /** An order after all its reports, or null if the flow has no such order. */
  public @Nullable OrderSnapshot order(long orderId) {
    int all = reportsOf(orderId);
    return all == 0 ? null : orderAfter(orderId, all);
  }

  /**
   * An order after its first reports.
   *
   * @param orderId the id of an order of the flow
   * @param count how many reports, from 1 to {@link #reportsOf}
   */
  public OrderSnapshot orderAfter(long orderId, int count) {
    List<FlowEvent> events = eventsByOrder.getOrDefault(orderId, List.of());
    if (count < 1 || count > events.size()) {
      throw new IllegalArgumentException(
          "order %d has %d reports in the flow; asked for %d"
              .formatted(orderId, events.size(), count));
    }
    FlowEvent.NewOrder order = (FlowEvent.NewOrder) events.getFirst();
    BigDecimal price = order.price();
    long quantity = order.quantity();
    OrderStatus status = OrderStatus.PENDING_NEW;
    long cumQty = 0;
    long leavesQty = quantity;
    BigDecimal avgPx = Scales.NO_AVERAGE_PRICE;
    List<ReportSnapshot> history = new ArrayList<>(count);
    history.add(
        new ReportSnapshot(order.execId(), ExecType.PENDING_NEW, price, quantity, order.time()));
    for (FlowEvent event : events.subList(1, count)) {
      FlowEvent.Update update = (FlowEvent.Update) event;
      if (update.type() == ExecType.REPLACED) {
        price = update.price();
        quantity = update.quantity();
      }
      status = update.status();
      cumQty = update.cumQty();
      leavesQty = update.leavesQty();
      avgPx = update.avgPx();
      history.add(
          new ReportSnapshot(
              update.execId(), update.type(), update.price(), update.quantity(), update.time()));
    }
    return new OrderSnapshot(
        orderId,
        order.clOrdId(),
        order.symbol(),
        order.side(),
        order.type(),
        price,
        quantity,
        status,
        cumQty,
        leavesQty,
        avgPx,
        order.account(),
        order.time(),
        history.getLast().time(),
        history);
  }
}
