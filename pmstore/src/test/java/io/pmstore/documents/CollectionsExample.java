package io.pmstore.documents;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The example of docs/collections.md. */
public final class CollectionsExample {
  private CollectionsExample() {}

  /** The root. */
  @Persistent(root = "desk")
  public static class Desk {
    private Map<String, Integer> positions = new HashMap<>();
    private Set<String> halted = new HashSet<>();
    private Queue<String> inbox = new ArrayDeque<>();
    private ConcurrentMap<String, List<String>> notes = new ConcurrentHashMap<>();
    private NavigableSet<Order> book = new TreeSet<>(Order.BY_PRICE);

    public Map<String, Integer> getPositions() {
      return positions;
    }

    public void setPositions(Map<String, Integer> positions) {
      this.positions = positions;
    }

    public Set<String> getHalted() {
      return halted;
    }

    public void setHalted(Set<String> halted) {
      this.halted = halted;
    }

    public Queue<String> getInbox() {
      return inbox;
    }

    public void setInbox(Queue<String> inbox) {
      this.inbox = inbox;
    }

    public ConcurrentMap<String, List<String>> getNotes() {
      return notes;
    }

    public void setNotes(ConcurrentMap<String, List<String>> notes) {
      this.notes = notes;
    }

    public NavigableSet<Order> getBook() {
      return book;
    }

    public void setBook(NavigableSet<Order> book) {
      this.book = book;
    }
  }

  /** Its properties are declared as classes. */
  @Persistent
  public static class Watchlist {
    private ArrayList<String> symbols = new ArrayList<>();
    private LinkedHashMap<String, Integer> alerts = new LinkedHashMap<>();

    /** Adds a symbol that rings from some price on. */
    public void watch(String symbol, int price) {
      symbols.add(symbol);
      alerts.putLast(symbol, price);
    }

    public ArrayList<String> getSymbols() {
      return symbols;
    }

    public LinkedHashMap<String, Integer> getAlerts() {
      return alerts;
    }
  }

  /** What the book holds. */
  @Persistent
  public static class Order {
    static final Comparator<Order> BY_PRICE =
        Comparator.comparing(Order::getPrice).thenComparing(Order::getId);

    private long id;
    private BigDecimal price = BigDecimal.ZERO;

    public Order() {}

    Order(long id, String price) {
      this.id = id;
      this.price = new BigDecimal(price);
    }

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }

    public BigDecimal getPrice() {
      return price;
    }

    public void setPrice(BigDecimal price) {
      this.price = price;
    }
  }

  static void run(PmStore store) {
    Desk desk = store.root(Desk.class);
    desk.getInbox().add("PETR4");
    store.transaction(
        () -> {
          String symbol = desk.getInbox().poll(); // taken and counted, or neither
          desk.getPositions().merge(symbol, 1, Integer::sum);
          desk.getNotes().computeIfAbsent(symbol, s -> new ArrayList<>()).add("from the inbox");
        });
    Set<String> suspended = store.newSet();
    suspended.addAll(List.of("VALE3", "OIBR3"));
    desk.setHalted(suspended); // not a copy: this very set
    desk.getBook().addAll(List.of(new Order(1, "30.5"), new Order(2, "28.9")));
  }
}
