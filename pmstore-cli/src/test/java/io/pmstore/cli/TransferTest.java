package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.cli.market.Account;
import io.pmstore.cli.market.Exchange;
import io.pmstore.cli.market.Isin;
import io.pmstore.cli.market.Kinds;
import io.pmstore.cli.market.Market;
import io.pmstore.cli.market.Money;
import io.pmstore.cli.market.Order;
import io.pmstore.cli.market.Side;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An import of an export gives an equal store: what the program's classes see is the same. */
class TransferTest {
  private static final int ORDERS = 700;

  @TempDir static Path temp;
  private static Path dir;

  @BeforeAll
  static void fill() throws Exception {
    dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, ORDERS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "jsonl"})
  void theProgramSeesAnEqualStore(String format) throws Exception {
    Path file = temp.resolve("export." + format);
    Cli.ok("export", dir, "--format", format, "-o", file);
    Path copy = temp.resolve("copy-" + format);
    assertTrue(Cli.ok("import", copy, file).startsWith("imported "));
    try (PmStore one = PmStore.open(dir, Market.options());
        PmStore other = PmStore.open(copy, Market.options())) {
      compare(one.root(Exchange.class), other.root(Exchange.class));
      other.transaction(() -> change(other.root(Exchange.class)));
    }
    Cli.ok("verify", copy);
  }

  private static void change(Exchange exchange) {
    Account added = new Account("added");
    exchange.getAccounts().add(added);
    exchange.getByName().add(added);
    exchange.getByNameReversed().add(added);
    exchange.getOwnHashes().put(new Isin("US0"), -1);
    assertEquals(-1, exchange.getOwnHashes().get(new Isin("US0")));
    assertEquals(40, exchange.getOwnHashes().size());
    exchange.getOrders().remove(3L);
    assertEquals(ORDERS - 1, exchange.getOrders().size());
  }

  private static void compare(Exchange one, Exchange other) throws Exception {
    assertEquals(one.getName(), other.getName());
    assertEquals(one.getOrders().size(), other.getOrders().size());
    for (long id = 0; id < ORDERS; id++) {
      compare(one.getOrders().get(id), other.getOrders().get(id));
    }
    Account first = other.getAccounts().first();
    assertSame(first, other.getByName().first());
    assertSame(first, other.getByNameReversed().last());
    assertSame(first, other.getBest().orElseThrow());
    assertSame(first, other.getBoard()[0]);
    assertArrayEquals(one.getLines(), other.getLines());
    assertEquals(names(one.getAccounts()), names(other.getAccounts()));
    assertEquals(names(one.getByName()), names(other.getByName()));
    assertEquals(names(one.getByNameReversed()), names(other.getByNameReversed()));
    for (Account account : other.getAccounts()) {
      assertEquals("note of " + account.getName(), other.getNotes().get(account));
      assertTrue(other.getByName().contains(account));
      assertTrue(other.getByNameReversed().contains(account));
    }
    for (int i = 0; i < 40; i++) {
      assertEquals(i, other.getOwnHashes().get(new Isin("US" + i)));
      assertTrue(other.getIsins().contains(new Isin("DE" + i)));
      assertEquals("m" + i, other.getMoneys().get(new Money("EUR", new BigDecimal(i))));
      assertTrue(other.getDescending().contains(i));
    }
    assertEquals(new ArrayList<>(one.getTags()), new ArrayList<>(other.getTags()));
    assertEquals(new ArrayList<>(one.getQueue()), new ArrayList<>(other.getQueue()));
    assertEquals(new ArrayList<>(one.getDescending()), new ArrayList<>(other.getDescending()));
    assertEquals(new ArrayList<>(one.getIgnoringCase()), new ArrayList<>(other.getIgnoringCase()));
    assertTrue(other.getIgnoringCase().contains("K2"));
    assertEquals(
        one.getByQuantity().stream().map(Order::getQuantity).toList(),
        other.getByQuantity().stream().map(Order::getQuantity).toList());
    assertEquals(
        new ArrayList<>(one.getBySymbol().keySet()), new ArrayList<>(other.getBySymbol().keySet()));
    for (Map.Entry<String, Order> entry : other.getBySymbol().entrySet()) {
      assertSame(entry.getValue(), other.getBySymbol().get(entry.getKey()));
    }
    assertEquals(
        one.getBySide().get(Side.SELL).getQuantity(),
        other.getBySide().get(Side.SELL).getQuantity());
    compare(one.getKinds(), other.getKinds());
  }

  private static List<String> names(Iterable<Account> accounts) {
    List<String> names = new ArrayList<>();
    accounts.forEach(account -> names.add(account.getName()));
    return names;
  }

  private static void compare(Order one, Order other) {
    assertEquals(one.getSymbol(), other.getSymbol());
    assertEquals(one.getQuantity(), other.getQuantity());
    assertEquals(one.getPrice(), other.getPrice());
    assertEquals(one.getSide(), other.getSide());
    assertEquals(one.getAccount().getName(), other.getAccount().getName());
    assertEquals(one.getReports().size(), other.getReports().size());
    for (int i = 0; i < one.getReports().size(); i++) {
      assertEquals(one.getReports().get(i).getPrice(), other.getReports().get(i).getPrice());
      assertEquals(one.getReports().get(i).getTime(), other.getReports().get(i).getTime());
      assertSame(other, other.getReports().get(i).getOrder()); // a cycle
    }
  }

  private static void compare(Kinds one, Kinds other) throws Exception {
    assertEquals(one.isFlag(), other.isFlag());
    assertEquals(one.getSmall(), other.getSmall());
    assertEquals(one.getShorter(), other.getShorter());
    assertEquals(one.getLetter(), other.getLetter());
    assertEquals(one.getNumber(), other.getNumber());
    assertEquals(one.getLarge(), other.getLarge());
    assertEquals(one.getReal(), other.getReal());
    assertEquals(one.getPrecise(), other.getPrecise());
    assertEquals(one.getBoxed(), other.getBoxed());
    assertEquals(one.getBoxedLetter(), other.getBoxedLetter());
    assertEquals(one.getAny(), other.getAny());
    assertEquals(one.getNothing(), other.getNothing());
    List<Object> expected = Market.everyKind();
    assertEquals(expected.size(), other.getValues().size());
    for (int i = 0; i < expected.size(); i++) {
      assertValue(expected.get(i), other.getValues().get(i));
      assertValue(expected.get(i), other.getNamed().get("v" + i));
    }
    assertSame(other, other.getNamed().get("self"));
  }

  private static void assertValue(Object expected, Object found) {
    if (expected instanceof Pattern pattern) {
      assertEquals(pattern.pattern(), assertInstanceOf(Pattern.class, found).pattern());
      assertEquals(pattern.flags(), ((Pattern) found).flags());
      return;
    }
    if (expected != null) {
      assertEquals(expected.getClass(), found.getClass());
    }
    assertArrayEquals(new Object[] {expected}, new Object[] {found});
    if (expected instanceof InetAddress) { // equals leaves the scope out
      assertEquals(expected.toString(), found.toString());
    }
  }

  @Test
  void everyKindOfValueIsInTheTest() throws Exception {
    TreeMap<String, Object> classes = new TreeMap<>();
    for (Object value : Market.everyKind()) {
      if (value != null) {
        classes.put(value.getClass().getName(), value);
      }
    }
    assertTrue(classes.size() >= 55, classes.keySet()::toString);
  }

  @Test
  void aFileThatIsNoExportMakesNoStore() throws Exception {
    Path target = temp.resolve("none");
    for (String text :
        List.of(
            "",
            "{}",
            "[1]",
            "{\"pmstore\":2}",
            "{\"pmstore\":1,\"roots\":{\"r\":{\"@id\":1,\"@class\":\"none.Such\"}}}",
            "{\"pmstore\":1,\"roots\":{\"r\":{\"@ref\":7}}}",
            "{\"pmstore\":1,\"roots\":{\"r\":{\"@id\":1,\"@collection\":\"list\",\"elements\":[")) {
      Path file = Files.writeString(temp.resolve("bad.json"), text);
      Cli.Result result = Cli.run("import", target, file);
      result.expect(3);
      assertEquals(1, result.err().lines().count(), result.err());
      assertTrue(result.err().startsWith("pm: "), result.err());
      assertFalse(Files.exists(target));
    }
    try (Stream<Path> left = Files.list(temp)) {
      assertTrue(left.noneMatch(path -> path.toString().contains(".import-")));
    }
  }

  @Test
  void oneRootIsExported() throws Exception {
    Path two = temp.resolve("two");
    try (PmStore store = PmStore.open(two, Market.options())) {
      store.transaction(() -> store.root("a", Account.class).setName("A"));
      store.transaction(() -> store.root("b c", Account.class).setName("B"));
    }
    String json = Cli.ok("export", two, "--root", "b c");
    assertTrue(json.contains("\"B\"") && !json.contains("\"A\""), json);
    Path file = Files.writeString(temp.resolve("two.json"), Cli.ok("export", two));
    Path copy = temp.resolve("two-copy");
    Cli.ok("import", copy, file);
    assertEquals(json, Cli.ok("export", copy, "--root", "b c"));
    Cli.run("export", two, "--root", "c").expect(3);
  }

  @Test
  void aCutExportIsRefusedWithTheLineInWhichItEnds() throws Exception {
    String export = Cli.ok("export", dir);
    for (int i = 1; i < 10; i++) {
      String cut = export.substring(0, export.length() * i / 10);
      Path file = Files.writeString(temp.resolve("cut.json"), cut);
      Cli.Result result = Cli.run("import", temp.resolve("copy"), file);
      result.expect(3);
      long line = 1 + cut.chars().filter(each -> each == '\n').count();
      assertTrue(result.err().contains("not whole: in line " + line + ","), result.err());
      assertFalse(result.err().contains("Source"), result.err());
    }
  }
}
