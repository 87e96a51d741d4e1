package io.pmstore.oms.targets;

import io.pmstore.oms.domain.Exchange;
import io.pmstore.oms.domain.ExecutionReport;
import io.pmstore.oms.domain.Order;
import java.util.concurrent.ConcurrentHashMap;

/**
 * No store at all: the same objects in Java's heap, in a {@link java.util.HashMap}, or for several
 * threads in a {@link ConcurrentHashMap}. Nothing is durable; closing and opening keeps the
 * objects, and the end of the target forgets them.
 */
public final class HashMapTarget implements OmsTarget {
  private final Exchange exchange = new Exchange();

  /**
   * Creates the target.
   *
   * @param settings of which only the number of threads matters
   */
  public HashMapTarget(TargetSettings settings) {
    if (settings.threads() > 1) {
      exchange.setOrders(new ConcurrentHashMap<>());
    }
  }

  @Override
  public OmsService open() {
    return new OrderBook(exchange, Order::new, ExecutionReport::new);
  }

  @Override
  public DiskUse diskUse() {
    return new DiskUse(0, 0);
  }
}
