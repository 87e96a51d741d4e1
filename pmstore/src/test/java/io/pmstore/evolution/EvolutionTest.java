package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.RolledBackException;
import io.pmstore.Upgrade;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of stored objects when their class changes. */
final class EvolutionTest {
  private static final String ROOT =
      bean("class Root", "List<Object> all = new ArrayList<>()", "Object one");

  @TempDir Path directory;
  private Versions versions;

  @BeforeEach
  void start() {
    start("store");
  }

  private void start(String name) {
    versions = new Versions(directory.resolve(name));
  }

  @AfterEach
  void end() {
    versions.close();
  }

  private void open(String source) {
    versions.open(compile(ROOT + source));
  }

  private void open(String source, PmStoreOptions options) {
    versions.open(compile(ROOT + source), options);
  }

  private Object one() {
    return call(versions.root(), "getOne");
  }

  private void setOne(Object value) {
    call(versions.root(), "setOne", value);
  }

  /** Stores a Trade with symbol SAP, quantity 7 and price "12.50". */
  private void storeTrade() {
    open(bean("class Trade", "String symbol", "int qty", "String price"));
    Object trade = versions.make("Trade");
    call(trade, "setSymbol", "SAP");
    call(trade, "setQty", 7);
    call(trade, "setPrice", "12.50");
    setOne(trade);
  }

  // ---- properties that are new

  @Test
  void aNewPropertyHasItsInitialValueUntilItIsSet() {
    storeTrade();
    open(
        bean(
            "class Trade",
            "String symbol",
            "int qty",
            "String price",
            "long filled",
            "double rate = 2.5",
            "String venue = \"XETR\"",
            "boolean open = true"));
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
    open(
        bean(
            "class Trade",
            "String symbol",
            "int qty",
            "String price",
            "List<String> notes = new ArrayList<>()"));
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
    String changed =
        bean(
            "class Trade",
            "String symbol",
            "int qty",
            "String price",
            "List<String> notes = new ArrayList<>()");
    open(changed);
    versions.store().snapshot(() -> assertTrue(notes().isEmpty()));
    versions.open(compile(ROOT + changed), PmStoreOptions.defaults().readOnly(true));
    assertTrue(notes().isEmpty());
    assertEquals(7, call(one(), "getQty"));
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

  @SuppressWarnings("unchecked")
  private static void add(Object collection, Object element) {
    ((Collection<Object>) collection).add(element);
  }

  // ---- properties that are gone, renamed, or of another type

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

  @Test
  void aMigrationFunctionMakesAPropertyOfAnotherTypeOnce() throws Exception {
    storeTrade();
    AtomicInteger calls = new AtomicInteger();
    String changed = bean("class Trade", "String symbol", "int qty", "java.math.BigDecimal price");
    Migration migration =
        Migration.of(
            "shop.Trade",
            "price",
            (old, trade) -> {
              calls.incrementAndGet();
              assertEquals("shop.Trade", old.className());
              assertEquals(java.util.Set.of("symbol", "qty", "price"), old.properties());
              assertEquals(7, old.get("qty"));
              assertEquals("SAP", call(trade, "getSymbol"));
              return new BigDecimal(old.get("price", String.class));
            });
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(changed);
          one();
        },
        "price",
        "migration function");
    open(changed, PmStoreOptions.defaults().migrations(migration));
    assertEquals(7, call(one(), "getQty"));
    assertEquals(0, calls.get());
    assertEquals(new BigDecimal("12.50"), call(one(), "getPrice"));
    assertEquals(new BigDecimal("12.50"), call(one(), "getPrice"));
    assertEquals(1, calls.get());
    versions.reopen();
    assertEquals(new BigDecimal("12.50"), call(one(), "getPrice"));
    assertEquals(1, calls.get());
    Upgrade upgrade = versions.store().upgrade();
    upgrade.await();
    open(changed); // needs the function no more
    assertEquals(new BigDecimal("12.50"), call(one(), "getPrice"));
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

