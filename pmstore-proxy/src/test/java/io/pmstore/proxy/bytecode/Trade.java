package io.pmstore.proxy.bytecode;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A class whose methods use its fields directly. */
@Persistent(root = "trade")
public class Trade {
  private final List<String> log = new ArrayList<>();
  private long id;
  private int quantity = 100;
  private @Nullable String symbol;
  private @Nullable Trade next;
  private double price;

  public Trade() {}

  public Trade(long id, @Nullable String symbol) {
    this.id = id;
    this.symbol = symbol;
    note("made");
  }

  public long getId() {
    return id;
  }

  public @Nullable String symbol() {
    return symbol;
  }

  public Trade symbol(@Nullable String value) {
    this.symbol = value;
    return this;
  }

  public void setNext(@Nullable Trade next) {
    if (next == this) {
      throw new IllegalArgumentException("a trade follows itself");
    }
    this.next = next;
  }

  public @Nullable Trade getNext() {
    return next;
  }

  public void fill(int n) {
    this.quantity -= n;
    quantity--;
    price = price * 2 + quantity;
    note("filled " + n + ", left " + quantity + " of " + symbol);
  }

  private void note(String what) {
    log.add(what);
  }

  public int moveTo(Trade other) {
    int moved = quantity;
    other.quantity += moved;
    other.note("got " + moved);
    quantity = 0;
    return other.quantity;
  }

  public List<String> log() {
    return log;
  }

  public IntSupplier later() {
    return () -> quantity * sign();
  }

  private int sign() {
    return id < 0 ? -1 : 1;
  }

  public LongUnaryOperator shifted() {
    return this::shift;
  }

  private long shift(long by) {
    return id + by;
  }

  public Supplier<String> describer(String suffix) {
    return new Supplier<>() {
      private int calls;

      @Override
      public String get() {
        calls++;
        IntSupplier inner = () -> quantity + calls + sign();
        return symbol + inner.getAsInt() + suffix;
      }
    };
  }

  public long sum() {
    record Pair(long a, long b) {
      long both() {
        return a + b;
      }
    }
    class Local {
      private final long weight;

      private Local(long weight) {
        this.weight = weight;
      }

      private long of(Pair pair) {
        return weight * pair.both() + quantity;
      }
    }
    return new Local(2).of(new Pair(id, quantity)) + new Local(3).weight;
  }

  public synchronized String kind(Object what) throws IllegalStateException {
    try {
      return switch (what) {
        case String s when s.equals(symbol) -> "symbol";
        case Integer i when i == quantity -> "quantity";
        case Trade t -> "trade " + t.id;
        default -> throw new IllegalStateException(symbol);
      };
    } finally {
      note("asked");
    }
  }

  @Override
  public boolean equals(@Nullable Object o) {
    if (this == o) {
      return true;
    }
    if (!(o instanceof Trade other)) {
      return false;
    }
    return id == other.id && quantity == other.quantity && Objects.equals(symbol, other.symbol);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, quantity, symbol);
  }

  @Override
  public String toString() {
    return "Trade{id=" + id + ", quantity=" + quantity + ", symbol='" + symbol + "'}";
  }
}
