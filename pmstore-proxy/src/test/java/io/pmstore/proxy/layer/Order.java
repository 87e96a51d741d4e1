package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A bean like those that users write. */
@Persistent(root = "order")
public class Order {
  private long id;
  private int quantity = 100;
  private @Nullable String symbol;
  private @Nullable BigDecimal price;
  private @Nullable Order parent;
  private @Nullable Object note;
  private @Nullable Side side;
  private List<Order> children = new ArrayList<>();
  private Map<String, Object> tags = new HashMap<>();
  private transient int cached;

  /** An enum whose constants have bodies, so that their classes are not the enum. */
  public enum Side {
    BUY {
      @Override
      int sign() {
        return 1;
      }
    },
    SELL {
      @Override
      int sign() {
        return -1;
      }
    };

    abstract int sign();
  }

  public Order() {}

  public Order(long id) {
    this.id = id;
  }

  public long getId() {
    return id;
  }

  public void setId(long id) {
    this.id = id;
  }

  public int getQuantity() {
    return quantity;
  }

  public void setQuantity(int quantity) {
    this.quantity = quantity;
  }

  public @Nullable String getSymbol() {
    return symbol;
  }

  public void setSymbol(@Nullable String symbol) {
    this.symbol = symbol;
  }

  public @Nullable BigDecimal getPrice() {
    return price;
  }

  public void setPrice(@Nullable BigDecimal price) {
    this.price = price;
  }

  public @Nullable Order getParent() {
    return parent;
  }

  public void setParent(@Nullable Order parent) {
    this.parent = parent;
  }

  public @Nullable Object getNote() {
    return note;
  }

  public void setNote(@Nullable Object note) {
    this.note = note;
  }

  public @Nullable Side getSide() {
    return side;
  }

  public void setSide(@Nullable Side side) {
    this.side = side;
  }

  public List<Order> getChildren() {
    return children;
  }

  public void setChildren(List<Order> children) {
    this.children = children;
  }

  public Map<String, Object> getTags() {
    return tags;
  }

  public void setTags(Map<String, Object> tags) {
    this.tags = tags;
  }

  public int getCached() {
    return cached;
  }

  public void setCached(int cached) {
    this.cached = cached;
  }

  /** An ordinary method, which works on either kind of object because it uses the accessors. */
  public int signedQuantity() {
    return Objects.requireNonNull(getSide()).sign() * getQuantity();
  }
}
