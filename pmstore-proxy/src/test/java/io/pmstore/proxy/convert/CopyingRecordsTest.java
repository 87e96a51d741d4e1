package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Records whose constructors copy or check collections, which other objects have, too. */
class CopyingRecordsTest extends StoreTest {
  record Line(String name, List<String> tags) {
    Line {
      tags = List.copyOf(tags);
    }
  }

  record Sorted(Set<String> tags) {
    Sorted {
      if (tags.isEmpty()) {
        throw new IllegalArgumentException("no tags");
      }
    }
  }

  @Persistent
  static class Basket {
    // In this order, and in the other one.
    private List<String> first;
    private List<Line> lines;
    private List<String> tags;
    private Map<String, Line> byName;
    private Set<Line> set;
    private List<Sorted> checked;
    private Set<String> sorted;
    private List<Object> zmore;

    List<String> text() {
      List<String> all = new ArrayList<>();
      lines.forEach(line -> all.add(line.name() + line.tags()));
      byName.forEach((name, line) -> all.add(name + line.tags()));
      set.forEach(line -> all.add("set" + line.tags()));
      checked.forEach(one -> all.add("" + one.tags()));
      zmore.forEach(one -> all.add("" + one));
      return all;
    }
  }

  @Persistent(root = "holder")
  static class Holder {
    private Basket basket;

    Basket getBasket() {
      return basket;
    }

    void setBasket(Basket basket) {
      this.basket = basket;
    }
  }

  private static Basket basket() {
    Basket basket = new Basket();
    basket.first = List.of("f");
    basket.tags = List.of("a", "b");
    basket.lines =
        new ArrayList<>(List.of(new Line("x", basket.tags), new Line("y", basket.first)));
    basket.byName = new HashMap<>(Map.of("n", new Line("z", basket.tags)));
    basket.set = new HashSet<>(Set.of(new Line("s", basket.tags)));
    basket.sorted = new TreeSet<>(List.of("q", "p"));
    basket.checked = new ArrayList<>(List.of(new Sorted(basket.sorted)));
    List<Object> inner = new ArrayList<>(List.of(new Line("i", basket.tags)));
    basket.zmore = new ArrayList<>(List.of(inner, new Line("j", List.of("c"))));
    return basket;
  }

  @Test
  void whatTheyShareIsThereWhenTheyAreMadeAgain() {
    List<String> expected = basket().text();
    store().root(Holder.class).setBasket(basket());
    assertEquals(expected, store().root(Holder.class).getBasket().text());
    reopen();
    assertEquals(expected, store().root(Holder.class).getBasket().text());
  }
}
