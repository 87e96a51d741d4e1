package io.pmstore.cli.market;

import io.pmstore.Persistent;
import java.util.Comparator;

/** A customer. */
@Persistent
public class Account implements Comparable<Account> {
  static final Comparator<Account> BY_NAME = Comparator.comparing(Account::getName);

  private String name = "";
  private Order last;

  public Account() {}

  public Account(String name) {
    this.name = name;
  }

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public Order getLast() {
    return last;
  }

  public void setLast(Order last) {
    this.last = last;
  }

  @Override
  public int compareTo(Account other) {
    return getName().compareTo(other.getName());
  }
}
