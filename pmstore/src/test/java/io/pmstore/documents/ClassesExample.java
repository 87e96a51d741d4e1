package io.pmstore.documents;

import io.pmstore.ClassReport;
import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.Transient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The examples of docs/classes.md. */
public final class ClassesExample {
  private ClassesExample() {}

  /** An ordinary class. */
  @Persistent
  public static class Order {
    private final long id; // needs no setter
    private String symbol;
    private long quantity;
    private final List<String> history = new ArrayList<>();

    public Order() {
      this(0, "");
    }

    public Order(long id, String symbol) {
      this.id = id;
      this.symbol = symbol;
    }

    public long getId() {
      return id;
    }

    public void setQuantity(long quantity) { // checks what it assigns
      if (quantity < 0) {
        throw new IllegalArgumentException("quantity of " + id + ": " + quantity);
      }
      this.quantity = quantity;
    }

    public long getQuantity() {
      return quantity;
    }

    public void fill(long shares) {
      setQuantity(quantity - shares);
      note("filled " + shares + " of " + symbol);
    }

    private void note(String what) {
      history.add(what);
    }

    public Predicate<Order> sameSymbol() {
      return other -> other.symbol.equals(symbol);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Order other && id == other.id && Objects.equals(symbol, other.symbol);
    }

    @Override
    public int hashCode() {
      return Objects.hash(id, symbol);
    }
  }

  /** A class with fields that the store does not keep. */
  @Persistent
  public static class Customer {
    private String name;
    private transient String greeting = "Welcome!";
    private int visits;

    @Transient
    public int getVisits() {
      return visits;
    }

    public void visit() {
      visits++;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public String greeting() {
      return greeting;
    }

    @OnLoad
    private void makeGreeting() {
      greeting = "Welcome back, " + name + "!";
    }
  }

  static Order fill(PmStore store, Order order) {
    return store.transaction( // one transaction; without it each of the two methods is one
        () -> {
          order.fill(100);
          order.setQuantity(order.getQuantity() - 50);
          return order;
        });
  }

  static List<String> check() {
    ClassReport report = PmStore.check(Order.class, Customer.class);
    report.assertAccepted(); // an AssertionError lists what is refused, and why
    return report.warnings(); // what is accepted, and may not do what its author wants
  }
}
