package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.ClassRefusedException;
import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.RolledBackException;
import io.pmstore.Upgrade;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What functions make of old objects. */
final class MigrationFunctionsTest extends EvolutionCase {
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
}
