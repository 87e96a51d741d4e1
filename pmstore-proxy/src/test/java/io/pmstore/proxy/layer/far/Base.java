package io.pmstore.proxy.layer.far;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Has members that other packages can see, and members that they cannot. */
public class Base {
  private long balance;
  private @Nullable Receipt receipt = null;
  protected transient int inherited = 3;

  /** Visible in this package only. */
  static class Helper {
    static long half(long amount) {
      return amount / 2;
    }
  }

  /** Never stored. */
  @io.pmstore.Persistent
  static class Receipt {}

  public void deposit(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("balance " + balance); // with its line
    }
    LongSupplier half = () -> Helper.half(balance);
    balance += amount - fee(amount) + half.getAsLong() - half.getAsLong();
  }

  protected long fee(long amount) {
    return balance > 0 ? amount / 10 : 0;
  }

  public String describe() {
    return "account with " + balance + (receipt == null);
  }

  public long balance() {
    return balance;
  }

  protected int hook() {
    return 5;
  }

  @Override
  public String toString() {
    return "Base " + balance;
  }
}
