package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The suites of pmstore-proxy, and one of pmstore, over enhanced classes: the agent of this JVM
 * enhances their classes.
 */
class EnhancedSuitesTest {
  private static final List<String> SUITES =
      List.of(
          "layer.PropertyKindsTest",
          "layer.TypesOfPropertiesTest",
          "layer.PropertyNamesTest",
          "layer.CollectionPropertiesTest",
          "layer.SortedPropertiesTest",
          "layer.ShapesTest",
          "layer.RandomMethodsTest",
          "layer.MethodTransactionsTest",
          "layer.ObjectMethodsTest",
          "layer.CreateTest",
          "layer.CloneTest",
          "layer.RootsTest",
          "layer.PlainCopyTest",
          "layer.CopyOfRecordsTest",
          "layer.CollectionsInKeysTest",
          "layer.StrayKeysTest",
          "layer.HeldObjectsTest",
          "layer.ReclaimedSpaceTest",
          "layer.RandomReclamationTest",
          "layer.ProxyLayerTest",
          "convert.ConversionTest",
          "convert.CopyingRecordsTest",
          "convert.RefusedAssignmentTest",
          "convert.RefusedOperationTest",
          "convert.KeysWithCollectionsTest",
          "convert.LateChangesTest",
          "convert.ArraysInMethodsTest",
          "convert.ChangesInRecordsTest",
          "convert.InsertionOrderTest",
          "convert.SelfReferenceTest",
          "facade.FacadePropertiesTest",
          "facade.ShownElementsTest",
          "slot.EmbeddedValuesTest",
          "identity.StoreObjectsTest",
          "upgrade.UpgradeOfFreedObjectsTest",
          "value.SerializedValuesTest");

  private static final String SAME = "an object and its twin are one";
  private static final String PLAIN_AGAIN = "a roll-back makes the object plain again";
  private static final String REFUSED = "the change to the plain collection is refused";
  private static final String SEEN = "elements that other code stores are seen";
  private static final String STORED = "each element is stored as a transaction of its own";
  private static final String GENERATED = "is about a generated class";

  /** Tests of what is otherwise for enhanced classes, and why. */
  private static final Map<String, String> OTHERWISE =
      Map.ofEntries(
          Map.entry(
              "OwnTransactionsTest.changesOfElementsOutsideOfEveryTransactionAreRefused", STORED),
          Map.entry(
              "OwnTransactionsTest.changesByOtherCodeOutsideOfEveryTransactionAreRefused", STORED),
          Map.entry(
              "OwnTransactionsTest.changesByOtherCodeAfterTheTransactionOfTheMethodAreRefused",
              STORED),
          Map.entry("OwnTransactionsTest.theFirstOfManyChangesIsRefused", STORED),
          Map.entry(
              "OwnTransactionsTest.changesInASnapshotAreRefused",
              "the store of the element is refused, before the method ends"),
          Map.entry(
              "RefusedAssignmentTest.aLateChangeThatCannotBeUndoneRollsBack",
              "a change of a collection is stored at once, so the refusal undoes none"),
          Map.entry("ShapesTest.copiesOfSuperclassesAreShared", GENERATED),
          Map.entry("ShapesTest.stackTracesOfCopiedCodeLeadToTheLine", GENERATED),
          Map.entry("RootsTest.aClassWithoutARootNameIsRefusedByClass", GENERATED),
          Map.entry(
              "CollectionsInKeysTest.aListThatGrowsAfterItsKeyWasPutLeadsToNoOtherKey", REFUSED),
          Map.entry("CopyingRecordsTest.aRecordThatChangedInBothIsRefused", SAME),
          Map.entry("ProxyLayerTest.aPlainObjectHasOneTwin", SAME),
          Map.entry("ProxyLayerTest.aCopyIsPlainAndLeavesTheOriginal", GENERATED),
          Map.entry("ProxyLayerTest.aRollBackRestoresPropertiesAndForgetsObjects", PLAIN_AGAIN),
          Map.entry("ConversionTest.anOriginalThatWasChangedSinceIsRefused", SAME),
          Map.entry("ConversionTest.aPlainObjectArrivesWithAllItHolds", SAME),
          Map.entry("ConversionTest.aRollBackForgetsTwins", PLAIN_AGAIN),
          Map.entry(
              "ConversionTest.aPlainObjectThatTwoTransactionsConvertAtATimeHasOneTwin",
              "the thread waits for the end of the transaction, which waits for the thread"),
          Map.entry("LateChangesTest.whatWasChangedInBothIsRefusedAndNothingIsStored", SAME),
          Map.entry(
              "ChangesInRecordsTest.aChangeAfterTheTransactionIsRefusedWhenTheObjectIsAssignedAgain",
              SAME),
          Map.entry("ChangesInRecordsTest.aRecordThatRefersToAnEqualButOtherObjectIsAChange", SAME),
          Map.entry("CollectionPropertiesTest.aChangedCollectionOfAPlainObjectIsFoundToo", SAME),
          Map.entry(
              "CollectionPropertiesTest.anOriginalAssignedAgainGivesTheSameTwinAndAChangedOneIsRefused",
              REFUSED),
          Map.entry("SortedPropertiesTest.anOriginalGivesTheSameTwinUntilItIsChanged", REFUSED),
          Map.entry("FacadePropertiesTest.anArrayHasThemAsElements", REFUSED),
          Map.entry("EmbeddedValuesTest.persistMakesTheTwinThatAssignmentsGive", SAME),
          Map.entry(
              "EmbeddedValuesTest.anArrayThatWasChangedSinceItsOwnersConversionIsNoticed", SAME),
          Map.entry(
              "TypesOfPropertiesTest.aClassThatExtendsACollectionIsRefusedUnlessItIsEnhanced",
              "it is enhanced, and works"),
          Map.entry("ArraysInMethodsTest.aGetterOutsideOfItsClassReturnsACopy", SEEN),
          Map.entry(
              "ArraysInMethodsTest.anArrayThatIsChangedAfterItWasSetIsStoredAsTheTransactionLeavesIt",
              SEEN),
          Map.entry(
              "ArraysInMethodsTest.whatAMethodHandsOutIsRefusedAfterItsEndInsteadOfLosingChanges",
              "what it hands out writes through"),
          Map.entry(
              "StrayKeysTest.anObjectThatHashesToSomethingElseEachTimeIsRefused",
              "the array stays the same while its transaction runs"),
          Map.entry(
              "StrayKeysTest.theHashCodeOfAnObjectWithoutOneOfItsOwnStays",
              "the hash code is that of the Java object, which is one before and after"));

  @Test
  void theSuitesOfGeneratedClassesHold() throws Exception {
    SuiteRun run = new SuiteRun(OTHERWISE.keySet());
    run.add("io.pmstore.classes.OwnTransactionsTest");
    for (String suite : SUITES) {
      run.add("io.pmstore.proxy." + suite);
    }
    int passed = run.execute();
    assertTrue(passed > 300, passed + " tests passed");
    assertTrue(
        io.pmstore.spi.EnhancedObject.class.isAssignableFrom(
            Class.forName("io.pmstore.proxy.fixture.Order")),
        "the classes are enhanced");
  }
}
