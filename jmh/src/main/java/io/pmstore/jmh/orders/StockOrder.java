package io.pmstore.jmh.orders;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.time.Instant;

/** An order, with short strings as they are in orders. */
@Persistent
public class StockOrder {
  /** Which way. */
  public enum Side {
    /** To have more. */
    BUY,
    /** To have less. */
    SELL
  }

  private long id;
  private String symbol = "";
  private String account = "";
  private Side side = Side.BUY;
  private int quantity;
  private BigDecimal price = BigDecimal.ZERO;
  private Instant time = Instant.EPOCH;

  /** Creates an order of nothing. */
  public StockOrder() {}

  /**
   * Creates an order.
   *
   * @param id what it is found by; the rest is made of it
   */
  StockOrder(long id) {
    this.id = id;
    symbol = "SYM" + id % 1000;
    account = "ACC" + id % 100_000;
    side = id % 2 == 0 ? Side.BUY : Side.SELL;
    quantity = (int) (id % 1000 + 1);
    price = BigDecimal.valueOf(1000 + id % 5000, 2);
    time = Instant.ofEpochSecond(1_700_000_000 + id, id % 1000);
  }

  public long getId() {
    return id;
  }

  public String getSymbol() {
    return symbol;
  }

  public String getAccount() {
    return account;
  }

  public Side getSide() {
    return side;
  }

  public int getQuantity() {
    return quantity;
  }

  public BigDecimal getPrice() {
    return price;
  }

  public Instant getTime() {
    return time;
  }
}
