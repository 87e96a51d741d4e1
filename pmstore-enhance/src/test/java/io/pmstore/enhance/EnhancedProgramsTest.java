package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.spi.EnhancedObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.jupiter.api.Test;

/**
 * The suites of pmstore and pmstore-gc that compile programs, change them, and collect their
 * garbage: the agent of this JVM enhances the programs.
 */
class EnhancedProgramsTest {
  private static final List<String> SUITES =
      List.of(
          "shapes.RandomShapesTest",
          "evolution.NewPropertiesTest",
          "evolution.ChangedPropertiesTest",
          "evolution.MigrationFunctionsTest",
          "evolution.ChangedClassesTest",
          "evolution.AbstractClassesTest",
          "evolution.RenamedInterfacesTest",
          "evolution.ChangedEnumsTest",
          "evolution.ChangedRecordsTest",
          "evolution.UpgradedObjectsTest",
          "evolution.OlderProgramsTest",
          "evolution.DryRunTest",
          "evolution.random.RandomEvolutionTest",
          "evolution.golden.GoldenStoreTest",
          "evolution.bank.MovedAccountsTest",
          "snapshot.SnapshotTest",
          "garbage.GarbageTest",
          "gc.store.StoreCollectionTest",
          "gc.model.GcModelTest");

  /** One expects a refusal of a final class, the other makes an object of an interface. */
  private static final Set<String> OTHERWISE =
      Set.of(
          "DryRunTest.whatIsRefusedFailsAnAssertion",
          "AbstractClassesTest.objectsOfAnInterfaceThatIsNoLongerPersistentAreRefused");

  /** Fewer than in the modules of these suites, unless the command line says how many. */
  private static final Map<String, String> BUDGETS =
      Map.of(
          "pmstore.shapes.programs", "3",
          "pmstore.evolution.programs", "3",
          "pmstore.gc.rounds", "2");

  @Test
  void theSuitesOfProgramsHold() {
    BUDGETS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
    SuiteRun run = new SuiteRun(OTHERWISE);
    SUITES.forEach(suite -> run.add("io.pmstore." + suite));
    int[] most = new int[2];
    run.afterEach(
        () -> {
          most[0] = Math.max(most[0], loaded(true));
          most[1] = Math.max(most[1], loaded(false));
        });
    int passed = run.execute();
    assertTrue(passed > 40, passed + " tests passed");
    assertTrue(most[0] > 10, most[0] + " classes of compiled programs were enhanced");
    assertTrue(most[1] == 0, most[1] + " classes were generated beside those of programs");
  }

  /** Counts the classes of compiled programs that were enhanced, or generated. */
  private static int loaded(boolean enhanced) {
    ClassLoader tests = EnhancedProgramsTest.class.getClassLoader();
    int count = 0;
    for (Class<?> type : ByteBuddyAgent.getInstrumentation().getAllLoadedClasses()) {
      boolean isOfProgram = type.getClassLoader() != null && type.getClassLoader() != tests;
      boolean isEnhanced = EnhancedObject.class.isAssignableFrom(type) && !type.isInterface();
      boolean isGenerated = type.getName().endsWith("$Persistent");
      if (isOfProgram && (enhanced ? isEnhanced : isGenerated)) {
        count++;
      }
    }
    return count;
  }
}
