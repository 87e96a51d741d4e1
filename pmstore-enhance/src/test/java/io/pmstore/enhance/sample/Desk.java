package io.pmstore.enhance.sample;

import java.util.Arrays;

/** A class that is not persistent, and uses the fields of those that are. */
public final class Desk {
  private Desk() {}

  public static long total(Shop shop) {
    return shop.orders.values().stream().mapToLong(o -> o.price * o.quantity).sum();
  }

  public static void reprice(Order order, long price) {
    order.price = price;
    order.quantity++;
  }

  public static void count(Order order, int index) {
    order.counts[index]++;
  }

  public static void countAll(Order order, int count) {
    Arrays.fill(order.counts, count);
  }

  public static void countTwice(Order order, int index) {
    int[] counts = order.counts;
    counts[index]++;
    counts[index] += 1;
  }
}
