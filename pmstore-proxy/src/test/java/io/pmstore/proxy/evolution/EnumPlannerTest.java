package io.pmstore.proxy.evolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.FormerNames;
import io.pmstore.Removed;
import io.pmstore.core.catalogue.EnumType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers of the constants of an enum that has changed. */
class EnumPlannerTest {
  private final Versions versions = new Versions();

  enum Side {
    SELL,
    HOLD,
    BUY
  }

  @Removed("HOLD")
  enum Short {
    SELL,
    @FormerNames("BUY")
    PURCHASE
  }

  @FormerNames("com.acme.Direction")
  enum Renamed {
    BUY
  }

  enum Exchanged {
    @FormerNames("SELL")
    BUY,
    @FormerNames("BUY")
    SELL
  }

  private static void assertRefused(Plan<EnumType> plan, String phrase) {
    assertEquals(Verdict.REFUSED, plan.change().verdict());
    String message = assertThrows(ClassRefusedException.class, plan::require).getMessage();
    assertTrue(message.contains(phrase), message);
  }

  @Test
  void constantsAreNumberedInTheirOrderAtFirst() {
    EnumType planned = versions.planEnum(Side.class).require();
    assertEquals(new EnumType(0, Side.class.getName(), List.of("SELL", "HOLD", "BUY")), planned);
  }

  @Test
  void anotherOrderChangesNothing() {
    EnumType stored = versions.storeEnum(Side.class.getName(), "BUY", "SELL", "HOLD");
    assertSame(stored, versions.planEnum(Side.class).require());
  }

  @Test
  void newConstantsGetTheNextNumbers() {
    EnumType stored = versions.storeEnum(Side.class.getName(), "BUY", "SELL");
    EnumType planned = versions.planEnum(Side.class).require();
    assertEquals(List.of("BUY", "SELL", "HOLD"), planned.constants());
    assertEquals(stored.id(), planned.predecessor());
  }

  @Test
  void aRenamedConstantKeepsItsNumberAndARemovedOneItsName() {
    versions.storeEnum(Short.class.getName(), "BUY", "HOLD", "SELL");
    Plan<EnumType> plan = versions.planEnum(Short.class);
    assertEquals(List.of("PURCHASE", "HOLD", "SELL"), plan.require().constants());
    assertEquals(
        List.of("KEPT SELL > SELL", "REMOVED HOLD > ", "RENAMED BUY > PURCHASE"),
        Versions.words(plan));
  }

  @Test
  void aRemovalHasToBeConfirmed() {
    versions.storeEnum(Side.class.getName(), "BUY", "SELL", "HOLD", "CROSS");
    assertRefused(versions.planEnum(Side.class), "annotate the enum with @Removed(\"CROSS\")");
  }

  @Test
  void aFormerNameBesideTheNewOneIsAmbiguous() {
    versions.storeEnum(Short.class.getName(), "BUY", "PURCHASE", "SELL");
    assertRefused(
        versions.planEnum(Short.class),
        "constant PURCHASE is ambiguous: the store has both PURCHASE and BUY");
  }

  @Test
  void anExchangeOfNamesIsAmbiguous() {
    String message =
        "constant BUY is ambiguous: @FormerNames gives it the name of another one, and the other"
            + " way round";
    assertRefused(versions.planEnum(Exchanged.class), message);
    EnumType first = versions.storeEnum(Exchanged.class.getName(), "BUY", "SELL");
    assertRefused(versions.planEnum(Exchanged.class), message);
    versions.catalogue.add(new EnumType(0, first.className(), List.of("B", "S"), first.id()));
    assertRefused(versions.planEnum(Exchanged.class), message);
  }

  @Test
  void theConstantsOfALaterProgramAreRefused() {
    EnumType first = versions.storeEnum(Side.class.getName(), "BUY", "SELL", "HOLD");
    versions.catalogue.add(
        new EnumType(0, first.className(), List.of("BUY", "SELL", "WAIT", "CROSS"), first.id()));
    assertRefused(
        versions.planEnum(Side.class),
        "a later program has added or renamed, WAIT and CROSS: use that program");
  }

  @Test
  void anEnumIsRenamed() {
    EnumType stored = versions.storeEnum("com.acme.Direction", "BUY");
    Plan<EnumType> plan = versions.planEnum(Renamed.class);
    assertEquals(
        new EnumType(0, Renamed.class.getName(), List.of("BUY"), stored.id()), plan.require());
    assertEquals("com.acme.Direction", plan.change().storedName());
  }

  @Test
  void anEnumIsNoClass() {
    versions.catalogue.define(
        io.pmstore.core.catalogue.Shape.layOut(Side.class.getName(), "", List.of()));
    assertRefused(versions.planEnum(Side.class), "the store has it as a class");
  }
}
