package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.text.FieldPosition;
import java.text.Format;
import java.text.ParsePosition;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that extend a collection, enhanced by the agent, whose class files stay as they are. */
class ElementsAtLoadTimeTest {
  @TempDir Path directory;

  /** The root. */
  @Persistent(root = "board")
  static class Board {
    Row row = new Row();
    Map<String, Prices> prices = new LinkedHashMap<>();
  }

  /** A list with a field, and a method that adds two elements. */
  @Persistent
  static class Row extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    int added;

    void addBoth(String first, String second) {
      add(first);
      if (second.isEmpty()) {
        throw new IllegalStateException("empty");
      }
      add(second);
    }

    @Override
    public boolean add(String element) {
      added++;
      return super.add(element);
    }
  }

  /** A map that is extended once more. */
  @Persistent
  static class Prices extends LinkedHashMap<String, Long> {
    private static final long serialVersionUID = 1L;

    void putBoth(String first, String second) {
      put(first, 1L);
      if (second.isEmpty()) {
        throw new IllegalStateException("empty");
      }
      put(second, 2L);
    }
  }

  /** A subclass without elements of its own. */
  @Persistent
  static class DayPrices extends Prices {
    private static final long serialVersionUID = 1L;

    int day;
  }

  /** A list that keeps its elements in a field. */
  @Persistent(root = "ring")
  static class Ring extends AbstractList<String> {
    private final List<String> elements = new ArrayList<>();

    @Override
    public String get(int index) {
      return elements.get(index);
    }

    @Override
    public int size() {
      return elements.size();
    }

    @Override
    public void add(int index, String element) {
      elements.add(index, element);
    }
  }

  /** A class of the JDK without fields that are kept. */
  @Persistent(root = "title")
  static class Title extends Format {
    private static final long serialVersionUID = 1L;

    String text = "";

    @Override
    public StringBuffer format(Object object, StringBuffer to, FieldPosition position) {
      return to.append(text).append(object);
    }

    @Override
    public Object parseObject(String source, ParsePosition position) {
      return source.substring(text.length());
    }
  }

  @Test
  void aSuperclassOfTheJdkStaysAsItIs() {
    try (PmStore store = PmStore.open(directory)) {
      String refused =
          assertThrows(ClassRefusedException.class, () -> store.root(Ring.class)).getMessage();
      assertTrue(refused.contains("it extends java.util.AbstractList"), refused);
      Ring ring = new Ring();
      ring.add("a");
      assertEquals(List.of("a"), ring);
      store.root(Title.class).text = "Dr. ";
    }
    try (PmStore store = PmStore.open(directory)) {
      assertEquals("Dr. No", store.root(Title.class).format("No"));
    }
  }

  @Test
  void elementsAreKept() {
    try (PmStore store = PmStore.open(directory)) {
      Board board = store.root(Board.class);
      board.row.add("a");
      board.row.addBoth("b", "c");
      DayPrices prices = new DayPrices();
      prices.put("x", 7L);
      prices.day = 3;
      board.prices.put("today", prices);
      assertSame(prices, board.prices.get("today"));
      prices.put("y", 8L);
    }
    try (PmStore store = PmStore.open(directory)) {
      Board board = store.root(Board.class);
      assertEquals(List.of("a", "b", "c"), board.row);
      assertEquals(3, board.row.added);
      assertEquals(Map.of("x", 7L, "y", 8L), board.prices.get("today"));
      assertEquals(3, ((DayPrices) board.prices.get("today")).day);
    }
  }

  @Test
  void aMethodIsOneTransaction() {
    try (PmStore store = PmStore.open(directory)) {
      Board board = store.root(Board.class);
      assertThrows(IllegalStateException.class, () -> board.row.addBoth("a", ""));
      assertEquals(List.of(), board.row);
      assertEquals(0, board.row.added);
      board.prices.put("all", new Prices());
      assertThrows(IllegalStateException.class, () -> board.prices.get("all").putBoth("a", ""));
      assertEquals(Map.of(), board.prices.get("all"));
    }
  }

  @Test
  void aMethodThatTheClassInheritsIsOneTransaction() {
    try (PmStore store = PmStore.open(directory)) {
      Board board = store.root(Board.class);
      board.row.addAll(List.of("a", "b", "c"));
      long before = store.metrics().transactions().commits();
      board.row.removeAll(List.of("a", "b"));
      assertEquals(before + 1, store.metrics().transactions().commits());
      assertEquals(List.of("c"), board.row);
    }
  }
}
