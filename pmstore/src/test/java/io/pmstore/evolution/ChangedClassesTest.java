package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of objects whose class has another name, another superclass, or another kind. */
final class ChangedClassesTest extends EvolutionCase {
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
  void superclassesChange() {
    storeTrade();
    open(
        bean("abstract class Priced", "String price", "String currency = \"EUR\"")
            + bean("class Trade extends Priced", "String symbol", "int qty"));
    assertEquals("12.50", call(one(), "getPrice"));
    assertEquals("EUR", call(one(), "getCurrency"));
    call(one(), "setCurrency", "USD");
    open(tradeWith("String currency"));
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
  void aClassThatBecomesARecordOrBackIsRefusedAlsoIfOnlyCollectionsLeadToIt() {
    String asClass = bean("class Fee", "int cents");
    String asRecord = "record Fee(int cents) {}\n";
    for (boolean wasRecord : new boolean[] {false, true}) {
      start("wasRecord-" + wasRecord);
      open(wasRecord ? asRecord : asClass);
      all().add(wasRecord ? versions.make("Fee", 5) : versions.make("Fee"));
      versions.close();
      ClassLoader version = compile(ROOT + (wasRecord ? asClass : asRecord));
      EvolutionReport report = PmStore.dryRun(versions.directory(), Versions.type(version, "Fee"));
      assertFalse(report.isCompatible(), report::toString);
      String found =
          wasRecord
              ? "is a record in the store, and a class"
              : "is a class in the store, and a record";
      assertTrue(report.toString().contains(found), report::toString);
      versions.open(version);
      assertRefused(
          ClassRefusedException.class,
          () -> all().add(wasRecord ? versions.make("Fee") : versions.make("Fee", 6)),
          found,
          "another name");
      assertRefused(ClassRefusedException.class, () -> all().get(0), "shop.Fee");
      open(wasRecord ? asRecord : asClass);
      assertEquals(1, all().size());
      assertInstanceOf(versions.type("Fee"), all().get(0));
      versions.close();
    }
  }

  /** Only one class names the root: the other inherits the annotation. */
  @Test
  void aRootIsAlsoFoundByTheSuperclassThatNamesIt() {
    String shop = "@Persistent(root = \"shop\") class Shop { private int a; }\n";
    versions.open(compile(shop + "class BigShop extends Shop {}"));
    Object root = versions.store().root(versions.type("BigShop"));
    assertSame(root, versions.store().root(versions.type("Shop")));
    assertSame(root, versions.store().root(versions.type("BigShop")));
  }

  @Test
  void aRootOfTheSuperclassIsNotClaimedByASubclass() {
    String shop = "@Persistent(root = \"shop\") class Shop { private int a; }\n";
    versions.open(compile(shop + "class BigShop extends Shop {}"));
    versions.store().root(versions.type("Shop"));
    assertRefused(
        PmStoreException.class,
        () -> versions.store().root(versions.type("BigShop")),
        "root \"shop\" is an object of class shop.Shop, not of shop.BigShop");
  }

  @Test
  void aFormerNameOfASuperclassIsNotThatOfItsSubclass() {
    storeTrade();
    String deal =
        "@FormerNames(\"shop.Trade\") "
            + bean("class Deal", "String symbol", "int qty", "String price");
    ClassLoader version = compile(ROOT + deal);
    versions.open(version, PmStoreOptions.defaults().classes(Versions.type(version, "Deal")));
    assertEquals(7, call(one(), "getQty"));
    open(deal + "@FormerNames(\"shop.Trade\") " + bean("class Swap extends Deal"));
    Object swap = versions.make("Swap");
    assertRefused(
        ClassRefusedException.class,
        () -> setOne(swap),
        "objects of that are of class shop.Deal",
        "remove the name from @FormerNames");
  }
}
