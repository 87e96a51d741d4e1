package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.documents.EvolutionExample.Account;
import io.pmstore.documents.EvolutionExample.Board;
import io.pmstore.documents.EvolutionExample.Car;
import io.pmstore.documents.EvolutionExample.Customer;
import io.pmstore.documents.EvolutionExample.Machine;
import io.pmstore.documents.EvolutionExample.Order;
import io.pmstore.documents.EvolutionExample.Person;
import io.pmstore.documents.EvolutionExample.Place;
import io.pmstore.documents.EvolutionExample.Position;
import io.pmstore.documents.EvolutionExample.Quote;
import io.pmstore.documents.EvolutionExample.Side;
import io.pmstore.documents.EvolutionExample.Supplier;
import io.pmstore.documents.EvolutionExample.Ticket;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/evolution.md says of its examples, on stores that earlier versions have written. */
class EvolutionExampleTest {
  @TempDir Path directory;
  private Path lastRelease;

  @BeforeEach
  void place() {
    lastRelease = directory.resolve("store");
  }

  /** Looks at a root before it is upgraded, and after, and finds the store sound. */
  private <T> void check(Class<T> type, Consumer<T> looks) throws InterruptedException {
    check(PmStoreOptions.defaults(), type, looks);
  }

  private <T> void check(PmStoreOptions options, Class<T> type, Consumer<T> looks)
      throws InterruptedException {
    PmStore.dryRun(lastRelease, options, type).assertCompatible();
    try (PmStore store = PmStore.open(lastRelease, options.readOnly(true))) {
      looks.accept(store.root("it", type));
    }
    try (PmStore store = PmStore.open(lastRelease, options)) {
      looks.accept(store.root("it", type));
      assertTrue(EvolutionExample.upgrade(store) >= 0);
      looks.accept(store.root("it", type));
    }
    try (PmStore store = PmStore.open(lastRelease)) { // needs no functions any more
      looks.accept(store.root("it", type));
    }
    assertEquals(List.of(), PmStore.verify(lastRelease).faults());
  }

  private void storeCustomer() {
    EarlierVersion.storeExample(
        lastRelease,
        "Customer",
        "@Persistent public static class Customer { private String name = \"Ada\"; }");
  }

  @Test
  void propertiesAreAdded() throws InterruptedException {
    storeCustomer();
    check(
        Customer.class,
        customer -> {
          assertEquals("Ada", customer.name());
          assertEquals(0, customer.rating());
          assertEquals("DE", customer.country());
          assertEquals(List.of(), customer.notes());
        });
    try (PmStore store = PmStore.open(lastRelease)) {
      Customer customer = store.root("it", Customer.class);
      customer.notes().add("kept");
      assertSame(customer.notes(), customer.notes());
      assertEquals(List.of("kept"), customer.notes());
    }
  }

  @Test
  void propertiesAreRemoved() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Supplier",
        """
        @Persistent public static class Supplier {
          private String name = "Zeiss";
          private String fax = "1";
          private long telex = 2;
        }\
        """);
    check(Supplier.class, supplier -> assertEquals("Zeiss", supplier.name()));
  }

  @Test
  void aPropertyIsRenamed() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Position",
        "@Persistent public static class Position { private int qty = 7; }");
    check(Position.class, position -> assertEquals(7, position.quantity()));
  }

  @Test
  void typesAreWidened() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Account",
        """
        @Persistent public static class Account {
          private int balance = -3;
          private float rate = 0.5f;
          private int limit = 100;
          private String note = "text";
        }\
        """);
    check(
        Account.class,
        account -> {
          assertEquals(-3L, account.balance());
          assertEquals(0.5, account.rate());
          assertEquals(100, account.limit());
          assertEquals("text", account.note());
        });
  }

  @Test
  void functionsMakeValues() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Quote",
        "@Persistent public static class Quote { private String price = \"12.50\"; }");
    check(
        EvolutionExample.migrations(),
        Quote.class,
        quote -> assertEquals(new BigDecimal("12.50"), quote.price()));
  }

  @Test
  void aFunctionMakesANewProperty() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Person",
        """
        @Persistent public static class Person {
          private String first = "Ada";
          private String last = "Lovelace";
        }\
        """);
    check(
        EvolutionExample.migrations(),
        Person.class,
        person -> assertEquals("Ada Lovelace", person.name()));
  }

  @Test
  void aClassIsRenamedAndMoved() throws InterruptedException {
    EarlierVersion.store(
        lastRelease, "com.acme", "@Persistent class Trade { private long id = 7; }", "Trade");
    try (PmStore store = EvolutionExample.openWithOrders(lastRelease)) {
      assertEquals(7, store.root("it", Order.class).id());
    }
    check(Order.class, order -> assertEquals(7, order.id()));
  }

  @Test
  void theSuperclassChanges() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Machine",
        """
        @Persistent public static class Machine {
          private String owner = "Ada";
          private String name = "lathe";
        }\
        """);
    check(
        Machine.class,
        machine -> {
          assertEquals("Ada", machine.owner());
          assertEquals("Jena", machine.site());
          assertEquals("lathe", machine.name());
        });
  }

  @Test
  void aConcreteClassTakesTheObjectsOfAnAbstractOne() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Vehicle",
        """
        @Persistent public static class Vehicle {
          private String plate = "J-OE 1";
        }\
        """);
    check(
        Car.class,
        car -> {
          assertEquals("J-OE 1", car.plate());
          assertEquals(4, car.doors());
        });
  }

  @Test
  void constantsChange() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Ticket",
        """
        public enum Side { BUY, SELL, HOLD }
        @Persistent public static class Ticket {
          private Side side = Side.BUY;
          private Map<Side, Integer> counts = new TreeMap<>(Map.of(Side.BUY, 1, Side.SELL, 2));
        }\
        """);
    check(
        Ticket.class,
        ticket -> {
          assertEquals(Side.PURCHASE, ticket.side());
          assertEquals(1, ticket.counts().get(Side.PURCHASE));
          assertEquals(2, ticket.counts().get(Side.SELL));
          assertNull(ticket.counts().get(Side.SHORT));
        });
    try (PmStore store = PmStore.open(lastRelease)) {
      Ticket ticket = store.root("it", Ticket.class);
      ticket.counts().put(Side.SHORT, 3);
      assertEquals(
          List.of(Side.PURCHASE, Side.SELL, Side.SHORT), new ArrayList<>(ticket.counts().keySet()));
    }
  }

  @Test
  void recordsChangeAlsoAsKeys() throws InterruptedException {
    EarlierVersion.storeExample(
        lastRelease,
        "Board",
        """
        public record Place(int row, String col) {}
        @Persistent public static class Board {
          private Place last = new Place(4, "e");
          private Map<Place, String> pieces = new HashMap<>(Map.of(new Place(1, "a"), "rook"));
        }\
        """);
    check(
        Board.class,
        board -> {
          assertEquals(new Place("e", 4, 0), board.last());
          assertEquals("rook", board.pieces().get(new Place("a", 1, 0)));
          assertEquals(Map.of(new Place("a", 1, 0), "rook"), board.pieces());
        });
  }
}
