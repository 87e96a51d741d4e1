package io.pmstore.cli.market;

import io.pmstore.Persistent;
import java.time.Instant;

/** A report of an execution. */
@Persistent
public class Report {
  private Money price;
  private Instant time;
  private Order order;

  public Report() {}

  public Report(Money price, Instant time, Order order) {
    this.price = price;
    this.time = time;
    this.order = order;
  }

  public Money getPrice() {
    return price;
  }

  public void setPrice(Money price) {
    this.price = price;
  }

  public Instant getTime() {
    return time;
  }

  public void setTime(Instant time) {
    this.time = time;
  }

  public Order getOrder() {
    return order;
  }

  public void setOrder(Order order) {
    this.order = order;
  }
}
