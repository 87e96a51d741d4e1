package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.layer.Shelf.Book;
import io.pmstore.proxy.layer.Shelf.Name;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Unlinked objects give their space back; reachable ones stay whole. */
class ReclaimedSpaceTest extends ShelfTest {
  // ---- by commits alone

  @Test
  void replacedStringsGiveTheirSpaceBackAtOnce() {
    shelf.setThing(text(1000));
    long before = collector.used();
    for (int i = 1001; i < 1100; i++) {
      shelf.setThing(text(i));
      assertEquals(before, collector.used());
    }
    shelf.setThing("short");
    assertTrue(collector.used() < before);
    assertEquals("short", shelf.getThing());
  }

  static Stream<Object> values() {
    return Stream.of(
        text("in Latin-1"),
        text("in UTF-16 \u20ac"),
        "x".repeat(1 << 20),
        new BigDecimal("1234567890".repeat(10)),
        new BigInteger("1234567890".repeat(10)),
        new UUID(1, 2),
        URI.create("https://example.com/a/long/path"),
        new int[100],
        new Name(text("first"), text("last"), new Name("nested", text("nested"), null)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueThatIsTakenAwayGivesItsSpaceBackAtOnce(Object value) {
    shelf.setThing(value);
    shelf.setThing(null);
    long before = collector.used();
    shelf.setThing(value);
    assertTrue(collector.used() > before);
    assertTrue(Objects.deepEquals(value, shelf.getThing()));
    shelf.setThing(null);
    assertEquals(before, collector.used());
    assertNull(shelf.getThing());
  }

  @Test
  void manyValuesInCollectionsGiveTheirSpaceBackAtOnce() {
    for (int round = 0; round < 3; round++) {
      long before = collector.used();
      for (int i = 0; i < 300; i++) {
        shelf.getList().add(i / 2, text(i));
        shelf.getMap().put(text(i), text(-i));
        shelf.getConcurrentMap().put(i, text(i));
        shelf.getSet().add(text(i));
      }
      for (int i = 0; i < 300; i++) {
        shelf.getList().set(i, text(i + 1));
        shelf.getMap().put(text(i), text(i));
      }
      for (int i = 299; i >= 0; i--) {
        assertEquals(text(i + 1), shelf.getList().remove(i));
        assertEquals(text(i), shelf.getMap().remove(text(i)));
        assertEquals(text(i), shelf.getConcurrentMap().remove(i));
        assertTrue(shelf.getSet().remove(text(i)));
      }
      assertEquals(before, collector.used());
    }
  }

  @Test
  void anObjectThatMovesToAnotherPlaceStays() {
    shelf.getList().add(book(1));
    restart();
    store()
        .transaction(
            () -> {
              shelf.getMap().put("moved", shelf.getList().removeFirst());
              assertEquals(0, shelf.getList().size());
            });
    churn();
    restart();
    churn();
    Book moved = (Book) shelf.getMap().get("moved");
    assertNotNull(moved);
    assertWhole(1, moved);
    store()
        .transaction(
            () -> {
              shelf.setBook((Book) shelf.getMap().remove("moved"));
              Book book = shelf.getBook();
              assertNotNull(book);
              shelf.getDeque().add(book);
              shelf.setBook(null);
            });
    restart();
    churn();
    assertWhole(1, (Book) shelf.getDeque().getFirst());
  }

  // ---- whole structures, that the program has no Java objects of

  private record Case(String name, Consumer<Shelf> put, Consumer<Shelf> drop) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Map<String, Object> contents() {
    Map<String, Object> contents = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      contents.put(
          text(i), i % 10 == 0 ? book(i) : i % 3 == 0 ? new Name("x", text(i), 5) : text(i));
    }
    return contents;
  }

  private static void removeAll(Collection<?> elements) {
    elements.removeIf(element -> true);
  }

  static Stream<Case> linkedOnce() {
    return Stream.of(
        new Case("a book", s -> s.setBook(book(1)), s -> s.setBook(null)),
        new Case("a book by another", s -> s.setThing(book(1)), s -> s.setThing(5)),
        new Case(
            "a chain",
            s -> {
              Book first = book(0);
              Book last = first;
              for (int i = 1; i < 300; i++) {
                last.setSequel(new Book(text(i)));
                last = Objects.requireNonNull(last.getSequel());
              }
              s.setBook(first);
            },
            s -> s.setBook(null)),
        new Case(
            "an array", s -> s.setThing(contents().values().toArray()), s -> s.setThing("another")),
        new Case("a list", s -> s.getList().addAll(contents().values()), s -> s.getList().clear()),
        new Case(
            "a list's range",
            s -> s.getList().addAll(contents().values()),
            s -> s.getList().subList(0, s.getList().size()).clear()),
        new Case(
            "the list itself",
            s -> s.setList(new ArrayList<>(contents().values())),
            s -> s.setList(new ArrayList<>())),
        new Case("a map", s -> s.getMap().putAll(contents()), s -> s.getMap().clear()),
        new Case(
            "a map's keys",
            s -> s.getMap().putAll(contents()),
            s -> removeAll(s.getMap().keySet())),
        new Case(
            "the map itself",
            s -> s.setMap(new HashMap<>(contents())),
            s -> s.setMap(new HashMap<>())),
        new Case(
            "a concurrent map",
            s -> s.getConcurrentMap().putAll(contents()),
            s -> s.getConcurrentMap().clear()),
        new Case(
            "the concurrent map itself",
            s -> s.setConcurrentMap(new ConcurrentHashMap<>(contents())),
            s -> s.setConcurrentMap(new ConcurrentHashMap<>())),
        new Case("a set", s -> s.getSet().addAll(contents().keySet()), s -> s.getSet().clear()),
        new Case(
            "the set itself",
            s -> s.setSet(new HashSet<>(contents().values())),
            s -> s.setSet(new HashSet<>())));
  }

  @ParameterizedTest
  @MethodSource("linkedOnce")
  void whatWasLinkedOnceGivesItsSpaceBackWithoutTracing(Case structure) {
    givesItsSpaceBack(structure, SimpleCollector::freeUnlinked);
  }

  static Stream<Case> linkedSeveralTimes() {
    return Stream.of(
        new Case(
            "a sorted map",
            s -> s.getSortedMap().putAll(contents()),
            s -> s.getSortedMap().clear()),
        new Case(
            "a sorted map's entries",
            s -> s.getSortedMap().putAll(contents()),
            s -> removeAll(s.getSortedMap().keySet())),
        new Case(
            "the sorted map itself",
            s -> s.setSortedMap(new TreeMap<>(contents())),
            s -> s.setSortedMap(new TreeMap<>())),
        new Case(
            "a sorted set",
            s -> s.getSortedSet().addAll(contents().keySet()),
            s -> s.getSortedSet().clear()),
        new Case(
            "the sorted set itself",
            s -> s.setSortedSet(new TreeSet<>(contents().keySet())),
            s -> s.setSortedSet(new TreeSet<>())),
        new Case(
            "a deque", s -> s.getDeque().addAll(contents().values()), s -> s.getDeque().clear()),
        new Case(
            "a deque's elements",
            s -> s.getDeque().addAll(contents().keySet()),
            s -> {
              while (s.getDeque().size() > 0) {
                s.getDeque().removeFirst();
              }
              s.getDeque().clear();
            }),
        new Case(
            "the deque itself",
            s -> s.setDeque(new ArrayDeque<>(contents().values())),
            s -> s.setDeque(new ArrayDeque<>())),
        new Case(
            "a cycle",
            s -> {
              Book one = book(1);
              Book other = book(2);
              one.setSequel(other);
              other.setSequel(one);
              other.getPages().add(one);
              s.getList().add(one);
              s.setBook(other);
            },
            s -> {
              s.getList().clear();
              s.setBook(null);
            }));
  }

  @ParameterizedTest
  @MethodSource("linkedSeveralTimes")
  void whatWasLinkedMoreThanOnceGivesItsSpaceBackByTracing(Case structure) {
    givesItsSpaceBack(structure, SimpleCollector::collect);
  }

  private void givesItsSpaceBack(Case structure, Consumer<SimpleCollector> freeing) {
    long before = 0;
    for (int round = 0; round < 3; round++) { // the first one also adds to the catalogue
      if (round == 1) {
        before = collector.used();
      }
      structure.put().accept(shelf);
      assertTrue(collector.used() > before + 1000);
      restart();
      structure.drop().accept(shelf);
      restartUnlinked();
      freeing.accept(collector);
    }
    assertEquals(before, collector.used());
  }

  /** Has nothing held but the shelf, and forgets nothing that was left unlinked. */
  private void restartUnlinked() {
    SimpleCollector last = collector;
    restart();
    collector.takeOver(last);
  }

  // ---- what is reachable from several places

  static Stream<Arguments> twoPlaces() {
    return Stream.of(
        Arguments.of(
            (Consumer<Shelf>) s -> s.getList().clear(), (Function<Shelf, Object>) s -> s.getBook()),
        Arguments.of(
            (Consumer<Shelf>) s -> s.setBook(null),
            (Function<Shelf, Object>) s -> s.getList().getFirst()),
        Arguments.of(
            (Consumer<Shelf>)
                s -> {
                  s.setBook(null);
                  s.getMap().put("key", s.getList().removeFirst());
                },
            (Function<Shelf, Object>) s -> s.getMap().get("key")));
  }

  @ParameterizedTest
  @MethodSource("twoPlaces")
  void whatIsTakenFromOneOfTwoPlacesStays(Consumer<Shelf> take, Function<Shelf, Object> find) {
    Book book = book(1);
    shelf.getList().add(book);
    shelf.setBook(book);
    restart();
    take.accept(shelf);
    churn();
    restart();
    churn();
    assertWhole(1, (Book) find.apply(shelf));
  }

  @Test
  void aRolledBackTransactionFreesNothing() {
    shelf.setThing(new Object[0]); // the catalogue keeps what it gets
    shelf.setBook(book(1));
    shelf.getList().add(text(1));
    restart();
    long before = collector.used();
    try {
      store()
          .transaction(
              () -> {
                shelf.setBook(null);
                shelf.getList().clear();
                shelf.setThing(new Object[] {book(2), text(2)});
                throw new IllegalArgumentException("no");
              });
    } catch (IllegalArgumentException e) {
      assertEquals("no", e.getMessage());
    }
    assertEquals(before, collector.used());
    churn();
    Book book = shelf.getBook();
    assertNotNull(book);
    assertWhole(1, book);
    assertArrayEquals(new Object[] {text(1)}, shelf.getList().toArray());
  }
}
