package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.pmstore.ClassRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.Vector;
import org.junit.jupiter.api.Test;

/** What becomes of properties that are gone, renamed, or of another type. */
final class ChangedPropertiesTest extends EvolutionCase {
  @Test
  void aPropertyIsRemovedOnlyIfTheClassSaysSo() {
    storeTrade();
    String without = bean("class Trade", "String symbol", "int qty");
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(without);
          one();
        },
        "price",
        "@Removed(\"price\")");
    open("@Removed(\"price\") " + without);
    assertEquals(7, call(one(), "getQty"));
    call(one(), "setQty", 8);
    open(without); // confirmed once, for good
    assertEquals(8, call(one(), "getQty"));
  }

  @Test
  void propertiesAreRenamedReorderedAndWidened() {
    storeTrade();
    open(
        bean(
            "class Trade",
            "CharSequence price",
            "@FormerNames(\"qty\") long quantity",
            "@FormerNames(\"symbol\") Object instrument"));
    for (int round = 0; round < 2; round++) {
      assertEquals(7L, call(one(), "getQuantity"));
      assertEquals("SAP", call(one(), "getInstrument"));
      assertEquals("12.50", call(one(), "getPrice"));
      versions.store().upgrade();
      versions.reopen();
    }
    open(bean("class Trade", "CharSequence price", "long quantity", "Object instrument"));
    assertEquals(7L, call(one(), "getQuantity"));
  }

  /** A store that was opened once by a program must open again. */
  @Test
  void aFormerNameIsUsedAgain() {
    open(bean("class Trade", "int qty"));
    Object trade = versions.make("Trade");
    call(trade, "setQty", 7);
    setOne(trade);
    open(bean("class Trade", "@FormerNames(\"qty\") int quantity"));
    assertEquals(7, call(one(), "getQuantity"));
    call(one(), "setQuantity", 8);
    for (int i = 0; i < 2; i++) {
      open(bean("class Trade", "@FormerNames(\"qty\") int quantity", "int qty = 3"));
      assertEquals(8, call(one(), "getQuantity"));
      assertEquals(3, call(one(), "getQty"));
      call(one(), "setQty", 3);
    }
  }

  @Test
  void anExchangeOfNamesIsRefused() {
    open(bean("class Trade", "int bid", "int ask"));
    Object trade = versions.make("Trade");
    call(trade, "setBid", 1);
    call(trade, "setAsk", 2);
    setOne(trade);
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(
              bean(
                  "class Trade", "@FormerNames(\"ask\") int bid", "@FormerNames(\"bid\") int ask"));
          one();
        },
        "property ask is ambiguous",
        "property bid is ambiguous");
    open(bean("class Trade", "@FormerNames(\"ask\") int buy", "@FormerNames(\"bid\") int sell"));
    assertEquals(2, call(one(), "getBuy"));
    assertEquals(1, call(one(), "getSell"));
    String back = bean("class Trade", "@FormerNames(%s) int bid", "@FormerNames(%s) int ask");
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(back.formatted("{\"buy\", \"ask\"}", "{\"sell\", \"bid\"}"));
          one();
        },
        "property bid is ambiguous");
    open(back.formatted("\"buy\"", "\"sell\""));
    assertEquals(2, call(one(), "getBid"));
    open(back.formatted("\"buy\"", "\"sell\""));
    assertEquals(2, call(one(), "getBid"));
  }

  @Test
  void aCollectionIsDeclaredAsAClassAndAsItsInterfaceAgain() {
    String interfaces =
        bean(
            "class Trade",
            "List<Object> fills = new ArrayList<>()",
            "Map<Object, Object> notes = new HashMap<>()",
            "NavigableMap<Object, Object> legs = new TreeMap<>()",
            "SequencedMap<Object, Object> tags = new LinkedHashMap<>()",
            "Deque<Object> queue = new ArrayDeque<>()");
    open(interfaces);
    setOne(versions.make("Trade"));
    addToEach(1);
    open(
        bean(
            "class Trade",
            "ArrayList<Object> fills",
            "HashMap<Object, Object> notes",
            "TreeMap<Object, Object> legs",
            "LinkedHashMap<Object, Object> tags",
            "ArrayDeque<Object> queue"));
    addToEach(2);
    assertInstanceOf(ArrayList.class, call(one(), "getFills"));
    assertInstanceOf(TreeMap.class, call(one(), "getLegs"));
    open(
        bean(
            "class Trade",
            "Vector<Object> fills",
            "Hashtable<Object, Object> notes",
            "SortedMap<Object, Object> legs",
            "HashMap<Object, Object> tags", // wider than it was
            "Queue<Object> queue"));
    addToEach(3);
    assertInstanceOf(Vector.class, call(one(), "getFills"));
    assertEquals("{1=1, 2=2, 3=3}", String.valueOf(call(one(), "getTags")));
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(bean("class Trade", "LinkedHashMap<Object, Object> tags"));
          one();
        },
        "tags",
        "migration function");
    verify();
  }

  @SuppressWarnings("unchecked") // they hold anything
  private void addToEach(int number) {
    List<Object> fills = (List<Object>) call(one(), "getFills");
    Map<Object, Object> notes = (Map<Object, Object>) call(one(), "getNotes");
    Map<Object, Object> legs = (Map<Object, Object>) call(one(), "getLegs");
    Map<Object, Object> tags = (Map<Object, Object>) call(one(), "getTags");
    Collection<Object> queue = (Collection<Object>) call(one(), "getQueue");
    fills.add(number);
    queue.add(number);
    for (Map<Object, Object> map : List.of(notes, legs, tags)) {
      map.put(number, number);
      assertEquals(number, map.size());
    }
    assertEquals(fills, new ArrayList<>(queue));
    assertEquals(number, fills.size());
  }
}
