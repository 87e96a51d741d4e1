package io.pmstore.proxy.bytecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Methods that use fields directly have the same effect on a persistent object as on a plain one.
 */
class CopiedCodeTest extends StoreTest {

  private static final List<Function<Trade, Object>> OPERATIONS =
      List.of(
          Object::toString,
          Trade::getId,
          t -> t.symbol("VALE3").symbol() + "",
          t -> t.later().getAsInt(),
          t -> t.shifted().applyAsLong(5),
          t -> t.describer("!").get(),
          Trade::sum,
          t -> t.kind("VALE3"),
          t -> t.kind(new Trade(77, null)),
          t -> assertThrows(IllegalStateException.class, () -> t.kind(1.5)).getMessage(),
          t -> assertThrows(IllegalArgumentException.class, () -> t.setNext(t)).getMessage(),
          t -> t.moveTo(new Trade(8, "plain")),
          t -> t.equals(new Trade(7, "VALE3")),
          Trade::hashCode,
          t -> new ArrayList<>(t.log()));

  @Test
  void theTwinDoesWhatThePlainObjectDoes() {
    Trade plain = new Trade(7, "PETR4");
    Trade root = store().root("first", Trade.class);
    root.setNext(new Trade(7, "PETR4"));
    for (Function<Trade, Object> operation : OPERATIONS) {
      plain.fill(3);
      Trade twin = store().root("first", Trade.class).getNext();
      twin.fill(3);
      // In a transaction, for outside of one a method that throws has done nothing.
      assertEquals(operation.apply(plain), store().call(() -> operation.apply(twin)));
      reopen();
      Trade again = store().root("first", Trade.class).getNext();
      assertEquals(plain.toString(), again.toString());
      assertTrue(again.equals(plain));
      assertEquals(plain.log(), again.log());
    }
    assertNotEquals(Trade.class, root.getClass());
  }

  @Test
  void anotherObjectIsUsedAsWhatItIs() {
    Trade one = store().create(Trade.class);
    Trade elsewhere = new Store().create(Trade.class);
    Trade plain = new Trade(3, "x");
    // A method that writes is one transaction, and that is of one store.
    assertThrows(IllegalStateException.class, () -> one.moveTo(elsewhere));
    assertEquals(200, one.moveTo(store().create(Trade.class)));
    assertEquals(200, elsewhere.moveTo(plain));
    assertEquals("quantity", plain.kind(200));
    assertEquals(0, one.later().getAsInt());
    assertEquals(0, elsewhere.later().getAsInt());
    assertThrows(NullPointerException.class, () -> one.moveTo(null));
  }

  /** Holds trades. */
  @Persistent(root = "book")
  static class Book {
    private final List<Trade> trades = new ArrayList<>();
    private final Map<Trade, String> notes = new HashMap<>();

    List<Trade> trades() {
      return trades;
    }

    Map<Trade, String> notes() {
      return notes;
    }
  }

  @Test
  void collectionsFindPersistentObjectsThatEqualPlainOnes() {
    Book book = store().root(Book.class);
    book.trades().add(new Trade(1, "a"));
    book.trades().add(new Trade(2, "b"));
    book.notes().put(new Trade(3, "c"), "third");
    reopen();
    book = store().root(Book.class);
    assertEquals(1, book.trades().indexOf(new Trade(2, "b")));
    assertFalse(book.trades().contains(new Trade(2, "c")));
    // As a plain one sees the fields of a persistent one that nothing is kept in.
    assertFalse(book.trades().contains(new Trade(0, null)));
    assertEquals("third", book.notes().get(new Trade(3, "c")));
    assertTrue(book.notes().containsKey(new Trade(3, "c")));
  }
}
