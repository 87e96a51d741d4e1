package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.bean.BeanDiscovery;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Constructors, static methods and nested classes that use fields of objects: accepted if these are
 * certainly plain, or if nothing calls that code.
 */
@SuppressWarnings("UnusedVariable") // fields are there to be used by constructors
class PlainOnlyCodeTest extends StoreTest {
  /** Factories and a builder that fill what they have made. */
  @Persistent(root = "order")
  static class Order {
    private String symbol = "";
    private long quantity;
    long price;
    private @Nullable Order next;

    static Order of(String symbol, long quantity) {
      Order made = new Order();
      made.symbol = symbol;
      made.quantity = quantity;
      return made;
    }

    /** With a loop, a branch and a handler. */
    static Order chain(List<String> symbols) {
      Order first = null;
      Order last = null;
      for (String symbol : symbols) {
        Order made = new Order();
        made.symbol = symbol;
        try {
          made.quantity = Long.parseLong(symbol);
        } catch (NumberFormatException e) {
          made.quantity = -1;
        }
        if (last == null) {
          first = made;
        } else {
          last.next = made;
        }
        last = made;
      }
      return first == null ? new Order() : first;
    }

    static Builder builder() {
      return new Builder();
    }

    String describe() {
      return symbol
          + " "
          + quantity
          + " at "
          + price
          + (next == null ? "" : ", " + next.describe());
    }

    void setNext(Order next) {
      this.next = next;
    }

    @Nullable Order getNext() {
      return next;
    }

    static class Builder {
      private final Order order = new Order();
      private @Nullable Order second;

      Builder symbol(String symbol) {
        order.symbol = symbol;
        return this;
      }

      Builder then(long quantity) {
        if (second == null) {
          second = new Order();
        }
        second.quantity = quantity;
        order.next = second;
        return this;
      }

      Builder reset() {
        second = null;
        return this;
      }

      Order build() {
        order.quantity++;
        return order;
      }
    }
  }

  /** In another class: a field that is not private, of a new object. */
  static Order priced(long price) {
    Order made = Order.of("x", 1);
    Order other = new Order();
    other.price = price;
    made.setNext(other);
    return made;
  }

  private Order kept() {
    return Objects.requireNonNull(store().root(Order.class).getNext());
  }

  @Test
  void codeThatFillsWhatItHasMadeIsAccepted() {
    for (Order made :
        List.of(
            Order.of("PETR4", 100),
            Order.chain(List.of("1", "b", "3")),
            Order.builder().symbol("VALE3").then(7).reset().then(8).build(),
            priced(9))) {
      store().root(Order.class).setNext(made);
      String expected = made.describe();
      assertEquals(expected, kept().describe());
      reopen();
      assertEquals(expected, kept().describe());
    }
  }

  /** Nobody calls its copy constructor. */
  @Persistent
  static class Copied {
    private int x = 1;

    Copied() {}

    Copied(Copied other) {
      x = other.x;
    }
  }

  /** Its copy constructor is called, and it says that this is right. */
  @Persistent(trustFields = true)
  static class Trusted {
    private int x = 1;
    private String name = "one";
    private List<String> names = new ArrayList<>();

    Trusted() {}

    Trusted(Trusted other) {
      x = other.x;
      name = other.name;
    }

    Trusted(Trusted other, String more) {
      names.add(more);
      names.add(other.name);
    }

    String getName() {
      return name;
    }

    @Override
    public String toString() {
      return x + name + names;
    }

    static Trusted copy(Trusted other) {
      return new Trusted(other);
    }

    static Trusted listing(Trusted other) {
      return new Trusted(other, "more");
    }
  }

  @Test
  void whatNobodyCallsIsAccepted() {
    store().create(Copied.class);
    store().create(Trusted.class);
    assertEquals("one", Trusted.copy(new Trusted()).getName());
  }

