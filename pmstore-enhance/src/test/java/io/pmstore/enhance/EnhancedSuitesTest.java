package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The suites of pmstore-proxy over enhanced classes: the agent of this JVM enhances their classes.
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
          "layer.StrayKeysTest",
          "layer.HeldObjectsTest",
          "layer.ReclaimedSpaceTest",
          "layer.RandomReclamationTest",
          "layer.ProxyLayerTest",
          "convert.ConversionTest",
          "convert.LateChangesTest",
          "convert.ArraysInMethodsTest",
          "convert.InsertionOrderTest",
          "convert.SelfReferenceTest",
          "slot.EmbeddedValuesTest",
          "identity.StoreObjectsTest",
          "upgrade.UpgradeOfFreedObjectsTest");

  private static final String SAME = "an object and its twin are one";
  private static final String PLAIN_AGAIN = "a roll-back makes the object plain again";
  private static final String REFUSED = "the change to the plain collection is refused";
  private static final String SEEN = "elements that other code stores are seen";
  private static final String GENERATED = "is about a generated class";

  /** Tests of what is otherwise for enhanced classes, and why. */
  private static final Map<String, String> OTHERWISE =
      Map.ofEntries(
          Map.entry("ShapesTest.copiesOfSuperclassesAreShared", GENERATED),
          Map.entry("ShapesTest.stackTracesOfCopiedCodeLeadToTheLine", GENERATED),
          Map.entry("RootsTest.aClassWithoutARootNameIsRefusedByClass", GENERATED),
          Map.entry("ProxyLayerTest.aPlainObjectHasOneTwin", SAME),
          Map.entry("ProxyLayerTest.aCopyIsPlainAndLeavesTheOriginal", GENERATED),
          Map.entry("ProxyLayerTest.aRollBackRestoresPropertiesAndForgetsObjects", PLAIN_AGAIN),
          Map.entry("ConversionTest.anOriginalThatWasChangedSinceIsRefused", SAME),
          Map.entry("ConversionTest.aPlainObjectArrivesWithAllItHolds", SAME),
          Map.entry("ConversionTest.aRollBackForgetsTwins", PLAIN_AGAIN),
          Map.entry("LateChangesTest.whatWasChangedInBothIsRefusedAndNothingIsStored", SAME),
          Map.entry("CollectionPropertiesTest.aChangedCollectionOfAPlainObjectIsFoundToo", SAME),
          Map.entry(
              "CollectionPropertiesTest.anOriginalAssignedAgainGivesTheSameTwinAndAChangedOneIsRefused",
              REFUSED),
          Map.entry("SortedPropertiesTest.anOriginalGivesTheSameTwinUntilItIsChanged", REFUSED),
          Map.entry("EmbeddedValuesTest.persistMakesTheTwinThatAssignmentsGive", SAME),
          Map.entry(
              "EmbeddedValuesTest.anArrayThatWasChangedSinceItsOwnersConversionIsNoticed", SAME),
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

  private static String name(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(EnhancedSuitesTest::name)
        .orElse("");
  }

  private static String name(MethodSource method) {
    String type = method.getClassName();
    if (type.endsWith("ObjectLayerContractTest")) {
      type = "ProxyLayerTest";
    }
    return type.substring(type.lastIndexOf('.') + 1) + "." + method.getMethodName();
  }

  @Test
  void theSuitesOfGeneratedClassesHold() throws Exception {
    Set<String> left = new TreeSet<>(OTHERWISE.keySet());
    PostDiscoveryFilter filter =
        descriptor -> {
          String name =
              descriptor
                  .getSource()
                  .filter(MethodSource.class::isInstance)
                  .map(source -> name((MethodSource) source))
                  .orElse("");
          left.remove(name);
          return FilterResult.includedIf(!OTHERWISE.containsKey(name));
        };
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String suite : SUITES) {
      request.selectors(selectClass("io.pmstore.proxy." + suite));
    }
    LauncherDiscoveryRequest built = request.filters(filter).build();
    List<String> failures = new ArrayList<>();
    int[] passed = new int[1];
    LauncherFactory.create()
        .execute(
            built,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                  failures.add(name(test) + ": " + result.getThrowable().orElse(null));
                } else if (test.isTest()) {
                  passed[0]++;
                }
              }
            });
    assertEquals(List.of(), failures);
    assertEquals(Set.of(), left, "these tests are not there any more");
    assertTrue(passed[0] > 300, passed[0] + " tests passed");
    assertTrue(
        io.pmstore.spi.EnhancedObject.class.isAssignableFrom(
            Class.forName("io.pmstore.proxy.fixture.Order")),
        "the classes are enhanced");
  }
}
