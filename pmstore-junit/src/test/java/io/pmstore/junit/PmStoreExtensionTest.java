package io.pmstore.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.pmstore.Durability;
import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The extension, by tests that pass and by tests that have to fail. */
class PmStoreExtensionTest {
  /** The root. */
  @Persistent(root = "list")
  public static class Numbers {
    private final List<Long> values = new ArrayList<>();
    private long sum;

    public List<Long> getValues() {
      return values;
    }

    public long getSum() {
      return sum;
    }

    public void setSum(long sum) {
      this.sum = sum;
    }
  }

  static void add(PmStore store, long value) {
    Numbers numbers = store.root(Numbers.class);
    store.transaction(
        () -> {
          numbers.getValues().add(value);
          numbers.setSum(numbers.getSum() + value);
        });
  }

  private static void assertConsistent(PmStore store) {
    Numbers numbers = store.root(Numbers.class);
    assertEquals(numbers.getSum(), numbers.getValues().stream().mapToLong(Long::longValue).sum());
  }

  // ---- what a test gets

  private static final List<Path> DIRECTORIES = new ArrayList<>();

  static class Passing {
    @TempStore TestStore field;

    @Test
    void fieldAndParameter(@TempStore TestStore first, @TempStore PmStore second) {
      assertNotSame(first, second);
      DIRECTORIES.addAll(List.of(field.directory(), first.directory()));
      for (PmStore store : List.of(field, first, second)) {
        assertEquals(0, store.root(Numbers.class).getSum());
        add(store, 1);
      }
      Numbers before = first.root(Numbers.class);
      first.reopen();
      assertThrows(StoreClosedException.class, before::getSum);
      assertEquals(1, first.root(Numbers.class).getSum());
      assertTrue(Files.exists(first.directory()));
    }

    @Test
    void another() {
      assertEquals(0, field.root(Numbers.class).getSum());
      DIRECTORIES.add(field.directory());
    }

    @Test
    void closedByTheTest(@TempStore PmStore store) {
      store.close();
    }
  }

  private static EngineExecutionResults run(Class<?> test) {
    return EngineTestKit.engine("junit-jupiter").selectors(selectClass(test)).execute();
  }

  private static String failure(Class<?> test) {
    List<Event> failed = run(test).testEvents().failed().list();
    assertEquals(1, failed.size(), failed::toString);
    return failed
        .getFirst()
        .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
        .getThrowable()
        .orElseThrow()
        .getMessage();
  }

  @Test
  void storesAreNewAndTheirDirectoriesGoAway() {
    DIRECTORIES.clear();
    EngineExecutionResults results = run(Passing.class);
    assertEquals(3, results.testEvents().succeeded().count(), results.testEvents()::toString);
    assertEquals(3, DIRECTORIES.size());
    assertEquals(3, DIRECTORIES.stream().distinct().count());
    for (Path directory : DIRECTORIES) {
      assertFalse(Files.exists(directory.getParent()), directory::toString);
    }
  }

  static class SharesAStore {
    @TempStore static PmStore store;

    @BeforeAll
    static void fill() {
      add(store, 1);
    }

    @Test
    void test() {}
  }

  /** Before a method of the test finds that the field is null. */
  @Test
  void aStaticFieldIsRefusedFirst() {
    String message =
        run(SharesAStore.class)
            .containerEvents()
            .failed()
            .list()
            .getFirst()
            .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
            .getThrowable()
            .orElseThrow()
            .getMessage();
    assertTrue(message.contains("make it an instance field"), message);
  }

  // ---- what fails a test at its end

  static class LeavesASnapshotOpen {
    static final CountDownLatch END = new CountDownLatch(1);

    @Test
    void test(@TempStore PmStore store) throws Exception {
      CountDownLatch opened = new CountDownLatch(1);
      Thread.ofPlatform()
          .daemon()
          .start(
              () ->
                  store.snapshot(
                      () -> {
                        opened.countDown();
                        awaitEndOfCheck();
                      }));
      opened.await();
    }

