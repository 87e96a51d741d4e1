package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sorted maps and sets as properties: orders that are stored, conversion, persistent keys. */
class SortedPropertiesTest extends StoreTest {
  /** Has a property of each sorted type. */
  @Persistent(root = "book")
  public static class Book {
    private NavigableMap<String, Integer> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private SortedMap<BigDecimal, Object> byPrice = new TreeMap<>(Comparator.reverseOrder());
    private NavigableSet<Quote> quotes = new TreeSet<>();
    private SortedSet<Long> ids = new TreeSet<>();
    private @Nullable Object any;

    public NavigableMap<String, Integer> getByName() {
      return byName;
    }

    public void setByName(NavigableMap<String, Integer> byName) {
      this.byName = byName;
    }

    public SortedMap<BigDecimal, Object> getByPrice() {
      return byPrice;
    }

    public void setByPrice(SortedMap<BigDecimal, Object> byPrice) {
      this.byPrice = byPrice;
    }

    public NavigableSet<Quote> getQuotes() {
      return quotes;
    }

    public void setQuotes(NavigableSet<Quote> quotes) {
      this.quotes = quotes;
    }

    public SortedSet<Long> getIds() {
      return ids;
    }

    public void setIds(SortedSet<Long> ids) {
      this.ids = ids;
    }

    public @Nullable Object getAny() {
      return any;
    }

    public void setAny(@Nullable Object any) {
      this.any = any;
    }
  }

  /** Changes its mind about what is equal. */
  @Persistent
  public static class Fickle implements Comparable<Fickle> {
    private static int wrongAnswers; // that will be given

    private String name = "";

    Fickle() {}

    Fickle(String name) {
      this.name = name;
    }

