package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.ClassRefusedException;
import io.pmstore.PmStoreOptions;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** What a program meets in a store that a later one has used. */
final class OlderProgramsTest extends EvolutionCase {
  private static final String WITHOUT =
      "@Removed({\"points\", \"fax\"}) " + bean("class Trade", "int qty");

  /** The older program's annotation is of the first removal, so it must not do another one. */
  @Test
  void aPropertyThatReturnedIsNotRemovedByTheProgramThatRemovedItFirst() {
    open(bean("class Trade", "int qty", "long points", "String fax"));
    setOne(versions.make("Trade"));
    open(WITHOUT);
    call(one(), "setQty", 3);
    String again = bean("class Trade", "int qty", "java.math.BigDecimal points");
    open(again);
    call(one(), "setPoints", new BigDecimal("2.5"));
    open(WITHOUT);
    assertRefused(
        ClassRefusedException.class,
        this::one,
        "property points was removed before, and a later program has added it again",
        "@FormerNames(\"points\")");
    open(again);
    assertEquals(new BigDecimal("2.5"), call(one(), "getPoints"));
    open(bean("class Trade", "int qty", "@FormerNames(\"points\") java.math.BigDecimal old"));
    assertEquals(new BigDecimal("2.5"), call(one(), "getOld"));
    open("@Removed({\"points\", \"old\"}) " + bean("class Trade", "int qty"));
    assertEquals(3, call(one(), "getQty"));
    verify();
  }

  /** No earlier program can have the annotation, so it is of this removal. */
  @Test
  void aPropertyThatIsRemovedForTheFirstTimeGoesThoughTheClassIsAsBefore() {
    open(bean("class Trade", "int qty"));
    setOne(versions.make("Trade"));
    open(bean("class Trade", "int qty", "long points"));
    call(one(), "setQty", 3);
    open(WITHOUT);
    assertEquals(3, call(one(), "getQty"));
  }

  @Test
  void aProgramFromBeforeARenameIsToldSo() {
    open(bean("class Trade", "int qty"));
    setOne(versions.make("Trade"));
    ClassLoader later =
        compile(ROOT + "@FormerNames(\"shop.Trade\") " + bean("class Deal", "int qty"));
    versions.open(later, PmStoreOptions.defaults().classes(Versions.type(later, "Deal")));
    one();
    open(bean("class Trade", "int qty"));
    assertRefused(
        ClassRefusedException.class,
        this::one,
        "objects of class shop.Deal",
        "a later program has renamed shop.Trade to that");
  }

  @Test
  void aNewerStoreIsRefusedByAnOlderProgram() {
    storeTrade();
    String old = tradeWith();
    open(tradeWith("long filled"));
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
}
