package io.pmstore.cli.market;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Properties that are declared as classes, interfaces, arrays and so on. */
@Persistent
public class Part {
  private String name = "part";
  private int[] data = {1, 2};
  private double ratio = 0.5;
  private float share = 0.25f;
  private long count = 7;
  private boolean flag = true;
  private char letter = 'x';
  private Long boxed = 8L;
  private Instant at = Instant.EPOCH;
  private Side side = Side.BUY;
  private Money price = new Money("EUR", new BigDecimal("1.50"));
  private Part next;
  private Account account;
  private List<String> list = new ArrayList<>(List.of("a"));
  private Collection<String> collection = new ArrayList<>(List.of("b"));
  private Map<String, String> map = new HashMap<>(Map.of("k", "v"));
  private Object any = 5L;
  private Number number = 6;
  private Named named;
  private Named other;
  private Named third;
  private Optional<String> optional = Optional.of("present");
  private String[] lines = {"line"};
  private Object[] objects = {"text", 1L};
  private Part[] parts = {};

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public int[] getData() {
    return data;
  }

  public Money getPrice() {
    return price;
  }

  public Part getNext() {
    return next;
  }

  public void setNext(Part next) {
    this.next = next;
  }

  public void setAccount(Account account) {
    this.account = account;
  }

  public Account getAccount() {
    return account;
  }

  public Named getNamed() {
    return named;
  }

  public Named getOther() {
    return other;
  }

  public Named getThird() {
    return third;
  }

  public void setNames(Named one, Named two, Named three) {
    named = one;
    other = two;
    third = three;
  }

  public Part[] getParts() {
    return parts;
  }

  public void setParts(Part[] parts) {
    this.parts = parts;
  }
}