  @Test
  void whatWasReadPastTheStoreIsSeenAndNotStored() {
    Trusted plain = new Trusted();
    assertEquals(plain.toString(), Trusted.copy(plain).toString());
    for (int round = 0; round < 2; round++) {
      Trusted kept = store().root("trusted", Trusted.class);
      assertEquals(plain.toString(), kept.toString());
      assertEquals("one", kept.getName());
      Trusted copy = Trusted.copy(kept);
      assertTrue(copy.getName().contains("use an accessor"), copy.getName());
      for (Trusted wrong : List.of(copy, Trusted.listing(kept))) {
        String message =
            assertThrows(NotPersistableException.class, () -> store().persist(wrong)).getMessage();
        assertTrue(message.contains("PmStore.check names the constructor"), message);
      }
      assertEquals("one", store().persist(Trusted.copy(plain)).getName());
      reopen();
    }
  }

  /** Static methods that its own methods call, with persistent objects too. */
  @Persistent(root = "ranked")
  static class Ranked {
    private long rank = 3;
    private List<Ranked> others = new ArrayList<>();

    static long rankOf(Ranked one) {
      return one.rank;
    }

    static void rank(Ranked one, long rank) {
      one.rank = rank;
    }

    static int compare(Ranked one, Ranked other) {
      return Long.compare(rankOf(one), rankOf(other));
    }

    void add(long rank) {
      Ranked made = new Ranked();
      rank(made, rank);
      others.add(made);
    }

    Ranked first() {
      List<Ranked> sorted = new ArrayList<>(others);
      sorted.sort(Ranked::compare);
      return sorted.getFirst();
    }

    long raise() {
      rank(this, rankOf(this) + 1);
      Comparator<Ranked> order =
          new Comparator<>() {
            @Override
            public int compare(Ranked one, Ranked other) {
              return Ranked.compare(one, other);
            }
          };
      return order.compare(this, first());
    }

    /** A static method and a method of an object, alike but for that. */
    static long sum(Ranked one) {
      return one.rank + 100;
    }

    long sum() {
      return sum(this) + rank;
    }
  }

  @Test
  void aStaticMethodThatOwnMethodsCallSeesPersistentObjects() {
    Ranked plain = new Ranked();
    Ranked kept = store().root(Ranked.class);
    for (Ranked one : List.of(plain, kept)) {
      one.add(9);
      one.add(5);
      assertEquals(110, one.first().sum());
      assertEquals(-1, one.raise());
      assertEquals(108, one.sum());
    }
    reopen();
    Ranked read = store().root(Ranked.class);
    assertEquals(108, read.sum());
    assertEquals(0, read.raise());
    assertEquals(110, read.sum());
    reopen();
    assertEquals(110, store().root(Ranked.class).sum());
  }

  /** The same, and a class beside it calls one of them. */
  @Persistent
  static class RankedElsewhere {
    private long rank = 3;

    static long rankOf(RankedElsewhere one) {
      return one.rank;
    }

    long rank() {
      return rankOf(this);
    }

    static class User {
      static long use(RankedElsewhere one) {
        return RankedElsewhere.rankOf(one);
      }
    }
  }

  /** The same, and its constructor does. */
  @Persistent
  static class RankedWhenMade {
    private long rank = 3;

    RankedWhenMade() {}

    RankedWhenMade(RankedWhenMade other) {
      rank = rankOf(other);
    }

    static long rankOf(RankedWhenMade one) {
      return one.rank;
    }

    RankedWhenMade copy() {
      return new RankedWhenMade(this);
    }
  }

  /** The same, with a private method in between. */
  @Persistent
  static class RankedInSteps {
    private long rank = 3;

    RankedInSteps() {}

    RankedInSteps(RankedInSteps other) {
      take(other);
    }

    private void take(RankedInSteps other) {
      rank = rankOf(other);
    }

    static long rankOf(RankedInSteps one) {
      return one.rank;
    }

    RankedInSteps copy() {
      return new RankedInSteps(this);
    }
  }

  /** The same, at the start. */
  @Persistent
  static class RankedAtStart {
    static final List<Comparator<RankedAtStart>> ORDERS =
        List.of(Comparator.comparing(RankedAtStart::rankOf));

