package io.pmstore.oms.domain;

import io.pmstore.Persistent;
import java.util.HashMap;
import java.util.Map;

/** The root of the store: every order by its id. */
@Persistent(root = "exchange")
public class Exchange {
  private Map<Long, Order> orders = new HashMap<>();

  /** The orders by their id. */
  public Map<Long, Order> getOrders() {
    return orders;
  }

  /**
   * Sets the orders.
   *
   * @param orders the orders by their id
   */
  public void setOrders(Map<Long, Order> orders) {
    this.orders = orders;
  }
}
