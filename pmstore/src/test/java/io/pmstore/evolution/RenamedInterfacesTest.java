package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static io.pmstore.evolution.Versions.compile;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.EvolutionReport;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.PmStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of properties whose type is an interface of the program that gets another name. */
final class RenamedInterfacesTest extends EvolutionCase {
  private static final String BEFORE =
      """
      sealed interface Payment {
        record Card(int number) implements Payment {}
        record Cash(int cents) implements Payment {}
      }
      """
          + bean("class Trade", "Payment payment", "Payment other");
  private static final String AFTER =
      """
      @FormerNames("shop.Payment") sealed interface Settlement {
        @FormerNames("shop.Payment$Card") record Card(int number) implements Settlement {}
        @FormerNames("shop.Payment$Cash") record Coins(int cents) implements Settlement {}
      }
      """
          + bean("class Trade", "Settlement payment", "Settlement other");

  @Test
  void aSealedInterfaceAndItsRecordsAreRenamed() throws Exception {
    open(BEFORE);
    Object trade = versions.make("Trade");
    call(trade, "setPayment", versions.make("Payment$Card", 7));
    call(trade, "setOther", versions.make("Payment$Cash", 8));
    setOne(trade);
    versions.close();
    ClassLoader version = compile(ROOT + AFTER);
    EvolutionReport report =
        PmStore.dryRun(
            directory.resolve("store"),
            Versions.type(version, "Root"),
            Versions.type(version, "Trade"));
    report.assertCompatible();
    assertEquals(List.of(), report.unseen());
    assertEquals(
        List.of("shop.Root", "shop.Settlement$Card", "shop.Settlement$Coins", "shop.Trade"),
        report.classes().stream().map(ClassChange::className).toList());
    versions.open(version);
    for (int round = 0; round < 2; round++) {
      assertEquals(versions.make("Settlement$Card", 7), call(one(), "getPayment"));
      assertEquals(versions.make("Settlement$Coins", 8), call(one(), "getOther"));
      versions.store().upgrade().await();
      verify();
    }
    open(AFTER.replaceAll("@FormerNames\\(\\S+\\) ", ""));
    assertEquals(versions.make("Settlement$Card", 7), call(one(), "getPayment"));
  }
}