    /** Closing the store after the check waits for the snapshot. */
    private static void awaitEndOfCheck() {
      try {
        var _ = END.await(7, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void anOpenSnapshotFailsTheTest() {
    assertTrue(failure(LeavesASnapshotOpen.class).contains("1 snapshots of its store are still"));
  }

  static class Damages {
    @Test
    void test(@TempStore TestStore store) throws IOException {
      for (int i = 0; i < 100; i++) {
        add(store, i);
      }
      store.reopen();
      store.close();
      Path heap = store.directory().resolve("heap");
      byte[] bytes = Files.readAllBytes(heap);
      for (int i = 100_000; i < bytes.length; i++) {
        bytes[i] ^= (byte) (bytes[i] == 0 ? 0 : 0x55);
      }
      Files.write(heap, bytes);
    }
  }

  @Test
  void aDamagedStoreFailsTheTest() {
    String message = failure(Damages.class);
    assertTrue(message.contains("not sound") || message.contains("damaged"), message);
  }

  // ---- crashes

  @Test
  void aKillTakesNothingThatWasCommitted(@TempStore(crashes = true) TestStore store) {
    add(store, 5);
    store.kill();
    add(store, 6);
    store.kill();
    assertEquals(11, store.root(Numbers.class).getSum());
    assertConsistent(store);
    assertThrows(IllegalStateException.class, () -> store.transaction(store::kill));
    add(store, 1); // the refusal has left the store as it was
  }

  /** The options of a store that may lose transactions in a power cut. */
  static final class Relaxed implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults()
          .storage(Storage.FILE)
          .durability(Durability.relaxed(Duration.ofSeconds(30)));
    }
  }

  @Test
  void aKillTakesNothingOfARelaxedStore(
      @TempStore(crashes = true, options = Relaxed.class) TestStore store) {
    for (int i = 0; i < 50; i++) {
      add(store, 1);
    }
    store.kill();
    assertEquals(50, store.root(Numbers.class).getSum());
  }

  @Test
  void aPowerCutTakesRelaxedTransactionsOnly(
      @TempStore(crashes = true, options = Relaxed.class) TestStore store) {
    store.transaction(Durability.SYNC, () -> add(store, 100));
    add(store, 1);
    List<Long> found = new ArrayList<>();
    store.crash(
        image -> {
          assertConsistent(image);
          found.add(image.root(Numbers.class).getSum());
        });
    assertTrue(found.contains(100L), () -> "no power cut has taken the last one: " + found);
    assertTrue(found.contains(101L), () -> "a kill takes nothing: " + found);
    assertTrue(found.stream().allMatch(sum -> sum >= 100), found::toString);
    add(store, 1);
    assertEquals(102, store.root(Numbers.class).getSum(), "the store itself goes on");
  }

  @Test
  void imagesOfAllMomentsHoldWhatWasAcknowledged(@TempStore(crashes = true) TestStore store)
      throws Exception {
    store.root(Numbers.class);
    AtomicLong acknowledged = new AtomicLong();
    List<Long> promises = new ArrayList<>();
    store.crashDuring(
        () -> {
          for (int i = 0; i < 200; i++) {
            add(store, 1);
            acknowledged.incrementAndGet();
          }
        },
        acknowledged::get,
        (image, promised) -> {
          assertConsistent(image);
          long sum = image.root(Numbers.class).getSum();
          assertTrue(sum == promised || sum == promised + 1, sum + " of " + promised);
          promises.add(promised);
        });
    assertEquals(40, promises.size());
    assertTrue(promises.stream().distinct().count() > 10, promises::toString);
    assertEquals(200, store.root(Numbers.class).getSum());
  }

  static class PromisesTooMuch {
    @Test
    void test(@TempStore(crashes = true) TestStore store) throws Exception {
      AtomicLong begun = new AtomicLong();
      store.crashDuring(
          () -> {
            for (int i = 0; i < 100; i++) {
              begun.incrementAndGet(); // before it is acknowledged
              add(store, 1);
            }
          },
          begun::get,
          (image, promised) ->
              assertTrue(image.root(Numbers.class).getSum() >= promised, "lost a sale"));
    }
  }

  @Test
  void aBrokenPromiseIsFoundAndTheMessageHasTheSeed() {
    String message = failure(PromisesTooMuch.class);
    assertTrue(message.contains("lost a sale"), message);
    assertTrue(message.contains("-Dpmstore.seed="), message);
  }

  static class SplitsATransfer {
    @Test
    void test(@TempStore(crashes = true) TestStore store) throws Exception {
      Numbers numbers = store.root(Numbers.class);
      store.crashDuring(
          () -> {
            for (int i = 0; i < 30; i++) {
              numbers.getValues().add(1L); // two transactions instead of one
              numbers.setSum(numbers.getSum() + 1);
            }
          },
          () -> 0,
          (image, none) -> assertConsistent(image));
    }
  }

  @Test
  void aTransactionThatShouldBeOneIsFound() {
    String message = failure(SplitsATransfer.class);
    assertTrue(message.contains("a crash image fails"), message);
  }

  static class AsksTheStoreWhatItPromised {
    @Test
    void test(@TempStore(crashes = true) TestStore store) throws Exception {
      store.root(Numbers.class);
      store.crashDuring(
          () -> add(store, 1),
          () -> store.root(Numbers.class).getSum(),
          (image, promised) -> assertConsistent(image));
    }
  }

  /** It is asked while a commit holds its locks, so the answer would never come. */
  @Test
  @Timeout(60)
  void aPromiseThatUsesTheStoreIsRefused() {
    String message = failure(AsksTheStoreWhatItPromised.class);
    assertTrue(message.contains("the second argument of crashDuring has failed"), message);
    assertTrue(message.contains("must not use the store"), message);
    assertTrue(message.contains("AtomicLong"), message);
  }

  static class PromisesNothing {
    @Test
    void test(@TempStore(crashes = true) TestStore store) throws Exception {
      store.root(Numbers.class);
      store.crashDuring(
          () -> add(store, 1),
          () -> {
            throw new IllegalArgumentException("no promise");
          },
          (image, promised) -> assertConsistent(image));
    }
  }

  @Test
  void aPromiseThatFailsFailsTheTestAndNotTheStore() {
    String message = failure(PromisesNothing.class);
    assertTrue(message.contains("no promise"), message);
    assertTrue(message.contains("the second argument of crashDuring has failed"), message);
  }

  @Test
  void aStoreThatIsNotRecordedCannotBeCrashed(@TempStore TestStore store) {
    String message = assertThrows(IllegalStateException.class, store::kill).getMessage();
    assertTrue(message.contains("@TempStore(crashes = true)"), message);
  }

  static class Crashes {
    @Test
    void test(@TempStore(crashes = true) TestStore store) {
      add(store, 1);
      store.crash(image -> assertEquals(1, image.root(Numbers.class).getSum()));
    }
  }

  /** It would check no image, or images of another seed than the one that is to be repeated. */
  @Test
  void aWrongPropertyFailsTheCrashTest() {
    for (String wrong : List.of("1", "0", "-5", "many", "")) {
      String message = with("pmstore.crash.images", wrong, () -> failure(Crashes.class));
      assertTrue(message.contains("pmstore.crash.images is \"" + wrong + "\""), message);
      assertTrue(message.contains("from 2 to"), message);
    }
    String message = with("pmstore.seed", "12x", () -> failure(Crashes.class));
    assertTrue(message.contains("pmstore.seed is \"12x\""), message);
  }

  private static <T> T with(String property, String value, Supplier<T> body) {
    String before = System.setProperty(property, value);
    try {
      return body.get();
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }

  /** The options of a tiered store. */
  static final class Tiered implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults().storage(Storage.TIERED);
    }
  }

