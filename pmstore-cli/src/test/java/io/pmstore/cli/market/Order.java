package io.pmstore.cli.market;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** An order. */
@Persistent
public class Order {
  private String symbol = "";
  private int quantity;
  private BigDecimal price;
  private Side side;
  private Account account;
  private List<Report> reports = new ArrayList<>();

  public Order() {}

  public Order(String symbol, int quantity, String price, Side side, Account account) {
    this.symbol = symbol;
    this.quantity = quantity;
    this.price = new BigDecimal(price);
    this.side = side;
    this.account = account;
  }

  public String getSymbol() {
    return symbol;
  }

  public void setSymbol(String symbol) {
    this.symbol = symbol;
  }

  public int getQuantity() {
    return quantity;
  }

  public void setQuantity(int quantity) {
    this.quantity = quantity;
  }

  public BigDecimal getPrice() {
    return price;
  }

  public void setPrice(BigDecimal price) {
    this.price = price;
  }

  public Side getSide() {
    return side;
  }

  public void setSide(Side side) {
    this.side = side;
  }

  public Account getAccount() {
    return account;
  }

  public void setAccount(Account account) {
    this.account = account;
  }

  public List<Report> getReports() {
    return reports;
  }

  public void setReports(List<Report> reports) {
    this.reports = reports;
  }
}
