package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What old objects have for a property that is new. */
final class NewPropertiesTest extends EvolutionCase {
  @Test
  void aNewPropertyHasItsInitialValueUntilItIsSet() {
    storeTrade();
    open(
        tradeWith(
            "long filled", "double rate = 2.5", "String venue = \"XETR\"", "boolean open = true"));
    for (int round = 0; round < 2; round++) {
      assertEquals(0L, call(one(), "getFilled"));
      assertEquals(2.5, call(one(), "getRate"));
      assertEquals("XETR", call(one(), "getVenue"));
      assertEquals(true, call(one(), "getOpen"));
      assertEquals("SAP", call(one(), "getSymbol"));
      assertEquals(7, call(one(), "getQty"));
      call(one(), "setQty", 7); // upgrades it
    }
    call(one(), "setVenue", "XFRA");
    versions.reopen();
    assertEquals("XFRA", call(one(), "getVenue"));
    assertEquals(2.5, call(one(), "getRate"));
    verify();
  }

  @Test
  void aNewCollectionBelongsToTheObject() {
    storeTrade();
    open(tradeWith("List<String> notes = new ArrayList<>()"));
    List<Object> notes = notes();
    notes.add("first");
    assertSame(notes, notes());
    versions.reopen();
    assertEquals(List.of("first"), List.copyOf(notes()));
  }

  /** Objects share a new record of values; a record that may hold a collection they do not. */
  @Test
  void aNewRecordWithACollectionBelongsToTheObject() {
    open(bean("class Trade", "String symbol", "Trade other"));
    Object first = versions.make("Trade");
    call(first, "setOther", versions.make("Trade"));
    setOne(first);
    open(
        "record Tags(List<String> names) {}\n"
            + bean(
                "class Trade",
                "String symbol",
                "Trade other",
                "Tags tags = new Tags(new ArrayList<>())"));
    names(one()).add("first");
    assertEquals(List.of(), List.copyOf(names(call(one(), "getOther"))));
    call(one(), "setSymbol", "SAP"); // upgrades it
    call(call(one(), "getOther"), "setSymbol", "DBK");
    names(one()).add("second");
    assertEquals(List.of(), List.copyOf(names(call(one(), "getOther"))));
    versions.reopen();
    assertEquals(List.of("first", "second"), List.copyOf(names(one())));
    assertEquals(List.of(), List.copyOf(names(call(one(), "getOther"))));
    verify();
  }

  @SuppressWarnings("unchecked")
  private static List<Object> names(Object trade) {
    return (List<Object>) call(call(trade, "getTags"), "names");
  }

  @SuppressWarnings("unchecked")
  private List<Object> notes() {
    return (List<Object>) call(one(), "getNotes");
  }

  @Test
  void aNewCollectionIsEmptyWhereNothingCanBeWritten() {
    storeTrade();
    String changed = tradeWith("List<String> notes = new ArrayList<>()");
    open(changed);
    versions.store().snapshot(() -> assertTrue(notes().isEmpty()));
    versions.open(compile(ROOT + changed), PmStoreOptions.defaults().readOnly(true));
    assertTrue(notes().isEmpty());
    assertEquals(7, call(one(), "getQty"));
  }

  @Test
  void aNewCollectionOfAClassIsMadeWhenItCanBeStored() {
    storeTrade();
    open(tradeWith("ArrayList<Object> fills = new ArrayList<>()"));
    PmStoreException thrown =
        assertThrows(
            PmStoreException.class, () -> versions.store().snapshot(() -> call(one(), "getFills")));
    assertTrue(thrown.getMessage().contains("upgrade"), thrown.getMessage());
    ((List<?>) call(one(), "getFills")).clear();
    assertInstanceOf(ArrayList.class, call(one(), "getFills"));
    versions.store().snapshot(() -> assertEquals(List.of(), call(one(), "getFills")));
  }

  /** Reads that need it store it first, in a transaction, unless nothing can be written. */
  @Test
  void whatIsNewIsMadeForReadsOfManyKinds() {
    open(bean("class Trade", "int qty"));
    Object all = call(versions.root(), "getAll");
    for (int i = 0; i < 3; i++) {
      add(all, versions.make("Trade"));
    }
    String methods =
        """
          private transient String venue;
          private transient List<String> view;

          @io.pmstore.OnLoad
          void init() {
            venue = place.getVenue();
            view = notes;
          }

          String venue() { return venue; }

          List<String> view() { return view; }
        }
        """;
    open(
        bean("class Spot", "String venue = \"XFRA\"")
            + bean(
                    "class Trade",
                    "int qty",
                    "Spot place = new Spot()",
                    "List<String> notes = new ArrayList<>()",
                    "Deque<String> queue = new ArrayDeque<>()")
                .replaceFirst("}\\n$", methods));
    List<?> trades = (List<?>) call(versions.root(), "getAll");
    Object trade = trades.get(0); // a read that loads it
    assertEquals("XFRA", call(trade, "venue"));
    add(call(trade, "getNotes"), "first");
    assertEquals(List.of("first"), List.copyOf((List<?>) call(trade, "view")));
    Object copy = versions.store().copy(trades.get(1));
    assertEquals("XFRA", call(call(copy, "getPlace"), "getVenue"));
    assertEquals("XFRA", versions.store().transaction(() -> call(trades.get(2), "venue")));
    verify();
  }

  @Test
  void aConstructorThatFailsIsNamedWhereAnInitialValueIsNeeded() {
    storeTrade();
    String failing =
        tradeWith("double rate", "List<String> notes = new ArrayList<>()")
            .replaceFirst("\\{", "{ Trade() { throw new IllegalStateException(\"no context\"); }");
    open(failing);
    assertEquals(7, call(one(), "getQty"));
    for (String getter : List.of("getRate", "getNotes")) {
      assertRefused(
          PmStoreException.class,
          () -> call(one(), getter),
          "constructor of class shop.Trade",
          "no context",
          "initial values");
    }
  }
}
