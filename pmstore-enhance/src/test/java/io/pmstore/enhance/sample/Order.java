package io.pmstore.enhance.sample;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** A final class with open fields, a factory, a builder, a copy constructor and comparators. */
@Persistent
public final class Order implements Comparable<Order>, Cloneable {
  /** Compares fields. */
  public static final Comparator<Order> BY_PRICE = (a, b) -> Long.compare(a.price, b.price);

  /** What an order comes from. */
  public record Source(String desk, int trader) {}

  /** Makes orders. */
  public static final class Builder {
    private final Order made;

    private Builder(long id) {
      made = new Order(id);
    }

    public Builder symbol(String symbol) {
      made.symbol = symbol;
      return this;
    }

    public Builder price(long price) {
      made.price = price;
      return this;
    }

    public Order build() {
      return made;
    }
  }

  private final long id;
  protected String symbol = "";
  public long price;
  int quantity;
  private Source source = new Source("none", 0);
  private List<String> notes = new ArrayList<>();
  public int[] counts = new int[3];
  public Optional<int[]> limits = Optional.of(new int[1]);
  private int[][] grid = new int[2][2];

  private Order(long id) {
    this.id = id;
  }

  /** Copies an order. */
  public Order(Order other) {
    this(other.id);
    symbol = other.symbol;
    price = other.price;
    quantity = other.quantity;
    counts = other.counts.clone();
    notes = new ArrayList<>(other.notes);
  }

  /** Makes an order. */
  public static Order of(long id, int quantity) {
    Order made = new Order(id);
    made.quantity = quantity;
    return made;
  }

  public static Builder builder(long id) {
    return new Builder(id);
  }

  public static long worth(Order order) {
    return order.price * order.quantity;
  }

  public long id() {
    return id;
  }

  public int quantity() {
    return quantity;
  }

  public List<String> notes() {
    return notes;
  }

  public void notes(List<String> newNotes) {
    notes = newNotes;
  }

  /** Returns the list that it has just assigned, as some generators of classes write it. */
  public List<String> newNotes() {
    List<String> made = new ArrayList<>();
    notes = made;
    return made;
  }

  public Source source() {
    return source;
  }

  public void source(Source newSource) {
    source = newSource;
  }

  /** Writes three fields, and fails afterwards if there is too little. */
  public int fill(int by) {
    quantity -= by;
    counts[0]++;
    notes.add("filled " + by);
    if (quantity < 0) {
      throw new IllegalStateException("only " + (quantity + by) + " left");
    }
    return quantity;
  }

  public IntUnaryOperator counter() {
    return i -> ++counts[i];
  }

  public Runnable repricing(long by) {
    return new Runnable() {
      @Override
      public void run() {
        price += by;
      }
    };
  }

  public void mark(int row, int column, int value) {
    grid[row][column] = value;
  }

  public int marked(int row, int column) {
    return grid[row][column];
  }

  @Override
  public Order clone() {
    try {
      return (Order) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int compareTo(Order other) {
    return Long.compare(id, other.id);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Order order && id == order.id && symbol.equals(order.symbol);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, symbol);
  }
}
