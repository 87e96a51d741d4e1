package io.pmstore.documents;

import io.pmstore.FormerNames;
import io.pmstore.Migration;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Removed;
import io.pmstore.Upgrade;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The examples of docs/evolution.md: classes as they are now. */
public final class EvolutionExample {
  private EvolutionExample() {}

  /** Gained properties. */
  @Persistent
  public static class Customer {
    private String name;
    private int rating; // new: 0
    private String country = "DE"; // new: what the initializer gives
    private List<String> notes = new ArrayList<>(); // new: a list for each customer

    public String name() {
      return name;
    }

    public int rating() {
      return rating;
    }

    public String country() {
      return country;
    }

    public List<String> notes() {
      return notes;
    }
  }

  /** Lost properties. */
  @Persistent
  @Removed({"fax", "telex"})
  public static class Supplier {
    private String name;

    public String name() {
      return name;
    }
  }

  /** Has a property of another name. */
  @Persistent
  public static class Position {
    @FormerNames("qty")
    private int quantity;

    public int quantity() {
      return quantity;
    }
  }

  /** Has properties of wider types. */
  @Persistent
  public static class Account {
    private long balance; // was int
    private double rate; // was float
    private Integer limit; // was int
    private CharSequence note; // was String

    public long balance() {
      return balance;
    }

    public double rate() {
      return rate;
    }

    public Integer limit() {
      return limit;
    }

    public CharSequence note() {
      return note;
    }
  }

  /** Has a property of another type. */
  @Persistent
  public static class Quote {
    private BigDecimal price; // was String

    public BigDecimal price() {
      return price;
    }
  }

  /** Has a property that is made of others. */
  @Persistent
  @Removed({"first", "last"})
  public static class Person {
    private String name; // new

    public String name() {
      return name;
    }
  }

  static PmStoreOptions migrations() {
    return PmStoreOptions.defaults()
        .migrations(
            Migration.of(
                Quote.class,
                "price",
                (old, quote) -> new BigDecimal(old.get("price", String.class))),
            Migration.of(
                Person.class, "name", (old, person) -> old.get("first") + " " + old.get("last")));
  }

  /** Has another name. */
  @Persistent
  @FormerNames("com.acme.Trade")
  public static class Order {
    private long id;

    public long id() {
      return id;
    }
  }

  static PmStore openWithOrders(Path directory) {
    return PmStore.open(directory, PmStoreOptions.defaults().classes(Order.class));
  }

  /** A new superclass. */
  @Persistent
  public abstract static class Asset {
    private String owner; // was in Machine
    private String site = "Jena"; // new

    public String owner() {
      return owner;
    }

    public String site() {
      return site;
    }
  }

  /** Has another superclass. */
  @Persistent
  public static class Machine extends Asset {
    private String name;

    public String name() {
      return name;
    }
  }

  /** Was concrete. */
  @Persistent
  public abstract static class Vehicle { // was concrete
    private String plate;

    public String plate() {
      return plate;
    }
  }

  /** Takes the objects of Vehicle. */
  @Persistent
  @FormerNames("io.pmstore.documents.EvolutionExample$Vehicle")
  public static class Car extends Vehicle {
    private int doors = 4; // new

    public int doors() {
      return doors;
    }
  }

  /** Was BUY, SELL, HOLD. */
  @Removed("HOLD")
  public enum Side {
    SHORT, // new
    SELL,
    @FormerNames("BUY")
    PURCHASE
  }

  /** Has constants. */
  @Persistent
  public static class Ticket {
    private Side side;
    private Map<Side, Integer> counts;

    public Side side() {
      return side;
    }

    public Map<Side, Integer> counts() {
      return counts;
    }
  }

  /** Was Place(int row, String col). */
  public record Place(@FormerNames("col") String column, long row, int level) {}

  /** Has records, also as keys. */
  @Persistent
  public static class Board {
    private Place last;
    private Map<Place, String> pieces = new HashMap<>();

    public Place last() {
      return last;
    }

    public Map<Place, String> pieces() {
      return pieces;
    }
  }

  static long upgrade(PmStore store) throws InterruptedException {
    Upgrade upgrade = store.upgrade(); // in the background; the store goes on
    while (!upgrade.await(Duration.ofSeconds(10))) {
      System.out.printf("%.0f %%, %d objects%n", 100 * upgrade.progress(), upgrade.upgraded());
    }
    return upgrade.upgraded();
  }
}
