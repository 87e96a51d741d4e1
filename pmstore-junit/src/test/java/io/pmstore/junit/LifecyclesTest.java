package io.pmstore.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.junit.PmStoreExtensionTest.Numbers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Stores of tests in each life cycle of JUnit: when they are made, and when they go away. */
class LifecyclesTest {
  private static final List<Path> DIRECTORIES = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void forget() {
    DIRECTORIES.clear();
  }

  private static EngineExecutionResults run(Class<?> test, boolean parallel) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "" + parallel)
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
        .selectors(selectClass(test))
        .execute();
  }

  private static List<String> failures(EngineExecutionResults results) {
    return results.allEvents().failed().stream().map(LifecyclesTest::message).toList();
  }

  private static String message(Event failed) {
    return String.valueOf(
        failed
            .getRequiredPayload(TestExecutionResult.class)
            .getThrowable()
            .orElseThrow()
            .getMessage());
  }

  private static void assertAllAreGone(int stores) {
    assertEquals(stores, DIRECTORIES.stream().distinct().count());
    for (Path directory : DIRECTORIES) {
      assertFalse(Files.exists(directory.getParent()), directory::toString);
    }
  }

  private static void use(TestStore store) {
    assertEquals(0, store.root(Numbers.class).getSum());
    PmStoreExtensionTest.add(store, 1);
    DIRECTORIES.add(store.directory());
  }

  static class TakesItInTheConstructor {
    private static Path earlier = Path.of("");
    private final TestStore store;

    TakesItInTheConstructor(@TempStore TestStore store) {
      this.store = store;
    }

    @RepeatedTest(3)
    void test() {
      use(store);
      assertFalse(Files.exists(earlier) && !earlier.toString().isEmpty(), "ended with its test");
      earlier = store.directory();
    }
  }

  @Test
  void theStoreOfAConstructorEndsWithItsTest() {
    assertEquals(List.of(), failures(run(TakesItInTheConstructor.class, false)));
    assertAllAreGone(3);
  }

  static class DamagesTheStoreOfItsConstructor {
    private final TestStore store;

    DamagesTheStoreOfItsConstructor(@TempStore TestStore store) {
      this.store = store;
    }

    @Test
    void damages() throws Exception {
      PmStoreExtensionTest.add(store, 1);
      store.close();
      Files.delete(store.directory().resolve("sums"));
    }

    @Test
    void isGood() {
      use(store);
    }
  }

  @Test
  void theStoreOfAConstructorIsCheckedAfterItsTest() {
    EngineExecutionResults results = run(DamagesTheStoreOfItsConstructor.class, false);
    assertEquals(1, results.testEvents().failed().count(), failures(results)::toString);
    assertEquals(0, results.containerEvents().failed().count());
  }

  @Execution(ExecutionMode.CONCURRENT)
  static class AtTheSameTime {
    private final TestStore ofConstructor;
    @TempStore TestStore field;

    AtTheSameTime(@TempStore TestStore ofConstructor) {
      this.ofConstructor = ofConstructor;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void test(int number, @TempStore TestStore parameter) {
      use(ofConstructor);
      use(field);
      use(parameter);
      assertTrue(number > 0);
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Inner {
      @TempStore TestStore own;

      @RepeatedTest(4)
      void test() {
        use(own);
        use(field);
      }
    }
  }

  @Test
  void testsAtTheSameTimeHaveStoresOfTheirOwn() {
    assertEquals(List.of(), failures(run(AtTheSameTime.class, true)));
    assertAllAreGone(3 * 8 + 2 * 4);
  }

  @TestInstance(Lifecycle.PER_CLASS)
  static class OneInstance {
    @TempStore TestStore field;

    @RepeatedTest(2)
    void test(@TempStore TestStore parameter) {
      use(field);
      use(parameter);
    }

    @AfterEach
    void after() {
      assertEquals(1, field.root(Numbers.class).getSum());
    }
  }

  @Test
  void eachTestOfOneInstanceHasStoresOfItsOwn() {
    assertEquals(List.of(), failures(run(OneInstance.class, true)));
    assertAllAreGone(4);
  }

  @TestInstance(Lifecycle.PER_CLASS)
  @Execution(ExecutionMode.CONCURRENT)
  static class OneInstanceAtTheSameTime {
    @TempStore TestStore field;

    @Test
    void first() {
      use(field);
    }

    @Test
    void second() {
      use(field);
    }
  }

  @Test
  void aFieldThatTestsAtTheSameTimeShareIsRefused() {
    List<String> refused = failures(run(OneInstanceAtTheSameTime.class, true));
    assertEquals(2, refused.size(), refused::toString);
    assertTrue(refused.getFirst().contains("make the store a parameter"), refused::toString);
    assertEquals(List.of(), failures(run(OneInstanceAtTheSameTime.class, false)));
  }

  @TestInstance(Lifecycle.PER_CLASS)
  static class OneOuterInstance {
    @TempStore TestStore field;

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Inner {
      @TempStore TestStore own;

      @Test
      void first() {
        use(field);
      }

      @Test
      void second() {
        use(field);
      }
    }
  }

  @TestInstance(Lifecycle.PER_CLASS)
  static class OneOuterInstanceOfClassesAtTheSameTime {
    @TempStore TestStore field;

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class First {
      @Test
      @Execution(ExecutionMode.SAME_THREAD)
      void test() {
        use(field);
      }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Second {
      @Test
      @Execution(ExecutionMode.SAME_THREAD)
      void test() {
        use(field);
      }
    }
  }

  static class OneInnerInstance {
    @TempStore TestStore field;

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    @Execution(ExecutionMode.CONCURRENT)
    class Inner {
      @Test
      void first() {
        use(field);
      }

      @Test
      void second() {
        use(field);
      }
    }
  }

  @TestInstance(Lifecycle.PER_CLASS)
  @ParameterizedClass
  @ValueSource(ints = {1, 2})
  @Execution(ExecutionMode.CONCURRENT)
  static class OneInstanceOfAllInvocations {
    @Parameter int number;
    @TempStore TestStore field;

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void test() {
      use(field);
    }
  }

  static class OneInnerInstanceOfAllInvocations {
    @TempStore TestStore field;

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    @Execution(ExecutionMode.CONCURRENT)
    class Inner {
      @Parameter int number;

      @Test
      @Execution(ExecutionMode.SAME_THREAD)
      void test() {
        use(field);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        OneOuterInstance.class,
        OneOuterInstanceOfClassesAtTheSameTime.class,
        OneInnerInstance.class,
        OneInstanceOfAllInvocations.class,
        OneInnerInstanceOfAllInvocations.class
      })
  void aFieldThatTestsOfOtherContainersShareAtTheSameTimeIsRefused(Class<?> test) {
    List<String> refused = failures(run(test, true));
    assertEquals(2, refused.size(), refused::toString);
    for (String message : refused) {
      assertTrue(message.contains(test.getSimpleName() + ".field, and tests"), message);
      assertTrue(message.contains("to them and to the classes that they are in"), message);
    }
    assertEquals(List.of(), failures(run(test, false)));
  }

  @TestInstance(Lifecycle.PER_CLASS)
  static class OneOuterInstanceWithoutStores {
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Inner {
      @TempStore TestStore own;

      @RepeatedTest(4)
      void test() {
        use(own);
      }
    }
  }

  @Test
  void aNestedInstanceOfEachTestIsNotShared() {
    assertEquals(List.of(), failures(run(OneOuterInstanceWithoutStores.class, true)));
    assertAllAreGone(4);
  }

  static final class Absent implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults().readOnly(true);
    }
  }

  static class CannotBeOpened {
    @Test
    void test(@TempStore(options = Absent.class) PmStore store) {
      assertEquals(0, store.root(Numbers.class).getSum());
    }
  }

  @Test
  void aStoreThatCannotBeOpenedLeavesNoDirectory() {
    String message = failures(run(CannotBeOpened.class, false)).getFirst();
    Matcher directory = Pattern.compile("(/\\S*pmstore-test\\d+)/store").matcher(message);
    assertTrue(directory.find(), message);
    assertFalse(Files.exists(Path.of(directory.group(1))), message);
  }

  static class FailsInItsConstructor {
    FailsInItsConstructor(@TempStore TestStore store) {
      use(store);
      throw new IllegalStateException("on purpose");
    }

    @Test
    void test() {}
  }

  @Test
  void theStoreOfAConstructorThatThrowsEndsToo() {
    assertEquals(List.of("on purpose"), failures(run(FailsInItsConstructor.class, false)));
    assertAllAreGone(1);
  }

  static class FailsBeforeTheTest {
    @TempStore TestStore store;

    @BeforeEach
    void fail() {
      use(store);
      throw new IllegalStateException("on purpose");
    }

    @Test
    void test() {}
  }

  @Test
  void aFailingBeforeEachIsWhatIsReported() {
    assertEquals(List.of("on purpose"), failures(run(FailsBeforeTheTest.class, false)));
    assertAllAreGone(1);
  }

  static class LeavesATransactionOpen {
    static final CountDownLatch END = new CountDownLatch(1);
    static Thread transaction = Thread.currentThread();
    static long endedNanos;

    @Test
    void test(@TempStore TestStore store) throws Exception {
      DIRECTORIES.add(store.directory());
      CountDownLatch begun = new CountDownLatch(1);
      transaction =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () ->
                      store.transaction(
                          () -> {
                            begun.countDown();
                            awaitEnd();
                          }));
      begun.await();
      endedNanos = System.nanoTime();
    }

    private static void awaitEnd() {
      try {
        END.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** A thread that hangs must not have the build hang: closing the store waits for it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aTransactionThatNeverEndsFailsTheTest() throws Exception {
    String message = failures(run(LeavesATransactionOpen.class, false)).getFirst();
    Duration waited = Duration.ofNanos(System.nanoTime() - LeavesATransactionOpen.endedNanos);
    assertTrue(waited.toSeconds() < 10, () -> "5 seconds are enough, and it waited " + waited);
    assertTrue(message.contains("1 transactions and 0 snapshots of its store are still"), message);
    Path directory = DIRECTORIES.getFirst().getParent();
    assertTrue(Files.exists(directory), "its store is open");
    LeavesATransactionOpen.END.countDown();
    LeavesATransactionOpen.transaction.join();
    while (Files.exists(directory)) {
      Thread.onSpinWait(); // until the timeout
    }
  }

  static class ClosesItsStores {
    @TempStore TestStore store;

    @Test
    void test(@TempStore TestStore other) {
      use(store);
      use(other);
      store.close();
      other.close();
      assertThrows(RuntimeException.class, () -> store.root(Numbers.class));
      store.reopen();
      assertEquals(1, store.root(Numbers.class).getSum());
    }
  }

  @Test
  void aTestMayCloseAndReopenItsStores() {
    assertEquals(List.of(), failures(run(ClosesItsStores.class, false)));
    assertAllAreGone(2);
  }
}