    private long rank = 3;

    static long rankOf(RankedAtStart one) {
      return one.rank;
    }
  }

  /** Its copy constructor is called by that of a subclass. */
  @Persistent
  static class Base {
    private int x;

    Base() {}

    Base(Base other) {
      x = other.x;
    }
  }

  /** Passes on what it gets. */
  @Persistent
  static class Passing extends Base {
    Passing() {}

    Passing(Passing other) {
      super(other);
    }
  }

  /** Passes on what it gets, and is called. */
  static class PassingToo extends Base {
    PassingToo(PassingToo other) {
      super(other);
    }

    static Object called(PassingToo other) {
      return new PassingToo(other);
    }
  }

  /** A loop brings another object to where a new one was. */
  @Persistent
  static class Replaced {
    private int x;

    static int fill(List<Replaced> others) {
      Replaced made = new Replaced();
      for (Replaced other : others) {
        made.x++;
        made = other;
      }
      return made.hashCode();
    }
  }

  /** Two ways lead to one place. */
  @Persistent
  static class Joined {
    private int x;

    static void fill(Joined other, boolean isNew) {
      Joined one = isNew ? new Joined() : other;
      one.x++;
    }
  }

  /** A handler sees what was there when something was thrown. */
  @Persistent
  static class Caught {
    private int x;

    static void fill(Caught other, String text) {
      Caught one = new Caught();
      try {
        one = other;
        if (Integer.parseInt(text) > 0) {
          one = new Caught();
        }
      } catch (NumberFormatException e) {
        one.x++;
      }
    }
  }

  /** Calls these, with what may be persistent. */
  static class Elsewhere {
    static void called(Replaced replaced, Joined joined, Caught caught) {
      Replaced.fill(List.of(replaced));
      Joined.fill(joined, true);
      Caught.fill(caught, "x");
    }
  }

  /** The object of its builder comes from elsewhere. */
  @Persistent
  static class Given {
    private int x;

    static class Builder {
      private final Given given;

      Builder(Given given) {
        this.given = given;
      }

      Builder() {
        given = new Given();
      }

      void x(int x) {
        given.x = x;
      }
    }
  }

  /** A private method does it for the constructor. */
  @Persistent
  static class Helped {
    private int x;

    Helped(Helped other) {
      copy(other);
    }

    private void copy(Helped other) {
      x = other.x;
    }

    Helped copy() {
      return new Helped(this);
    }
  }

  /** What a static method hands out runs later, on any objects. */
  @Persistent
  static class Compared {
    private int x;

    static Comparator<Compared> byX() {
      return Comparator.comparing(one -> one.x);
    }
  }

  /** The same in two steps, and in a constructor. */
  @Persistent
  static class ComparedToo {
    private final List<Comparator<ComparedToo>> orders = new ArrayList<>();
    private int x;

    ComparedToo(ComparedToo other) {
      orders.add(byX());
      x = other.x;
    }

    private static Comparator<ComparedToo> byX() {
      return Comparator.comparing(one -> one.x);
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Base.class,
        Passing.class,
        Replaced.class,
        Joined.class,
        Caught.class,
        Given.class,
        Helped.class,
        Compared.class,
        ComparedToo.class,
        RankedElsewhere.class,
        RankedWhenMade.class,
        RankedInSteps.class,
        RankedAtStart.class
      })
  void whatMayGetPersistentObjectsIsRefused(Class<?> type) {
    String message =
        assertThrows(ClassRefusedException.class, () -> BeanDiscovery.discover(type)).getMessage();
    assertTrue(message.contains(" directly (PlainOnlyCodeTest.java:"), message);
  }

  @Test
  void theCallerIsNamed() {
    String message =
        assertThrows(ClassRefusedException.class, () -> BeanDiscovery.discover(Base.class))
            .getMessage();
    assertTrue(
        message.contains("method called of " + PassingToo.class.getName() + " calls it (Plain"),
        message);
    assertDoesNotThrow(() -> BeanDiscovery.discover(Order.class));
  }
}
