package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.ClassRefusedException;
import io.pmstore.PmStoreOptions;
import org.junit.jupiter.api.Test;

/** What a program meets in a store that a later one has used. */
final class OlderProgramsTest extends EvolutionCase {
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