  @Test
  void aNewCollectionOfAClassIsMadeWhenItCanBeStored() {
    storeTrade();
    open(
        bean(
            "class Trade",
            "String symbol",
            "int qty",
            "String price",
            "ArrayList<Object> fills = new ArrayList<>()"));
    PmStoreException thrown =
        assertThrows(
            PmStoreException.class, () -> versions.store().snapshot(() -> call(one(), "getFills")));
    assertTrue(thrown.getMessage().contains("upgrade"), thrown.getMessage());
    ((List<?>) call(one(), "getFills")).clear();
    assertInstanceOf(ArrayList.class, call(one(), "getFills"));
    versions.store().snapshot(() -> assertEquals(List.of(), call(one(), "getFills")));
  }

  @Test
  void aFunctionMakesANewPropertyAndNewObjects() {
    storeTrade();
    open(
        "@Removed(\"price\") "
            + bean("class Trade", "String symbol", "int qty", "Money money")
            + bean("class Money", "long cents", "String currency"),
        PmStoreOptions.defaults()
            .migrations(
                Migration.of(
                    "shop.Trade",
                    "money",
                    (old, trade) -> {
                      Object money = versions.make("Money");
                      String price = old.get("price", String.class);
                      call(money, "setCents", new BigDecimal(price).movePointRight(2).longValue());
                      return money;
                    })));
    versions
        .store()
        .snapshot(
            () ->
                assertRefused(
                    PmStoreException.class,
                    () -> call(one(), "getMoney"),
                    "Trade.money",
                    "upgrade"));
    Object money = call(one(), "getMoney");
    assertEquals(1250L, call(money, "getCents"));
    assertSame(money, call(one(), "getMoney"));
    versions.reopen();
    assertEquals(1250L, call(call(one(), "getMoney"), "getCents"));
    verify();
  }

  @Test
  void aFunctionCanLeaveAloneWhatCannotBeReadAnyMore() {
    open(bean("class Trade", "Fee fee", "String price") + bean("class Fee", "int cents"));
    Object trade = versions.make("Trade");
    call(trade, "setFee", versions.make("Fee"));
    call(trade, "setPrice", "12.50");
    setOne(trade);
    String changed = "@Removed(\"fee\") " + bean("class Trade", "double price");
    open(
        changed,
        PmStoreOptions.defaults()
            .migrations(Migration.of("shop.Trade", "price", (old, t) -> old.get("fee"))));
    assertRefused(ClassRefusedException.class, () -> call(one(), "getPrice"), "fee", "shop.Fee");
    open(
        changed,
        PmStoreOptions.defaults()
            .migrations(
                Migration.of(
                    "shop.Trade",
                    "price",
                    (old, t) -> Double.valueOf(old.get("price", String.class)))));
    assertEquals(12.5, call(one(), "getPrice"));
  }

  @Test
  void aResultThatDoesNotFitIsRefusedAndNothingIsWritten() {
    storeTrade();
    open(
        bean("class Trade", "String symbol", "int qty", "long price"),
        PmStoreOptions.defaults()
            .migrations(Migration.of("shop.Trade", "price", (old, trade) -> old.get("price"))));
    assertRefused(
        PmStoreException.class,
        () -> call(one(), "getPrice"),
        "shop.Trade.price returned a java.lang.String",
        "long");
    assertRefused(PmStoreException.class, () -> call(one(), "setQty", 9));
    open(
        bean("class Trade", "String symbol", "int qty", "long price"),
        PmStoreOptions.defaults()
            .migrations(Migration.of("shop.Trade", "price", (old, trade) -> 1250)));
    assertEquals(1250L, call(one(), "getPrice"));
    assertEquals(7, call(one(), "getQty"));
  }

  /** A body that catches the exception must not commit half an object. */
  @Test
  void aFunctionThatFailsUndoesTheTransactionThatCatchesIt() {
    storeTrade();
    call(one(), "setPrice", "n/a");
    String trade = bean("class Trade", "String symbol", "int qty", "java.math.BigDecimal price");
    PmStoreOptions parsing = withFunction(text -> new BigDecimal(text));
    for (Executable use :
        List.<Executable>of(() -> call(one(), "getPrice"), () -> call(one(), "setQty", 9))) {
      open(trade, parsing);
      one();
      PmStore store = versions.store();
      assertThrows(
          RolledBackException.class,
          () ->
              store.transaction(
                  () -> {
                    assertThrows(RuntimeException.class, use);
                  }));
    }
    open(trade, withFunction(text -> BigDecimal.TEN));
    assertEquals(BigDecimal.TEN, call(one(), "getPrice"));
    assertEquals(7, call(one(), "getQty"));
  }

