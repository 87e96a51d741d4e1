package io.pmstore.proxy.evolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import io.pmstore.Removed;
import io.pmstore.core.catalogue.Origin;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.Upgraded;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which changes of a class are accepted, and which are refused, with the messages. */
class ShapePlannerTest {
  private static final Property FAX = new Property("fax", SlotKind.CELL, "java.lang.String");
  private static final Property NAME = new Property("name", SlotKind.CELL, "java.lang.String");
  private static final Property AGE = new Property("age", SlotKind.INT, "int");

  private final Versions versions = new Versions();

  private void assertPlan(Plan<?> plan, Verdict verdict, String... words) {
    assertEquals(List.of(words), Versions.words(plan));
    assertEquals(verdict, plan.change().verdict(), plan.change()::toString);
  }

  private static void assertRefused(Plan<?> plan, Verdict verdict, String... phrases) {
    assertEquals(verdict, plan.change().verdict(), plan.change()::toString);
    String message = assertThrows(ClassRefusedException.class, plan::require).getMessage();
    for (String phrase : phrases) {
      assertTrue(message.contains(phrase), message);
    }
    assertTrue(message.contains("in the store") && message.contains("| in the class"), message);
  }

  @Persistent
  static class Person {
    private String name = "";
    private int age;
  }

  @Persistent
  @Removed("fax")
  static class Customer extends Person {}

  @Persistent
  static class Renamed {
    @FormerNames({"age", "years"})
    private int ageInYears;

    private String fullName = "";

    @FormerNames("name")
    public String getFullName() {
      return fullName + "";
    }
  }

  @Test
  void aNewClassIsAdded() {
    Plan<Shape> plan = versions.plan(Person.class);
    assertPlan(plan, Verdict.NEW, "ADDED  > String name", "ADDED  > int age");
    assertEquals(0, plan.require().predecessor());
  }

  @Test
  void aClassThatIsThereStays() {
    Shape stored = versions.store(Person.class, NAME, AGE);
    Plan<Shape> plan = versions.plan(Person.class);
    assertPlan(plan, Verdict.UNCHANGED, "KEPT String name > String name", "KEPT int age > int age");
    assertSame(stored, plan.require());
  }

  @Test
  void aPropertyIsAdded() {
    Shape stored = versions.store(Person.class, NAME);
    Plan<Shape> plan = versions.plan(Person.class);
    assertPlan(plan, Verdict.CHANGED, "ADDED  > int age", "KEPT String name > String name");
    assertEquals(stored.id(), plan.require().predecessor());
    assertEquals(List.of(Origin.stored(0), Origin.INITIAL), plan.require().origins());
    assertEquals(1, versions.catalogue.entries().size(), "planning adds nothing");
  }

  @Test
  void aRemovalHasToBeConfirmed() {
    versions.store(Person.class, NAME, AGE, FAX);
    assertRefused(
        versions.plan(Person.class),
        Verdict.REFUSED,
        "class " + Person.class.getName() + " does not fit what this store has of it",
        "property fax of the store is not in the class",
        "annotate the class with @Removed(\"fax\") if its values may go",
        "! java.lang.String fax  |");
    versions.store(Customer.class, NAME, AGE, FAX);
    assertPlan(
        versions.plan(Customer.class),
        Verdict.CHANGED,
        "KEPT String name > String name",
        "KEPT int age > int age",
        "REMOVED String fax > ");
  }

  @Persistent
  static class Child extends Customer {}

  @Test
  void aSuperclassCanConfirmARemoval() {
    versions.store(Child.class, NAME, AGE, FAX);
    assertEquals(Verdict.CHANGED, versions.plan(Child.class).change().verdict());
  }

  @Test
  void aRemovedAndAnAddedPropertyOfOneTypeSuggestARename() {
    versions.store(Person.class, FAX, AGE);
    assertRefused(
        versions.plan(Person.class),
        Verdict.REFUSED,
        "if it is called name now, annotate that with @FormerNames(\"fax\")",
        "+                      | java.lang.String name");
  }

  @Test
  void propertiesAreRenamedByFieldOrGetter() {
    versions.store(Renamed.class, NAME, AGE);
    Plan<Shape> plan = versions.plan(Renamed.class);
    assertPlan(
        plan,
        Verdict.CHANGED,
        "RENAMED String name > String fullName",
        "RENAMED int age > int ageInYears");
    assertEquals(List.of(Origin.stored(0), Origin.stored(1)), plan.require().origins());
  }

