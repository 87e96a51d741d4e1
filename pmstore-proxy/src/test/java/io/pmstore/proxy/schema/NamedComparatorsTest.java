package io.pmstore.proxy.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Comparators made of method references are stored by the names of the fields that hold them. */
class NamedComparatorsTest extends StoreTest {
  /** A key, with its orders as constants, as many classes have them. */
  @Persistent
  public static class Bid {
    public static final Comparator<Bid> BY_PRICE = Comparator.comparing(Bid::getPrice);

    private static final Comparator<Bid> DEAREST_FIRST =
        Comparator.comparing(Bid::getPrice).reversed().thenComparingLong(Bid::getNumber);

    private BigDecimal price = BigDecimal.ZERO;
    private long number;

    public Bid() {}

    Bid(String price, long number) {
      this.price = new BigDecimal(price);
      this.number = number;
    }

    public BigDecimal getPrice() {
      return price;
    }

    public void setPrice(BigDecimal price) {
      this.price = price;
    }

    public long getNumber() {
      return number;
    }

    public void setNumber(long number) {
      this.number = number;
    }

    static Comparator<Bid> dearestFirst() {
      return DEAREST_FIRST;
    }
  }

  /** Constants of an interface that a class implements. */
  interface Lengths {
    Comparator<String> BY_LENGTH =
        Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());
  }

  /** Has an order in a class of its own beside it. */
  @Persistent(root = "auction")
  public static class Auction implements Lengths {
    /** Holds a constant. */
    static final class Orders {
      static final Comparator<Bid> BY_NUMBER = Comparator.comparingLong(Bid::getNumber);

      private Orders() {}
    }

    private NavigableSet<Bid> bids = new TreeSet<>(Bid.DEAREST_FIRST);
    private NavigableMap<String, Integer> names = new TreeMap<>(BY_LENGTH);
    private @Nullable Object other;

    public NavigableSet<Bid> getBids() {
      return bids;
    }

    public void setBids(NavigableSet<Bid> bids) {
      this.bids = bids;
    }

    public NavigableMap<String, Integer> getNames() {
      return names;
    }

    public void setNames(NavigableMap<String, Integer> names) {
      this.names = names;
    }

    public @Nullable Object getOther() {
      return other;
    }

    public void setOther(@Nullable Object other) {
      this.other = other;
    }
  }

  private Auction auction() {
    return store().root(Auction.class);
  }

  private List<Long> numbers() {
    return auction().getBids().stream().map(Bid::getNumber).toList();
  }

  @Test
  void initialValuesAndOrdersOfConstantsAreFoundAgain() {
    auction().getNames().put("ccc", 3);
    auction().getNames().put("b", 1);
    auction().getNames().put("aaa", 3);
    auction().getBids().addAll(List.of(new Bid("2", 2), new Bid("9", 1), new Bid("2", 0)));
    for (int i = 0; i < 2; i++) {
      assertEquals(List.of("b", "aaa", "ccc"), List.copyOf(auction().getNames().keySet()));
      assertSame(Lengths.BY_LENGTH, auction().getNames().comparator());
      assertEquals(List.of(1L, 0L, 2L), numbers());
      assertSame(Bid.dearestFirst(), auction().getBids().comparator());
      assertTrue(auction().getBids().contains(new Bid("2", 0)), "by a plain object");
      reopen();
    }
    auction().getBids().add(new Bid("5", 5));
    assertEquals(List.of(1L, 5L, 0L, 2L), numbers());
    assertEquals(1, Objects.requireNonNull(auction().getBids().pollFirst()).getNumber());
  }

  @Test
  void eachKeepsItsOrderAlsoReversedAndMadeOnItsOwn() {
    List<Bid> bids = List.of(new Bid("2", 2), new Bid("9", 1), new Bid("3", 7));
    List<Comparator<Bid>> orders =
        List.of(
            Bid.BY_PRICE,
            Bid.BY_PRICE.reversed(),
            Auction.Orders.BY_NUMBER,
            Collections.reverseOrder(Bid.dearestFirst()));
    auction();
    for (Comparator<Bid> order : orders) {
      NavigableSet<Bid> plain = new TreeSet<>(order);
      plain.addAll(bids);
      auction().setBids(plain);
      @SuppressWarnings("unchecked") // new and empty
      NavigableSet<Bid> made = store().heap.layer().newCollection(NavigableSet.class, order);
      made.addAll(auction().getBids());
      auction().setOther(made);
      reopen();
      List<Long> expected = plain.stream().map(Bid::getNumber).toList();
      assertEquals(expected, numbers());
      NavigableSet<?> other = assertInstanceOf(NavigableSet.class, auction().getOther());
      assertEquals(List.copyOf(auction().getBids()), List.copyOf(other));
      assertEquals(order, auction().getBids().comparator());
    }
  }

  @Test
  void oneWithoutANameIsRefusedAndTheMessageShowsHow() {
    String message =
        assertThrows(
                NotPersistableException.class,
                () -> auction().setBids(new TreeSet<>(Comparator.comparing(Bid::getPrice))))
            .getMessage();
    assertTrue(message.startsWith("auction.bids.comparator is of class java.util.Comp"), message);
    assertTrue(
        message.contains("static final Comparator<Order> BY_PRICE = Comparator.comparing("),
        message);
    assertThrows(
        NotPersistableException.class,
        () -> store().heap.layer().newCollection(NavigableSet.class, (a, b) -> 0));
  }
}
