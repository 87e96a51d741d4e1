package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

  /** Holds a record whose constructor copies, and collections of such records. */
  @Persistent
  static class Article {
    private Line line = new Line("", List.of());
    private Object any;

    Line getLine() {
      return line;
    }

    void setLine(Line line) {
      this.line = line;
    }

    Object getAny() {
      return any;
    }

    void setAny(Object any) {
      this.any = any;
    }
  }

  record Deep(Map<String, List<String>> lists, Set<Line> lines) {
    Deep {
      Map<String, List<String>> copies = new TreeMap<>();
      lists.forEach((name, list) -> copies.put(name, List.copyOf(list)));
      lists = copies;
      lines = Set.copyOf(lines);
    }
  }

  private static Deep deep(String tag) {
    return new Deep(Map.of("n", List.of(tag)), Set.of(new Line("x", List.of(tag, "a"))));
  }

  @Test
  void anotherRecordInAPlainObjectIsStoredUntilTheTransactionEnds() {
    store().root("warm", Article.class).setLine(new Line("warm", List.of()));
    Article plain = new Article();
    plain.setLine(new Line("x", List.of("a")));
    plain.setAny(deep("a"));
    Article root = store().root("article", Article.class);
    store()
        .transaction(
            () -> {
              root.setAny(plain);
              plain.setLine(new Line("x", List.of("a", "b")));
              plain.setAny(deep("b"));
            });
    reopen();
    Article stored = (Article) store().root("article", Article.class).getAny();
    assertEquals(new Line("x", List.of("a", "b")), stored.getLine());
    assertEquals(deep("b"), stored.getAny());
  }

  @Test
  void whatIsAddedToACollectionOfSuchRecordsIsStoredUntilTheTransactionEnds() {
    List<Object> list = new ArrayList<>(List.of(new Line("x", List.of("a")), deep("a")));
    Set<Object> set = new HashSet<>(list);
    Map<Object, Object> map = new HashMap<>(Map.of(list.getFirst(), "v", "k", list.getLast()));
    Article root = store().root("article", Article.class);
    root.setAny(List.of(list.getFirst(), deep("warm")));
    store()
        .transaction(
            () -> {
              root.setAny(new ArrayList<>(List.of(list, set, map)));
              list.add("more");
              set.add("more");
              map.put("more", "w");
            });
    reopen();
    assertEquals(List.of(list, set, map), store().root("article", Article.class).getAny());
  }

  @Test
  void aRecordThatChangedInBothIsRefused() {
    store().root("warm", Article.class).setLine(new Line("warm", List.of()));
    Article plain = new Article();
    Article root = store().root("article", Article.class);
    assertThrows(
        NotPersistableException.class,
        () ->
            store()
                .transaction(
                    () -> {
                      root.setAny(plain);
                      ((Article) root.getAny()).setLine(new Line("x", List.of("a")));
                      plain.setLine(new Line("x", List.of("b")));
                    }));
  }
}
