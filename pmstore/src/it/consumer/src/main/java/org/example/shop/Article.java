package org.example.shop;

import io.pmstore.Persistent;
import java.math.BigDecimal;

/** Something that the shop sells. */
@Persistent
public class Article {
  private String name = "";
  private BigDecimal price = BigDecimal.ZERO;
  private long stock;

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
}
