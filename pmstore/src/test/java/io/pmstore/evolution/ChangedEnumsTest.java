package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What becomes of constants of an enum that changes. */
final class ChangedEnumsTest extends EvolutionCase {
  @Test
  void constantsAreAddedReorderedAndRenamed() {
    open(
        "enum Side { BUY, SELL }\n"
            + bean(
                "class Trade",
                "Side side",
                "Map<Side, String> names = new HashMap<>()",
                "SortedMap<Side, String> sorted = new TreeMap<>()",
                "TreeMap<Side, String> tree = new TreeMap<>()"));
    Object trade = versions.store().create(versions.type("Trade"));
    for (Object map :
        List.of(call(trade, "getNames"), call(trade, "getSorted"), call(trade, "getTree"))) {
      put(map, versions.constant("Side", "BUY"), "b");
      put(map, versions.constant("Side", "SELL"), "s");
    }
    call(trade, "setSide", versions.constant("Side", "SELL"));
    setOne(trade);
    open(
        "enum Side { SHORT, @FormerNames(\"SELL\") OFFER, BUY }\n"
            + bean(
                "class Trade",
                "Side side",
                "Map<Side, String> names = new HashMap<>()",
                "SortedMap<Side, String> sorted = new TreeMap<>()",
                "TreeMap<Side, String> tree = new TreeMap<>()"));
    assertEquals("OFFER", String.valueOf(call(one(), "getSide")));
    for (Object each :
        List.of(call(one(), "getNames"), call(one(), "getSorted"), call(one(), "getTree"))) {
      Map<?, ?> map = (Map<?, ?>) each;
      assertEquals("s", map.get(versions.constant("Side", "OFFER")));
      assertEquals("b", map.get(versions.constant("Side", "BUY")));
      assertNull(map.get(versions.constant("Side", "SHORT")));
      put(map, versions.constant("Side", "SHORT"), "x");
      assertEquals("s", map.get(versions.constant("Side", "OFFER")));
      assertEquals("x", map.get(versions.constant("Side", "SHORT")));
    }
    SortedMap<?, ?> sorted = (SortedMap<?, ?>) call(one(), "getSorted");
    assertEquals(
        List.of("BUY", "OFFER", "SHORT"),
        List.copyOf(sorted.keySet().stream().map(Object::toString).toList()));
    TreeMap<?, ?> copy = (TreeMap<?, ?>) ((TreeMap<?, ?>) call(one(), "getTree")).clone();
    assertEquals(
        List.of("SHORT", "OFFER", "BUY"), copy.keySet().stream().map(Object::toString).toList());
    assertEquals("x", copy.get(versions.constant("Side", "SHORT")));
    verify();
  }

  @Test
  void aRemovedConstantInACollectionIsRefusedWithItsPlace() {
    String types =
        "record Leg(Side side) {}\n"
            + bean(
                "class Trade",
                "List<Side> list = new ArrayList<>()",
                "Deque<Side> deque = new ArrayDeque<>()",
                "Set<Side> set = new HashSet<>()",
                "Set<Side> linked = new LinkedHashSet<>()",
                "SortedSet<Side> sorted = new TreeSet<>()",
                "Map<Long, Side> values = new HashMap<>()",
                "SortedMap<Long, Side> sortedValues = new TreeMap<>()",
                "Map<Side, Long> keys = new HashMap<>()",
                "List<Leg> legs = new ArrayList<>()",
                "List<Optional<Side>> optionals = new ArrayList<>()",
                "List<Side[]> arrays = new ArrayList<>()");
    open("enum Side { BUY, SELL }\n" + types);
    Object trade = versions.store().create(versions.type("Trade"));
    Object buy = versions.constant("Side", "BUY");
    for (String name : List.of("List", "Deque", "Set", "Linked", "Sorted")) {
      add(call(trade, "get" + name), buy);
    }
    put(call(trade, "getValues"), 1L, buy);
    put(call(trade, "getSortedValues"), 1L, buy);
    put(call(trade, "getKeys"), buy, 1L);
    add(call(trade, "getLegs"), versions.make("Leg", buy));
    add(call(trade, "getOptionals"), Optional.of(buy));
    Object array = Array.newInstance(versions.type("Side"), 1);
    Array.set(array, 0, buy);
    add(call(trade, "getArrays"), array);
    setOne(trade);
    open("@Removed(\"BUY\") enum Side { SELL }\n" + types);
    for (String name :
        List.of("List", "Deque", "Set", "Linked", "Sorted", "Legs", "Optionals", "Arrays")) {
      Collection<?> elements = (Collection<?>) call(one(), "get" + name);
      assertPlace(name, () -> elements.iterator().next());
      assertPlace(name, () -> elements.toArray());
      assertPlace(name, () -> elements.forEach(_ -> {}));
    }
    for (String name : List.of("Values", "SortedValues")) {
      Map<?, ?> values = (Map<?, ?>) call(one(), "get" + name);
      assertPlace(name, () -> values.get(1L));
      assertPlace(name, () -> values.values().iterator().next());
      assertPlace(name, () -> values.entrySet().iterator().next().getValue());
    }
    Map<?, ?> keys = (Map<?, ?>) call(one(), "getKeys");
    assertPlace("Keys", () -> keys.keySet().iterator().next());
    assertPlace("Keys", () -> keys.entrySet().iterator().next().getKey());
  }

  private static void assertPlace(String name, Executable read) {
    String message =
        String.valueOf(assertThrows(ClassRefusedException.class, read, name).getMessage());
    assertTrue(
        message.matches(
            "the [a-z ]+ at heap address (\\d+): found constant BUY of enum shop.Side, .*"
                + "\"pm why DIR @\\1\" shows .*"),
        () -> name + ": " + message);
  }
}