    @Override
    public int compareTo(Fickle other) {
      int byName = name.compareTo(other.toString());
      return byName == 0 && wrongAnswers-- > 0 ? 1 : byName;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @Test
  void anOrderThatChangesItsMindTakesNoOtherElement() {
    Book book = store().root(Book.class);
    book.setAny(new TreeSet<>(List.of(new Fickle("a"), new Fickle("b"))));
    SortedSet<Object> set = elements(book.getAny());
    for (String name : List.of("a", "b")) {
      Fickle.wrongAnswers = 1;
      set.add(new Fickle(name));
      assertEquals("[a, b]", List.copyOf(set).toString());
    }
  }

  @SuppressWarnings("unchecked")
  private static SortedSet<Object> elements(@Nullable Object set) {
    return (SortedSet<Object>) Objects.requireNonNull(set);
  }

  /** A persistent object that is ordered by itself. */
  @Persistent
  public static class Quote implements Comparable<Quote> {
    private long price;
    private @Nullable String symbol;

    public Quote() {}

    public Quote(long price) {
      this.price = price;
    }

    public long getPrice() {
      return price;
    }

    public void setPrice(long price) {
      this.price = price;
    }

    public @Nullable String getSymbol() {
      return symbol;
    }

    public void setSymbol(@Nullable String symbol) {
      this.symbol = symbol;
    }

    @Override
    public int compareTo(Quote other) {
      return Long.compare(price, other.price); // finds nothing in a persistent one if it is plain
    }
  }

  /** An order without state. */
  public enum Orders implements Comparator<String> {
    BY_LENGTH {
      @Override
      public int compare(String one, String other) {
        return Integer.compare(one.length(), other.length());
      }
    }
  }

  /** An order with state, which may refer to the collection that has it. */
  @Persistent
  public static class ByRank implements Comparator<String> {
    private Map<String, Integer> ranks = new java.util.HashMap<>();
    private @Nullable Object uses;

    public Map<String, Integer> getRanks() {
      return ranks;
    }

    public void setRanks(Map<String, Integer> ranks) {
      this.ranks = ranks;
    }

    public @Nullable Object getUses() {
      return uses;
    }

    public void setUses(@Nullable Object uses) {
      this.uses = uses;
    }

    @Override
    public int compare(String one, String other) {
      return Integer.compare(
          Objects.requireNonNull(getRanks().get(one)),
          Objects.requireNonNull(getRanks().get(other)));
    }
  }

  private Book book() {
    return store().root(Book.class);
  }

  @Test
  void initialValuesKeepTheirOrder() {
    book().getByName().put("b", 1);
    book().getByName().put("A", 2);
    book().getByName().put("B", 3);
    book().getByPrice().put(new BigDecimal("1.5"), "low");
    book().getByPrice().put(new BigDecimal("22222222222222222222.5"), "high");
    book().getIds().addAll(List.of(3L, 1L, 2L));
    for (int i = 0; i < 2; i++) {
      assertTrue(book().getByName() instanceof PersistentObject);
      assertSame(book().getByName(), book().getByName());
      assertEquals("{A=2, b=3}", book().getByName().toString());
      assertSame(String.CASE_INSENSITIVE_ORDER, book().getByName().comparator());
      assertEquals(3, book().getByName().get("B"));
      assertEquals(new BigDecimal("1.5"), book().getByPrice().lastKey());
      assertEquals(Comparator.reverseOrder(), book().getByPrice().comparator());
      assertEquals(List.of(1L, 2L, 3L), new ArrayList<>(book().getIds()));
      assertNull(book().getIds().comparator());
      reopen();
    }
  }

  private void assertKeepsOrder(@Nullable Comparator<? super String> comparator) {
    TreeMap<String, Integer> plain = new TreeMap<>(comparator);
    TreeSet<String> plainSet = new TreeSet<>(comparator);
    for (String word : List.of("pear", "fig", "Apple", "banana", "a rather long kind of fruit")) {
      plain.put(word, word.length());
      plainSet.add(word);
    }
    book().setByName(plain);
    book().setAny(plainSet);
    for (int i = 0; i < 2; i++) {
      NavigableMap<String, Integer> map = book().getByName();
      assertEquals(comparator, map.comparator());
      assertEquals(new ArrayList<>(plain.entrySet()), new ArrayList<>(map.entrySet()));
      NavigableSet<?> set = (NavigableSet<?>) Objects.requireNonNull(book().getAny());
      assertEquals(comparator, set.comparator());
      assertEquals(new ArrayList<>(plainSet), new ArrayList<>(set));
      for (String word : plain.keySet()) {
        assertTrue(map.containsKey(word) && set.contains(word), word);
      }
      reopen();
    }
    book().setByName(new TreeMap<>(plain.descendingMap()));
    reopen();
    assertEquals(
        new ArrayList<>(plain.descendingMap().entrySet()),
        new ArrayList<>(book().getByName().entrySet()));
  }

  @Test
  void theJdksOrdersAndEnumConstantsAreStored() {
    assertKeepsOrder(null);
    assertKeepsOrder(Comparator.<String>naturalOrder());
    assertKeepsOrder(Comparator.<String>reverseOrder());
    assertKeepsOrder(String.CASE_INSENSITIVE_ORDER);
    assertKeepsOrder(Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
    assertKeepsOrder(Orders.BY_LENGTH);
    assertKeepsOrder(Collections.reverseOrder(Orders.BY_LENGTH));
  }

  @Test
  void aPersistentComparatorIsConvertedWithItsCollectionAlsoIfItRefersToIt() {
    for (boolean reversed : new boolean[] {false, true}) {
      ByRank byRank = new ByRank();
      if (reversed) {
        byRank.setRanks(new TreeMap<>()); // which is itself to be filled before it is used
      }
      byRank.getRanks().putAll(Map.of("gold", 1, "silver", 2, "bronze", 3));
      TreeMap<String, Integer> plain =
          new TreeMap<>(reversed ? Collections.reverseOrder(byRank) : byRank);
      plain.putAll(Map.of("bronze", 30, "gold", 10));
      byRank.setUses(plain);
      book().setByName(plain);
      reopen();
      NavigableMap<String, Integer> map = book().getByName();
      map.put("silver", 20);
      List<String> expected = new ArrayList<>(List.of("gold", "silver", "bronze"));
      if (reversed) {
        Collections.reverse(expected);
      }
      assertEquals(expected, new ArrayList<>(map.keySet()));
      Comparator<? super String> comparator = Objects.requireNonNull(map.comparator());
      ByRank stored = (ByRank) (reversed ? Collections.reverseOrder(comparator) : comparator);
      assertTrue(stored instanceof PersistentObject);
      assertSame(map, stored.getUses());
    }
  }

  @Test
  void otherComparatorsAreRefusedWithTheirPath() {
    Book book = book();
    NavigableMap<String, Integer> before = book.getByName();
    for (Comparator<String> comparator :
        List.<Comparator<String>>of(
            (one, other) -> 0,
            Collections.reverseOrder((one, other) -> 0),
            Comparator.comparing(String::length))) {
      String message =
          assertThrows(
                  NotPersistableException.class, () -> book.setByName(new TreeMap<>(comparator)))
              .getMessage();
      assertTrue(message.startsWith("book.byName.comparator is of class "), message);
      assertTrue(message.contains("an enum constant that implements Comparator"), message);
    }
    assertSame(before, book.getByName());
  }

  @Test
  @Timeout(45) // if closing looked for lost changes behind each map, it would take minutes
  void aChainOfSortedMapsNeedsNoStack() {
    TreeMap<Integer, Object> first = new TreeMap<>();
    TreeMap<Integer, Object> last = first;
    int length = 100_000;
    for (int i = 1; i < length; i++) {
      TreeMap<Integer, Object> next = new TreeMap<>();
      last.put(i, next);
      last = next;
    }
    book().setAny(first);
    int count = 0;
    for (Object at = book().getAny(); at instanceof Map<?, ?> map; at = map.get(count)) {
      count++;
    }
    assertEquals(length, count);
    reopen();
    assertEquals(1, first.size()); // the originals are held
  }

  @Test
  void otherSortedCollectionsAreConvertedToo() {
    book().setAny(new ConcurrentSkipListMap<>(Map.of(2, "b", 1, "a")));
    reopen();
    assertEquals("{1=a, 2=b}", String.valueOf(book().getAny()));
    assertTrue(book().getAny() instanceof NavigableMap);
  }

  @Test
  void anOriginalGivesTheSameTwinUntilItIsChanged() {
    TreeSet<Long> ids = new TreeSet<>(List.of(1L));
    book().setIds(ids);
    SortedSet<Long> twin = book().getIds();
    book().setAny(ids);
    assertSame(twin, book().getAny());
    ids.add(2L);
    assertThrows(NotPersistableException.class, () -> book().setIds(ids));
  }

  @Test
  void persistentObjectsAreOrderedByTheirOwnComparison() {
    Quote cheap = new Quote(1);
    Quote dear = new Quote(9);
    book().getQuotes().addAll(List.of(dear, new Quote(5), cheap));
    for (int i = 0; i < 2; i++) {
      NavigableSet<Quote> quotes = book().getQuotes();
      assertEquals(List.of(1L, 5L, 9L), quotes.stream().map(Quote::getPrice).toList());
      assertTrue(quotes.contains(new Quote(5)), "a plain object is compared as it is");
      assertEquals(9, Objects.requireNonNull(quotes.higher(new Quote(5))).getPrice());
      assertSame(quotes.first(), quotes.floor(new Quote(4)));
      reopen();
    }
  }

  @Test
  void aKeyThatWasRemovedMayChange() {
    NavigableSet<Quote> quotes = book().getQuotes();
    store()
        .transaction(
            () -> {
              for (int i = 0; i < 1000; i++) {
                quotes.add(new Quote(i));
              }
            });
    for (Quote quote : new ArrayList<>(quotes)) {
      if (quote.getPrice() % 3 != 0) {
        quotes.remove(quote);
        quote.setPrice(1_000_000 - quote.getPrice()); // would lead astray as a key of a node
      }
    }
    long expected = 0;
    for (Quote quote : quotes) {
      assertEquals(expected, quote.getPrice());
      expected += 3;
    }
    for (int i = 0; i < 1000; i++) {
      assertEquals(i % 3 == 0, quotes.contains(new Quote(i)), "quote " + i);
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void aKeyThatDoesNotFitIsRefusedBeforeAnythingChanges() {
    SortedSet ids = book().getIds();
    store()
        .transaction(
            () -> {
              assertThrows(ClassCastException.class, () -> ids.add(new Order(1)));
              assertThrows(NullPointerException.class, () -> ids.add(null));
              ids.add(7L);
              assertThrows(ClassCastException.class, () -> ids.add("seven"));
              assertThrows(ClassCastException.class, () -> ids.contains("seven"));
              assertThrows(
                  ClassCastException.class, () -> ids.addAll(List.of(8L, new ArrayList<>())));
              assertThrows(ClassCastException.class, () -> ids.addAll(List.of(8L, "eight")));
            });
    assertEquals(List.of(7L), new ArrayList<>(ids));
    SortedMap prices = book().getByPrice();
    assertThrows(ClassCastException.class, () -> prices.put(new Order(1), 1));
    assertThrows(ClassCastException.class, () -> prices.get(new Order(1)));
    assertThrows(NullPointerException.class, () -> prices.get(null));
    Map<Object, Object> mixed = Map.of(BigDecimal.ONE, 1, "one", 1);
    store()
        .transaction(
            () -> {
              assertThrows(ClassCastException.class, () -> prices.putAll(mixed));
              prices.put(BigDecimal.TWO, 2);
              assertThrows(ClassCastException.class, () -> prices.putAll(mixed));
            });
    assertEquals(Map.of(BigDecimal.TWO, 2), prices);
  }

  @Test
  void stringsAndNumbersAreComparedAsTheirClassesDo() {
    List<String> words =
        List.of(
            "",
            "a",
            "ab",
            "abcdef",
            "abcdefg",
            "abcdefgh",
            "abcdefghijklmn",
            "abcdefghijklmno",
            "abcdefghijklmnp",
            "b",
            "\u00e9",
            "\u00ff",
            "\u0100",
            "z",
            "\u20ac",
            "a\u20ac",
            "abcdef\u00ff",
            "abcdefg\u0000");
    TreeSet<String> plain = new TreeSet<>(words);
    book().setAny(new TreeSet<>());
    @SuppressWarnings("unchecked")
    NavigableSet<Object> set = (NavigableSet<Object>) Objects.requireNonNull(book().getAny());
    set.addAll(words);
    assertEquals(new ArrayList<Object>(plain), new ArrayList<>(set));
    for (String word : words) {
      assertEquals(plain.lower(word), set.lower(word));
      assertEquals(plain.higher(word), set.higher(word));
    }
    set.clear();
    List<Object> numbers = List.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE);
    set.addAll(numbers.reversed());
    assertEquals(numbers, new ArrayList<>(set));
    set.clear();
    List<Object> ints = List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
    set.addAll(ints.reversed());
    assertEquals(ints, new ArrayList<>(set));
  }
}
