package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

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
}
