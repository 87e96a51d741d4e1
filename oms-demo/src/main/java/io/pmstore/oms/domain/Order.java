package io.pmstore.oms.domain;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order of a customer, with everything that happened to it.
 *
 * <p>Prices have {@link Scales#PRICE} decimals and average prices {@link Scales#AVERAGE_PRICE};
 * quantities are shares.
 */
@Persistent
public class Order {
  private long id;
  private String clOrdId = "";
  private String symbol = "";
  private Side side = Side.BUY;
  private OrderType type = OrderType.LIMIT;
  private @Nullable BigDecimal price;
  private long quantity;
  private OrderStatus status = OrderStatus.PENDING_NEW;
  private long cumQty;
  private long leavesQty;
  private BigDecimal avgPx = BigDecimal.ZERO;
  private String account = "";
  private Instant created = Instant.EPOCH;
  private Instant updated = Instant.EPOCH;
  private List<ExecutionReport> reports = new ArrayList<>();

  /** The id that the order management system gave the order, from 1. */
  public long getId() {
    return id;
  }

  /**
   * Sets the id.
   *
   * @param id the id, from 1
   */
  public void setId(long id) {
    this.id = id;
  }

  /** The customer's id of the order: the ClOrdID of FIX. */
  public String getClOrdId() {
    return clOrdId;
  }

  /**
   * Sets the customer's id.
   *
   * @param clOrdId the ClOrdID of FIX
   */
  public void setClOrdId(String clOrdId) {
    this.clOrdId = clOrdId;
  }

  /** What is bought or sold. */
  public String getSymbol() {
    return symbol;
  }

  public void setSymbol(String symbol) {
    this.symbol = symbol;
  }

  public Side getSide() {
    return side;
  }

  public void setSide(Side side) {
    this.side = side;
  }

  public OrderType getType() {
    return type;
  }

  public void setType(OrderType type) {
    this.type = type;
  }

  /** The limit price; null for a market order. */
  public @Nullable BigDecimal getPrice() {
    return price;
  }

  /**
   * Sets the limit price.
   *
   * @param price the limit price; null for a market order
   */
  public void setPrice(@Nullable BigDecimal price) {
    this.price = price;
  }

  /** The quantity ordered, in shares. */
  public long getQuantity() {
    return quantity;
  }

  /**
   * Sets the quantity ordered.
   *
   * @param quantity the quantity, in shares
   */
  public void setQuantity(long quantity) {
    this.quantity = quantity;
  }

  public OrderStatus getStatus() {
    return status;
  }

  public void setStatus(OrderStatus status) {
    this.status = status;
  }

  /** Returns the quantity executed so far, in shares. */
  public long getCumQty() {
    return cumQty;
  }

  /**
   * Sets what was executed so far.
   *
   * @param cumQty the quantity, in shares
   */
  public void setCumQty(long cumQty) {
    this.cumQty = cumQty;
  }

  /** Returns the quantity that can still be executed, in shares; 0 at the end. */
  public long getLeavesQty() {
    return leavesQty;
  }

  /**
   * Sets what can still be executed.
   *
   * @param leavesQty the quantity, in shares; 0 at the end
   */
  public void setLeavesQty(long leavesQty) {
    this.leavesQty = leavesQty;
  }

  /** The average price of what was executed; 0 before the first trade. */
  public BigDecimal getAvgPx() {
    return avgPx;
  }

  /**
   * Sets the average price.
   *
   * @param avgPx the average price; 0 before the first trade
   */
  public void setAvgPx(BigDecimal avgPx) {
    this.avgPx = avgPx;
  }

  public String getAccount() {
    return account;
  }

  public void setAccount(String account) {
    this.account = account;
  }

  /** When the order came in. */
  public Instant getCreated() {
    return created;
  }

  /** Sets when the order came in. */
  public void setCreated(Instant created) {
    this.created = created;
  }

  /** When the order last changed. */
  public Instant getUpdated() {
    return updated;
  }

  /** Sets when the order last changed. */
  public void setUpdated(Instant updated) {
    this.updated = updated;
  }

  /** The reports of the order, oldest first. */
  public List<ExecutionReport> getReports() {
    return reports;
  }

  /**
   * Sets what happened to the order.
   *
   * @param reports its reports, oldest first
   */
  public void setReports(List<ExecutionReport> reports) {
    this.reports = reports;
  }
}
