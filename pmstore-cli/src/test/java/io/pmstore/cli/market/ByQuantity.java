package io.pmstore.cli.market;

import java.util.Comparator;

/** A comparator that a sorted collection holds as a value. */
public enum ByQuantity implements Comparator<Order> {
  ASCENDING;

  @Override
  public int compare(Order one, Order other) {
    return Integer.compare(one.getQuantity(), other.getQuantity());
  }
}