  private static PmStoreOptions withFunction(Function<String, BigDecimal> function) {
    return PmStoreOptions.defaults()
        .migrations(
            Migration.of(
                "shop.Trade",
                "price",
                (old, trade) -> function.apply(old.get("price", String.class))));
  }

  // ---- classes

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
  void arraysOfARenamedClassAreUpgraded() throws Exception {
    open(bean("class Trade", "int qty") + bean("class Desk", "Trade[] trades"));
    Object trades = Array.newInstance(versions.type("Trade"), 2);
    Array.set(trades, 0, versions.make("Trade"));
    Object desk = versions.make("Desk");
    call(desk, "setTrades", trades);
    setOne(desk);
    String order = "@FormerNames(\"shop.Trade\") " + bean("class Order", "int qty");
    String newDesk = bean("class Desk", "Order[] trades");
    for (int i = 0; i < 2; i++) {
      ClassLoader version = compile(ROOT + order + newDesk);
      versions.open(version, PmStoreOptions.defaults().classes(Versions.type(version, "Order")));
      assertEquals(2, Array.getLength(call(one(), "getTrades")));
      versions.store().upgrade().await();
      assertInstanceOf(versions.type("Order"), Array.get(call(one(), "getTrades"), 0));
      verify();
    }
  }

  @Test
  void aClassThatIsAKeyIsFoundWhenItIsRenamed() {
    String board = bean("class Board", "Map<Object, String> names = new HashMap<>()");
    open(bean("class Trade", "int qty") + "record Of(Class<?> type) {}" + board);
    Object before = versions.store().create(versions.type("Board"));
    put(call(before, "getNames"), versions.type("Trade"), "x");
    put(call(before, "getNames"), versions.make("Of", versions.type("Trade")), "y");
    put(call(before, "getNames"), String.class, "z");
    setOne(before);
    String order = "@FormerNames(\"shop.Trade\") " + bean("class Order", "int qty");
    ClassLoader version = compile(ROOT + order + "record Of(Class<?> type) {}" + board);
    versions.open(version, PmStoreOptions.defaults().classes(Versions.type(version, "Order")));
    Map<?, ?> names = (Map<?, ?>) call(one(), "getNames");
    assertEquals("x", names.get(versions.type("Order")));
    assertEquals("y", names.get(versions.make("Of", versions.type("Order"))));
    assertEquals("z", names.get(String.class));
    put(names, versions.type("Order"), "new");
    assertEquals(3, names.size());
    assertEquals("new", names.remove(versions.type("Order")));
    assertNull(names.get(versions.type("Order")));
    verify();
  }