  @Test
  void aFormerNameBesideTheNewOneIsAmbiguous() {
    Property now = new Property("ageInYears", SlotKind.INT, "int");
    versions.store(Renamed.class, NAME, AGE, now);
    assertRefused(
        versions.plan(Renamed.class),
        Verdict.REFUSED,
        "ageInYears is ambiguous: the store has both ageInYears and age");
  }

  @Test
  void twoFormerNamesInTheStoreAreAmbiguous() {
    versions.store(Renamed.class, NAME, AGE, new Property("years", SlotKind.INT, "int"));
    assertRefused(
        versions.plan(Renamed.class),
        Verdict.REFUSED,
        "ageInYears is ambiguous: the store has age and years");
  }

  @Persistent
  static class TwoClaims {
    @FormerNames("age")
    private int one;

    @FormerNames("age")
    private int two;
  }

  @Test
  void twoClaimsOfOnePropertyAreAmbiguous() {
    versions.store(TwoClaims.class, AGE);
    assertRefused(
        versions.plan(TwoClaims.class),
        Verdict.REFUSED,
        "two is ambiguous: both it and one claim age of the store");
  }

  @Persistent
  static class StillThere extends Person {
    @FormerNames("age")
    private int years;
  }

  @Test
  void aClaimOfAPropertyThatIsStillThereIsAmbiguous() {
    versions.store(StillThere.class, NAME, AGE);
    assertRefused(
        versions.plan(StillThere.class),
        Verdict.REFUSED,
        "years is ambiguous: @FormerNames says that it was age, which is still there as well");
  }

  @Persistent
  static class Exchanged {
    @FormerNames("years")
    private int age;

    @FormerNames("months")
    private int years;

    @FormerNames("age")
    private int months;
  }

  /** Else the values would stay where they are, without a word, or the second start be refused. */
  @Test
  void anExchangeOfNamesIsAmbiguous() {
    assertRefused(versions.plan(Exchanged.class), Verdict.REFUSED, "property months is ambiguous");
    Property years = new Property("years", SlotKind.INT, "int");
    Property months = new Property("months", SlotKind.INT, "int");
    versions.store(Exchanged.class, AGE, years, months);
    assertRefused(
        versions.plan(Exchanged.class),
        Verdict.REFUSED,
        "property age is ambiguous: @FormerNames gives it the name of another one",
        "give them names that no store has");
  }

  @Persistent
  static class NameTaken {
    @FormerNames("age")
    private int years;

    private int age; // new since age became years
  }

  @Test
  void aFormerNameMayBeTakenByAnotherOne() {
    Property years = new Property("years", SlotKind.INT, "int");
    versions.store(NameTaken.class, years);
    assertPlan(
        versions.plan(NameTaken.class),
        Verdict.CHANGED,
        "ADDED  > int age",
        "KEPT int years > int years");
    Versions later = new Versions();
    later.store(NameTaken.class, AGE, years);
    assertEquals(Verdict.UNCHANGED, later.plan(NameTaken.class).change().verdict());
  }

  record Point(@FormerNames("x") long left, int y) {}

  @Test
  void aRecordEvolvesAsAClassDoes() {
    versions.store(
        Point.class,
        new Property("x", SlotKind.INT, "int"),
        new Property("y", SlotKind.INT, "int"));
    assertPlan(
        versions.plan(Point.class),
        Verdict.CHANGED,
        "CONVERTED int x > long left",
        "KEPT int y > int y");
  }

  @Test
  void aFunctionMakesWhatIsNewOrCannotBeConverted() {
    versions.store(Person.class, new Property("age", SlotKind.CELL, "java.lang.String"));
    assertRefused(
        versions.plan(Person.class),
        Verdict.NEEDS_MIGRATION,
        "property age was of type java.lang.String in the store",
        "give a migration function for \"age\" in the options");
    versions.functions = (type, names, property) -> names.contains(Person.class.getName());
    Plan<Shape> plan = versions.plan(Person.class);
    assertPlan(plan, Verdict.CHANGED, "MIGRATED  > String name", "MIGRATED String age > int age");
    assertEquals(List.of(Origin.FUNCTION, Origin.FUNCTION), plan.require().origins());
  }

  @Test
  void laterProgramsNeedTheFunctionUntilTheStoreIsUpgraded() {
    versions.store(Person.class, NAME, new Property("age", SlotKind.CELL, "java.lang.String"));
    versions.functions = (type, names, property) -> property.equals("age");
    Shape second = (Shape) versions.catalogue.add(versions.plan(Person.class).require());
    assertEquals(Verdict.UNCHANGED, versions.plan(Person.class).change().verdict());
    versions.functions = new Migrations(List.of());
    assertRefused(
        versions.plan(Person.class),
        Verdict.NEEDS_MIGRATION,
        "give the function for \"age\" in the options, or run store.upgrade() once with the program"
            + " that had it");
    versions.catalogue.add(new Upgraded(0, Person.class.getName(), second.id()));
    assertEquals(second, versions.plan(Person.class).require());
  }

