package io.pmstore.oms.cluster;

import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A flow of orders without an end, in batches. A batch follows from its number, so any node can go
 * on with a batch that another node has begun. Each thread of a leader has every n-th batch, and
 * applies one after the other.
 */
final class Batches {
  private static final int ORDERS = 100;
  private static final int RATIO = 6;

  private Batches() {}

  /** Returns the id of the order that a batch begins with. */
  static long firstOrder(int batch) {
    return 1 + (long) batch * ORDERS;
  }

  /** Returns the number of the batch that an order is in. */
  static int ofOrder(long orderId) {
    return Math.toIntExact((orderId - 1) / ORDERS);
  }

  /** Returns the execution reports of a batch, in their order. */
  static List<FlowEvent> events(int batch) {
    try {
      OrderFlow flow =
          FlowSource.generate(new FlowSettings(ORDERS, RATIO, batch), null, count -> {});
      return flow.events().stream().map(event -> numbered(event, batch)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the flow up to a batch, that one included. */
  static OrderFlow upTo(int last) {
    List<FlowEvent> events = new ArrayList<>();
    for (int batch = 0; batch <= last; batch++) {
      events.addAll(events(batch));
    }
    return new OrderFlow(events, (last + 1) * ORDERS, List.of());
  }

  /** Gives an event the ids that it has in the whole flow. */
  private static FlowEvent numbered(FlowEvent event, int batch) {
    long id = firstOrder(batch) + event.orderId() - 1;
    String suffix = "/" + batch;
    return switch (event) {
      case FlowEvent.NewOrder o ->
          new FlowEvent.NewOrder(
              id,
              o.execId() + suffix,
              o.clOrdId() + suffix,
              o.symbol(),
              o.side(),
              o.type(),
              o.price(),
              o.quantity(),
              o.account(),
              o.time());
      case FlowEvent.Update u ->
          new FlowEvent.Update(
              id,
              u.sequence(),
              u.execId() + suffix,
              u.type(),
              u.price(),
              u.quantity(),
              u.status(),
              u.cumQty(),
              u.leavesQty(),
              u.avgPx(),
              u.time());
    };
  }
}