  /** The options of a storage whose crashes are not simulated. */
  static final class Llpl implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults().storage(Storage.LLPL);
    }
  }

  static class CrashesLlpl {
    @Test
    void test(@TempStore(crashes = true, options = Llpl.class) TestStore store) {}
  }

  @Test
  void storagesThatCannotBeCrashedAreRefusedWithTheOthersNames() {
    String message = failure(CrashesLlpl.class);
    assumeTrue(!message.contains("libpmem"), message);
    for (Storage possible : List.of(Storage.FILE, Storage.PERSISTENT_MEMORY, Storage.TIERED)) {
      assertTrue(message.contains(possible.name()), message);
    }
  }

  /** The options of a store whose pools are in a directory of their own. */
  static final class TwoDirectories implements Supplier<PmStoreOptions> {
    @Override
    public PmStoreOptions get() {
      return new Tiered().get().tieredPools(Path.of("target/pools-of-a-test"), Storage.FILE);
    }
  }

  static class CrashesTwoDirectories {
    @Test
    void test(@TempStore(crashes = true, options = TwoDirectories.class) TestStore store) {}
  }

  @Test
  void aStoreInTwoDirectoriesIsRefusedBeforeItIsMade() {
    String message = failure(CrashesTwoDirectories.class);
    assertTrue(message.contains("tieredPools"), message);
    assertFalse(Files.exists(Path.of("target/pools-of-a-test")));
  }

  @Test
  void otherStoragesCanBeUsedOtherwise(@TempStore(options = Tiered.class) TestStore store) {
    add(store, 3);
    store.reopen();
    assertEquals(3, store.root(Numbers.class).getSum());
  }

  // ---- golden stores

  /** Numbers, renamed, and with another type of a property for which there is no mapping. */
  @Persistent(root = "list")
  @FormerNames("io.pmstore.junit.PmStoreExtensionTest$Numbers")
  public static class NumbersOfToday {
    private Instant sum = Instant.EPOCH;

    public Instant getSum() {
      return sum;
    }

    public void setSum(Instant sum) {
      this.sum = sum;
    }
  }

  static class GoldenDoesNotFit {
    @Test
    @GoldenStore(value = "target/golden/numbers", classes = NumbersOfToday.class)
    void test() {}
  }

  @GoldenStore(value = "target/golden/numbers", classes = NumbersOfToday.class)
  static class GoldenOfNestedDoesNotFit {
    @Nested
    class Inner {
      @Test
      void test() {}
    }
  }

  @GoldenStore(value = "target/golden/numbers", classes = NumbersOfToday.class)
  abstract static class GoldenOfSuperclass {}

  static class GoldenOfSubclassDoesNotFit extends GoldenOfSuperclass {
    @Test
    void test() {}
  }

  static class GoldenFits {
    @Test
    @GoldenStore(value = "target/golden/numbers", classes = Numbers.class)
    void test() {}
  }

  static class GoldenIsAbsent {
    @Test
    @GoldenStore(value = "target/golden/absent", classes = Numbers.class)
    void test() {}
  }

  @Test
  void aGoldenStoreIsComparedAndNeverChanged(@TempStore TestStore store, @TempDir Path parent)
      throws IOException {
    add(store, 1);
    Path golden = Path.of("target/golden/numbers");
    if (!Files.exists(golden)) {
      Files.createDirectories(golden.getParent());
      store.backup(golden);
    }
    List<String> before = contents(golden);
    assertEquals(1, run(GoldenFits.class).testEvents().succeeded().count());
    assertEquals(before, contents(golden));
    for (Class<?> refusing :
        List.of(
            GoldenDoesNotFit.class,
            GoldenOfNestedDoesNotFit.class,
            GoldenOfSubclassDoesNotFit.class)) {
      String refused = failure(refusing);
      assertTrue(refused.contains("sum"), refused);
    }
    String message = failure(GoldenIsAbsent.class);
    assertTrue(message.contains("store.backup(Path)"), message);
  }

  private static List<String> contents(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> contents = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        contents.add(file + " " + java.util.Arrays.hashCode(Files.readAllBytes(file)));
      }
      return contents;
    }
  }
}