  @Test
  void aClassOfYesterdayIsToldSo() {
    Shape first = versions.store(Person.class, NAME, AGE);
    Shape newer =
        Shape.layOut(Person.class.getName(), "", List.of(NAME, AGE, FAX))
            .after(first.id(), List.of(Origin.stored(0), Origin.stored(1), Origin.INITIAL));
    versions.catalogue.add(newer);
    Plan<Shape> plan = versions.plan(Person.class);
    assertRefused(
        plan, Verdict.REFUSED, "the store has a newer shape of the class than this program");
    assertFalse(plan.change().message().contains("@Removed"), "which would lose the fax");
  }

  @Persistent
  @FormerNames("com.acme.Human")
  static class Human {
    private int age;
  }

  @Test
  void aClassIsRenamed() {
    versions.store(Human.class, "com.acme.Human");
    Plan<Shape> plan = versions.plan(Human.class);
    assertPlan(plan, Verdict.CHANGED, "KEPT int age > int age");
    assertEquals("com.acme.Human", plan.change().storedName());
    assertEquals(1, plan.require().predecessor());
    assertEquals(Human.class.getName(), plan.require().className());
  }

  @Persistent
  @FormerNames("java.lang.Thread")
  static class WasThread {
    private int age;
  }

  @Test
  void aRenamedClassWhoseOldOneIsStillThereIsAmbiguous() {
    versions.store(WasThread.class, "java.lang.Thread");
    assertRefused(
        versions.plan(WasThread.class),
        Verdict.REFUSED,
        "the rename is ambiguous: its @FormerNames says that it was java.lang.Thread, but there"
            + " still is a class of that name");
  }

  @Test
  void twoStoredClassesAreNotMerged() {
    versions.store(Human.class, "com.acme.Human");
    versions.store(Human.class, Human.class.getName());
    assertRefused(
        versions.plan(Human.class),
        Verdict.REFUSED,
        "the store has objects of " + Human.class.getName() + " and of com.acme.Human");
  }

  @Test
  void aClassThatWasRenamedSinceIsRefusedUnderItsOldName() {
    Shape first = versions.store(Person.class, NAME, AGE);
    versions.catalogue.add(
        new Shape(
            0,
            "com.acme.Citizen",
            "",
            first.properties(),
            first.size(),
            first.id(),
            List.of(Origin.stored(0), Origin.stored(1))));
    assertRefused(
        versions.plan(Person.class),
        Verdict.REFUSED,
        "has renamed it to com.acme.Citizen",
        "@FormerNames(\"com.acme.Citizen\")");
  }

  @Test
  void aClassIsNoEnum() {
    versions.storeEnum(Person.class.getName(), "A");
    assertEquals(Verdict.REFUSED, versions.plan(Person.class).change().verdict());
    assertFalse(versions.plan(Person.class).change().message().isEmpty());
  }

  @Persistent
  static class Tag {
    private String name = "";
  }

  @Persistent
  static class Label extends Tag {
    private String name = "";
  }

  @Persistent
  static class Labelled extends Tag {
    @FormerNames("name")
    private String name = "";
  }

  @Test
  void aPropertyThatNowHasANamesakeAboveIsRefusedUntilItIsSaidWhichOneItWas() {
    versions.store(Label.class, NAME);
    Plan<Shape> plan = versions.plan(Label.class);
    assertRefused(plan, Verdict.REFUSED, "name", Label.class.getName() + ".name");
    versions.store(Labelled.class, NAME);
    assertPlan(
        versions.plan(Labelled.class),
        Verdict.CHANGED,
        "ADDED  > String name",
        "RENAMED String name > String name");
  }

  @Persistent
  static class Sticker {
    private String name = "";
  }

  @Persistent
  @FormerNames("example.OldLabel")
  static class RenamedLabel extends Sticker {
    private String name = "";
  }

  @Test
  void aPropertyThatIsNamedWithItsClassIsRenamedWithIt() {
    versions.catalogue.define(
        Shape.layOut(
            "example.OldLabel",
            "",
            List.of(
                new Property("example.OldLabel.name", SlotKind.CELL, "java.lang.String"),
                new Property(
                    Sticker.class.getName() + ".name", SlotKind.CELL, "java.lang.String"))));
    assertPlan(
        versions.plan(RenamedLabel.class),
        Verdict.CHANGED,
        "KEPT String name > String name",
        "RENAMED String name > String name");
  }
}
