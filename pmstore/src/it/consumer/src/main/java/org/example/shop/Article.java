package org.example.shop;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.function.LongSupplier;

/** Something that the shop sells. */
@Persistent
public class Article {
  private String name = "";
  private BigDecimal price = BigDecimal.ZERO;
  private long stock;
  private transient String label;

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public BigDecimal getPrice() {
    return price;
  }

  public void setPrice(BigDecimal price) {
    this.price = price;
  }

  public long getStock() {
    return stock;
  }

  public void setStock(long stock) {
    this.stock = stock;
  }

  /** Takes articles out of the stock. */
  public void sell(long pieces) {
    LongSupplier left = () -> stock - pieces;
    requireStock(left.getAsLong());
    stock -= pieces;
  }

  private void requireStock(long left) {
    if (left < 0) {
      throw new Shortage("only " + stock + " of " + name).failure();
    }
  }

  private static final class Shortage {
    private final String message;

    private Shortage(String message) {
      this.message = message;
    }

    private IllegalStateException failure() {
      return new IllegalStateException(message);
    }
  }

  @OnLoad
  private void makeLabel() {
    label = name + " for " + price;
  }

  /** What is on the price tag, once the article was read back. */
  public String label() {
    return label;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Article other && name.equals(other.name) && price.equals(other.price);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, price);
  }
}