  @Test
  void aClassIsRenamed() {
    storeTrade();
    String deal =
        "@FormerNames(\"shop.Trade\") "
            + bean("class Deal", "String symbol", "int qty", "String price");
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(deal);
          one();
        },
        "shop.Trade");
    ClassLoader version = compile(ROOT + deal);
    versions.open(version, PmStoreOptions.defaults().classes(Versions.type(version, "Deal")));
    assertInstanceOf(versions.type("Deal"), one());
    assertEquals(7, call(one(), "getQty"));
    open(deal.replace("@FormerNames(\"shop.Trade\") ", ""));
    assertEquals("12.50", call(one(), "getPrice"));
  }

  @Test
  void superclassesChange() {
    storeTrade();
    open(
        bean("abstract class Priced", "String price", "String currency = \"EUR\"")
            + bean("class Trade extends Priced", "String symbol", "int qty"));
    assertEquals("12.50", call(one(), "getPrice"));
    assertEquals("EUR", call(one(), "getCurrency"));
    call(one(), "setCurrency", "USD");
    open(bean("class Trade", "String symbol", "int qty", "String price", "String currency"));
    assertEquals("USD", call(one(), "getCurrency"));
  }

  /** The store is not damaged, so the message must not send for a backup only. */
  @Test
  void aReferenceThatNoLongerFitsIsNamedWithTheWayBack() {
    String holder = bean("class Holder", "Party party", "Payer payer");
    String types = "interface Party {}\n" + bean("class Payer");
    open(types + bean("class Bank extends Payer implements Party") + holder);
    Object stored = versions.make("Holder");
    Object bank = versions.make("Bank");
    call(stored, "setParty", bank);
    call(stored, "setPayer", bank);
    setOne(stored);
    open(types + bean("class Bank") + holder);
    for (String getter : List.of("getParty", "getPayer")) {
      assertRefused(
          PmStoreException.class,
          () -> call(one(), getter),
          "found a value of class shop.Bank, ",
          "has lost a superclass or an interface");
    }
    open(types + bean("class Bank extends Payer implements Party") + holder);
    assertSame(call(one(), "getParty"), call(one(), "getPayer"));
  }

  @Test
  void aNewerStoreIsRefusedByAnOlderProgram() {
    storeTrade();
    String old = bean("class Trade", "String symbol", "int qty", "String price");
    open(bean("class Trade", "String symbol", "int qty", "String price", "long filled"));
    call(one(), "setFilled", 5L);
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open(old);
          one();
        },
        "filled",
        "newer");
  }

  /** Neither has what the other had; the older program is still welcome afterwards. */
  @Test
  void aClassThatBecomesARecordIsRefusedBeforeAnythingIsWritten() {
    String fee = bean("class Fee", "int cents");
    open(fee + bean("class Trade", "Fee fee"));
    Object trade = versions.make("Trade");
    Object stored = versions.make("Fee");
    call(stored, "setCents", 5);
    call(trade, "setFee", stored);
    setOne(trade);
    all().add(stored);
    versions.close();
    String after = "record Fee(int cents) {}\n" + bean("class Trade", "Fee fee");
    ClassLoader version = compile(ROOT + after);
    assertFalse(
        PmStore.dryRun(directory.resolve("store"), Versions.type(version, "Trade")).isCompatible());
    versions.open(version);
    assertRefused(
        ClassRefusedException.class, this::one, "property fee is of type shop.Fee", "another name");
    assertRefused(
        ClassRefusedException.class, () -> all().get(0), "objects of shop.Fee", "is a record now");
    open(fee + bean("class Trade", "Fee fee"));
    assertEquals(5, call(call(one(), "getFee"), "getCents"));
    verify();
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
  void aConstructorThatFailsIsNamedWhereAnInitialValueIsNeeded() {
    storeTrade();
    String failing =
        bean(
                "class Trade",
                "String symbol",
                "int qty",
                "String price",
                "double rate",
                "List<String> notes = new ArrayList<>()")
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

  // ---- enums and records, also as keys

  @Test
  void anOlderProgramIsToldThatALaterOneHasChangedTheEnum() {
    String trade = bean("class Trade", "Side side");
    open("enum Side { BUY, SELL }\n" + trade);
    setOne(versions.make("Trade"));
    open("enum Side { @FormerNames(\"BUY\") BID, SELL, SHORT }\n" + trade);
    one();
    assertRefused(
        ClassRefusedException.class,
        () -> {
          open("enum Side { BUY, SELL }\n" + trade);
          one();
        },
        "enum shop.Side",
        "a later program has added or renamed");
  }

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

  @SuppressWarnings("unchecked")
  private static void put(Object map, Object key, Object value) {
    ((Map<Object, Object>) map).put(key, value);
  }

  @Test
  void recordsChangeAlsoAsKeys() throws Exception {
    open(
        "record Place(int x, String y) {}\n"
            + bean("class Board", "Map<Place, String> pieces = new HashMap<>()", "Place last"));
    Object board = versions.store().create(versions.type("Board"));
    for (int i = -20; i < 20; i++) {
      put(call(board, "getPieces"), versions.make("Place", i, "b"), "piece" + i);
    }
    call(board, "setLast", versions.make("Place", 3, "c"));
    setOne(board);
    open(
        "record Place(@FormerNames(\"y\") String row, long x, int level) {}\n"
            + bean("class Board", "Map<Place, String> pieces = new HashMap<>()", "Place last"));
    for (int round = 0; round < 2; round++) {
      assertEquals(versions.make("Place", "c", 3L, 0), call(one(), "getLast"));
      Map<?, ?> pieces = (Map<?, ?>) call(one(), "getPieces");
      for (int i = -20; i < 20; i++) {
        assertEquals("piece" + i, pieces.get(versions.make("Place", "b", (long) i, 0)));
        assertNull(pieces.get(versions.make("Place", "b", (long) i, 1)));
      }
      versions.store().upgrade().await();
      verify();
    }
  }

  @Test
  void recordsAsKeysAreFoundWhenAnIntegerBecomesADouble() {
    for (String[] types :
        new String[][] {{"int", "double"}, {"byte", "float"}, {"float", "double"}}) {
      String board = bean("class Board", "Map<Place, String> pieces = new HashMap<>()");
      open("record Place(%s x) {}%n".formatted(types[0]) + board);
      Object before = versions.store().create(versions.type("Board"));
      for (byte i = -3; i < 3; i++) {
        put(call(before, "getPieces"), versions.make("Place", boxed(types[0], i)), "piece" + i);
      }
      setOne(before);
      open("record Place(%s x) {}%n".formatted(types[1]) + board);
      Map<?, ?> pieces = (Map<?, ?>) call(one(), "getPieces");
      for (byte i = -3; i < 3; i++) {
        Object place = versions.make("Place", boxed(types[1], i));
        assertEquals("piece" + i, pieces.get(place), place.toString());
        put(pieces, place, "other");
      }
      assertEquals(6, pieces.size());
      versions.close();
      start(types[0] + types[1]);
    }
  }

  private static Object boxed(String type, byte number) {
    return switch (type) {
      case "byte" -> number;
      case "int" -> (int) number;
      case "float" -> (float) number;
      default -> (double) number;
    };
  }

  /** The hash codes of records follow from their components, which are not what they were. */
  @Test
  void recordsAsKeysAreFoundWhenTheirConstructorNormalises() {
    String board = bean("class Board", "Map<Place, String> pieces = new HashMap<>()");
    open("record Place(String x, Integer y) {}\n" + board);
    storePieces(i -> versions.make("Place", "A" + i, null));
    open("record Place(String x, Integer y) { Place { x = x.toLowerCase(); } }\n" + board);
    assertPieces(i -> versions.make("Place", "A" + i, null));
    open("record Place(String x, Integer y) { Place { if (y == null) { y = 8; } } }\n" + board);
    assertPieces(i -> versions.make("Place", "A" + i, 8));
  }

  @Test
  void recordsAsKeysAreFoundWhenTheyHaveLostComponentsOrAFunctionMakesOne() throws Exception {
    String board = bean("class Board", "Map<Spot, String> pieces = new HashMap<>()");
    open("record Place(int x, String y) {}\nrecord Spot(Place place) {}\n" + board);
    storePieces(i -> versions.make("Spot", versions.make("Place", i, "y")));
    open("@Removed(\"y\") record Place(int x) {}\nrecord Spot(Place place) {}\n" + board);
    for (int round = 0; round < 2; round++) {
      assertPieces(i -> versions.make("Spot", versions.make("Place", i)));
      versions.root(); // shows the store where the classes are
      versions.store().upgrade().await();
    }
    open(
        "record Place(String x) {}\nrecord Spot(Place place) {}\n" + board,
        PmStoreOptions.defaults()
            .migrations(
                Migration.of(
                    "shop.Place", "x", (old, place) -> "x" + old.get("x", Integer.class))));
    assertPieces(i -> versions.make("Spot", versions.make("Place", "x" + i)));
  }

  private void storePieces(IntFunction<Object> key) {
    Object board = versions.store().create(versions.type("Board"));
    for (int i = 0; i < 40; i++) {
      put(call(board, "getPieces"), key.apply(i), "piece" + i);
    }
    setOne(board);
  }

  private void assertPieces(IntFunction<Object> key) {
    Map<?, ?> pieces = (Map<?, ?>) call(one(), "getPieces");
    for (int i = 0; i < 40; i++) {
      assertEquals("piece" + i, pieces.get(key.apply(i)));
      put(pieces, key.apply(i), "piece" + i);
    }
    assertNull(pieces.get(key.apply(40)));
    assertEquals(40, pieces.size());
    verify();
  }

  // ---- identity, transactions, snapshots

  @Test
  void anObjectStaysTheSameWhenItIsUpgradedAndMoved() {
    open(bean("class Item", "int a") + bean("class Holder", "Set<Object> set = new HashSet<>()"));
    List<Object> items = new ArrayList<>();
    Object holder = versions.store().create(versions.type("Holder"));
    for (int i = 0; i < 50; i++) {
      Object item = versions.store().create(versions.type("Item"));
      call(item, "setA", i);
      items.add(item);
      put(holder, item);
      all().add(item);
    }
    setOne(holder);
    open(
        bean("class Item", "int a", "long b", "long c", "String d = \"d\"", "long e")
            + bean("class Holder", "Set<Object> set = new HashSet<>()"));
    List<Object> before = new ArrayList<>(all());
    for (Object item : before) {
      call(item, "setE", 5L);
    }
    assertEquals(before, List.copyOf(all()));
    for (int i = 0; i < 50; i++) {
      assertSame(before.get(i), all().get(i));
      assertEquals(i, call(before.get(i), "getA"));
      assertTrue(((java.util.Set<?>) call(one(), "getSet")).contains(before.get(i)));
    }
    versions.reopen();
    for (int i = 0; i < 50; i++) {
      assertEquals(i, call(all().get(i), "getA"));
      assertEquals(5L, call(all().get(i), "getE"));
      assertTrue(((java.util.Set<?>) call(one(), "getSet")).contains(all().get(i)));
    }
    verify();
  }

  @SuppressWarnings("unchecked")
  private List<Object> all() {
    return (List<Object>) call(versions.root(), "getAll");
  }

  @SuppressWarnings("unchecked")
  private static void put(Object holder, Object item) {
    ((java.util.Set<Object>) call(holder, "getSet")).add(item);
  }

  @Test
  void aRolledBackUpgradeLeavesTheOldObject() {
    storeTrade();
    open(bean("class Trade", "String symbol", "int qty", "String price", "long filled = 3"));
    PmStore store = versions.store();
    Object trade = one();
    assertRefused(
        IllegalStateException.class,
        () ->
            store.transaction(
                () -> {
                  call(trade, "setFilled", 9L);
                  assertEquals(9L, call(trade, "getFilled"));
                  assertEquals(7, call(trade, "getQty"));
                  throw new IllegalStateException("no");
                }),
        "no");
    assertEquals(3L, call(trade, "getFilled"));
    assertEquals(7, call(trade, "getQty"));
    call(trade, "setFilled", 4L);
    assertEquals(4L, call(trade, "getFilled"));
    assertEquals("12.50", call(trade, "getPrice"));
  }

  @Test
  void aSnapshotShowsTheOldObjectWhileOthersUpgradeIt() throws Exception {
    storeTrade();
    open(bean("class Trade", "String symbol", "int qty", "String price", "long filled = 3"));
    Object trade = one();
    versions
        .store()
        .snapshot(
            () -> {
              Thread writer =
                  new Thread(
                      () -> {
                        call(trade, "setQty", 8);
                        call(trade, "setFilled", 4L);
                        assertEquals(4L, call(trade, "getFilled"));
                      });
              writer.start();
              writer.join();
              assertEquals(7, call(trade, "getQty"));
              assertEquals(3L, call(trade, "getFilled"));
              assertEquals("SAP", call(trade, "getSymbol"));
            });
    assertEquals(8, call(trade, "getQty"));
    assertEquals(4L, call(trade, "getFilled"));
  }

  @Test
  void theWholeStoreIsUpgradedInTheBackground() throws Exception {
    open(bean("class Item", "int a"));
    versions
        .store()
        .transaction(
            () -> {
              for (int i = 0; i < 3000; i++) {
                Object item = versions.make("Item");
                call(item, "setA", i);
                all().add(item);
              }
            });
    open(bean("class Item", "long a", "long b = 4"));
    Upgrade lost = versions.store().upgrade(); // nothing says where the classes are
    assertRefused(PmStoreException.class, lost::await, "shop.", "was not found", "options");
    versions.root();
    Upgrade upgrade = versions.store().upgrade();
    upgrade.await();
    assertEquals(3000, upgrade.upgraded());
    assertEquals(1, upgrade.progress());
    assertTrue(versions.store().upgrade().await(java.time.Duration.ofMinutes(1)));
    for (int i = 0; i < 3000; i++) {
      assertEquals((long) i, call(all().get(i), "getA"));
      assertEquals(4L, call(all().get(i), "getB"));
    }
    verify();
  }

  private void verify() {
    versions.close();
    assertTrue(PmStore.verify(directory.resolve("store")).faults().isEmpty());
    versions.reopen();
  }

  private static void assertRefused(
      Class<? extends Exception> type, Executable action, String... parts) {
    String message = String.valueOf(assertThrows(type, action).getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), () -> part + " is not in: " + message);
    }
  }
}
