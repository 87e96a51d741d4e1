package io.pmstore.oms.domain;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thing that happened to an order. */
@Persistent
public class ExecutionReport {
  private String execId = "";
  private ExecType type = ExecType.PENDING_NEW;
  private @Nullable BigDecimal price;
  private long quantity;
  private Instant time = Instant.EPOCH;

  /** The id of the report: the ExecID of FIX. */
  public String getExecId() {
    return execId;
  }

  /**
   * Sets the id of the report.
   *
   * @param execId the ExecID of FIX
   */
  public void setExecId(String execId) {
    this.execId = execId;
  }

  /** The kind of the report. */
  public ExecType getType() {
    return type;
  }

  /** Sets what it tells. */
  public void setType(ExecType type) {
    this.type = type;
  }

  /** A trade's price, otherwise the order's; null when the order has none. */
  public @Nullable BigDecimal getPrice() {
    return price;
  }

  /**
   * Sets the price.
   *
   * @param price the price; null when the order has none
   */
  public void setPrice(@Nullable BigDecimal price) {
    this.price = price;
  }

  /** A trade's quantity, otherwise the order's; in shares. */
  public long getQuantity() {
    return quantity;
  }

  /**
   * Sets the quantity.
   *
   * @param quantity the quantity, in shares
   */
  public void setQuantity(long quantity) {
    this.quantity = quantity;
  }

  /** When it happened. */
  public Instant getTime() {
    return time;
  }

  /** Sets when it happened. */
  public void setTime(Instant time) {
    this.time = time;
  }
}
