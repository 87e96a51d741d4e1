package io.pmstore.documents;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.RepairReport;
import io.pmstore.ValueCodec;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The examples of the user guide. */
public final class GuideExample {
  private GuideExample() {}

  /** A value. */
  public record Money(BigDecimal amount, String currency) {}

  /** Which way. */
  public enum Side {
    BUY,
    SELL
  }

  /** The root. */
  @Persistent(root = "shop")
  public static class Shop {
    private Map<Long, Order> orders = new HashMap<>();
    private Object motto;

    public Map<Long, Order> getOrders() {
      return orders;
    }

    public Object getMotto() {
      return motto;
    }

    public void setMotto(Object motto) {
      this.motto = motto;
    }
  }

  /** An order. */
  @Persistent
  public static class Order {
    private long id;
    private Side side = Side.BUY;
    private Money price;
    private int[] fills = {};
    private List<Order> parts = new ArrayList<>();
    private Object callback;

    public Order() {}

    public Order(long id) {
      this.id = id;
    }

    public long getId() {
      return id;
    }

    public Side getSide() {
      return side;
    }

    public Money getPrice() {
      return price;
    }

    public void setPrice(Money price) {
      this.price = price;
    }

    public int[] getFills() {
      return fills;
    }

    public void setFills(int[] fills) {
      this.fills = fills;
    }

    public List<Order> getParts() {
      return parts;
    }

    public Object getCallback() {
      return callback;
    }

    public void setCallback(Object callback) {
      this.callback = callback;
    }
  }

  /** What takes the place of a shop. */
  @Persistent
  public static class Archive {
    private List<Object> mottos = new ArrayList<>();

    public List<Object> getMottos() {
      return mottos;
    }
  }

  /** A class that no store can keep. */
  @Persistent
  public static class Misfit {
    private StringBuilder text;

    public StringBuilder getText() {
      return text;
    }

    public void setText(StringBuilder text) {
      this.text = text;
    }
  }

  static void roots(PmStore store) {
    Shop shop = store.root(Shop.class); // named by @Persistent(root = "shop")
    Shop other = store.root("a second shop", Shop.class); // named here
    shop.getOrders().put(1L, new Order(1));
    other.setMotto("reachable from a root, so kept");
  }

  static void create(PmStore store) {
    Shop shop = store.root(Shop.class);
    store.transaction(
        () -> {
          Order order = store.create(Order.class); // persistent from the start
          order.setPrice(new Money(new BigDecimal("9.90"), "EUR"));
          shop.getOrders().put(2L, order);
        });
  }

  /** Replaces a root by one of another class. */
  static void replaceRoot(PmStore store) {
    store.transaction(
        () -> {
          Shop former = store.root("a second shop", Shop.class);
          store.removeRoot("a second shop");
          Archive archive = store.root("a second shop", Archive.class); // a new object
          archive.getMottos().add(former.getMotto());
        });
  }

  static Order convert(PmStore store) {
    Shop shop = store.root(Shop.class);
    Order plain = new Order(3); // an ordinary object, and another one in it
    plain.getParts().add(new Order(4));
    shop.getOrders().put(3L, plain); // stores both, in one transaction
    Order twin = shop.getOrders().get(3L); // the persistent one
    shop.getOrders().put(33L, plain); // remembered: the same twin again
    return twin;
  }

  static void persist(PmStore store) {
    Shop shop = store.root(Shop.class);
    Order twin = store.persist(new Order(5)); // its twin, without assigning it anywhere
    twin.setFills(new int[] {100}); // work with the twin
    shop.getOrders().put(5L, twin); // from now on it is reachable, so it stays
  }

  static String changedSince(PmStore store) {
    Shop shop = store.root(Shop.class);
    Order plain = new Order(6);
    shop.getOrders().put(6L, plain);
    plain.setFills(new int[] {1}); // too late: the twin does not see it
    try {
      shop.getOrders().put(6L, plain);
      return "";
    } catch (NotPersistableException e) {
      // "order is a plain object that was converted before, and property fills changed ..."
      return e.getMessage();
    }
  }

  static boolean form(PmStore store, Order order, String[] input) {
    Order form = store.copy(order); // plain: whatever is set on it, the store does not change
    form.setFills(java.util.Arrays.stream(input).mapToInt(Integer::parseInt).toArray());
    if (form.getFills().length > 3) {
      return false; // shown again with its mistakes; nothing has to be taken back
    }
    store.transaction(() -> order.setFills(form.getFills()));
    return true;
  }

  static int arrays(Order order) {
    int[] fills = order.getFills(); // a copy
    int[] more = java.util.Arrays.copyOf(fills, fills.length + 1);
    more[fills.length] = 50;
    order.setFills(more); // now it is stored
    return order.getFills().length;
  }

  static String notPersistable(PmStore store) {
    Shop shop = store.root(Shop.class);
    Order plain = new Order(7);
    plain.setCallback((Runnable) () -> {});
    try {
      shop.setMotto(List.of("fine", plain));
      return "";
    } catch (NotPersistableException e) {
      // "shop.motto[1].callback is of class ..."
      return e.getMessage();
    }
  }

  static String refused(PmStore store) {
    try {
      store.create(Misfit.class);
      return "";
    } catch (ClassRefusedException e) {
      // "class ...Misfit cannot be kept in a store: property text is of type
      // java.lang.StringBuilder, ..."
      return e.getMessage();
    }
  }

  static Money durable(PmStore store, Order order) {
    return store.transaction(() -> order.getPrice()); // durable when this returns
  }

  static PmStoreOptions valueTypes() {
    return PmStoreOptions.defaults()
        .valueType(Isbn.class, ValueCodec.ofText("isbn", Isbn::toString, Isbn::parse))
        .valueType(Deadline.class, ValueCodec.ofSerializable("deadline", Deadline.class));
  }

  static PmStoreOptions transactionsOnly() {
    return PmStoreOptions.defaults().writesOutsideTransactions(false);
  }

  static RepairReport repair(Path directory) {
    RepairReport report = PmStore.repair(directory);
    System.out.println(report); // what was found and replaced, and where the old files are
    return report;
  }

  static void run(Path directory) {
    try (PmStore store = PmStore.open(directory)) {
      roots(store);
      create(store);
    }
  }

  /** A class of another library. */
  static final class Isbn {
    private final String digits;

    private Isbn(String digits) {
      this.digits = digits;
    }

    static Isbn parse(String text) {
      return new Isbn(text);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Isbn other && digits.equals(other.digits);
    }

    @Override
    public int hashCode() {
      return digits.hashCode();
    }

    @Override
    public String toString() {
      return digits;
    }
  }

  /** Another, without a text to make it of. */
  static final class Deadline extends Date {
    private static final long serialVersionUID = 1;
    final String reason;

    Deadline(long time, String reason) {
      super(time);
      this.reason = reason;
    }
  }
}
