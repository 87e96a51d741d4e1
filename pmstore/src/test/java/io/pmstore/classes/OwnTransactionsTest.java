package io.pmstore.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStore.TransactionBody;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreReadOnlyException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Methods that use a {@code PmStore} themselves, and so are no transactions, change arrays and
 * dates in place where they can, and are refused where a change would be lost.
 */
class OwnTransactionsTest {
  @TempDir Path directory;
  private PmStore store;

  @BeforeEach
  void open() {
    store = PmStore.open(directory.resolve("store"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  @Persistent(root = "meter")
  @SuppressWarnings("JavaUtilDate") // users have such values
  static class Meter {
    private int[] counts = new int[4];
    private Date day = new Date(0);
    private List<String> names = new ArrayList<>();
    private List<Meter> others = new ArrayList<>();

    void inTransaction(PmStore store, int i) {
      store.transaction(
          () -> {
            counts[i]++;
            day.setTime(day.getTime() + 1);
            names.add("in");
          });
    }

    void byHelper(PmStore store) {
      store.transaction(() -> Arrays.fill(counts, 7));
    }

    void twice(PmStore store) {
      inTransaction(store, 0);
      store.transaction(() -> counts[0] *= 5);
      inTransaction(store, 0);
    }

    void aroundIt(PmStore store, int i) {
      store.transaction(() -> names.add("around"));
      counts[i]++;
    }

    void dateAroundIt(PmStore store) {
      store.transaction(() -> names.add("around"));
      day.setTime(5);
    }

    void helperAroundIt(PmStore store) {
      store.transaction(() -> names.add("around"));
      Arrays.sort(counts);
      Arrays.fill(counts, 3);
    }

    void increment(int i) {
      counts[i]++;
    }

    int readAround(PmStore store) {
      int[] read = counts;
      store.transaction(() -> Arrays.fill(counts, 2));
      return read[0] + Arrays.stream(counts).sum() + (int) day.getTime();
    }

    int inSnapshot(PmStore store) {
      return store.snapshot(() -> sum(counts));
    }

    void changeAndSet(PmStore store) {
      int[] mine = counts;
      mine[0]++;
      store.transaction(() -> counts = mine);
    }

    void changeInSnapshotAndSet(PmStore store) {
      int[] mine = store.snapshot(() -> counts);
      mine[1]++;
      counts = mine.clone();
    }

    void changeDateAndSet(PmStore store) {
      Date mine = day;
      store.transaction(() -> names.add("between"));
      mine.setTime(3);
      day = mine;
    }

    long changeFirst(PmStore store, int times) {
      store.transaction(() -> names.add("before"));
      counts[0]++;
      long sum = 0;
      for (int i = 0; i < times; i++) {
        sum += counts[1];
      }
      return sum;
    }

    void dateAfterIts(PmStore store) {
      Date mine = store.transaction(() -> day);
      mine.setTime(8);
    }

    void otherInTransaction(PmStore store) {
      store.transaction(() -> Other.fill(counts));
    }

    void otherAroundIt(PmStore store) {
      store.transaction(() -> names.add("around"));
      Other.fill(counts);
    }

    void otherAfterIts(PmStore store) {
      int[] mine = store.transaction(() -> counts);
      Other.fill(mine);
    }

    long changeAfterFirst(PmStore store, int times) {
      int[] mine = store.transaction(() -> counts);
      Other.fill(mine);
      long sum = 0;
      for (int i = 0; i < times; i++) {
        sum += store.transaction(() -> counts[1]);
      }
      return sum;
    }

    Date getDay() {
      return day;
    }

    Meter firstOther() {
      return others.getFirst();
    }

    void addOthers(int number) {
      for (int i = 0; i < number; i++) {
        others.add(new Meter());
      }
    }

    /** Returns what the store says of the first change, which is lost. */
    String dateAfterManyReads(PmStore store) {
      Date mine = store.transaction(() -> day);
      mine.setTime(8);
      store.transaction(() -> others.forEach(Meter::getDay));
      return store.transaction(
          () -> {
            String refused = "";
            try {
              others.getFirst().getDay();
            } catch (IllegalStateException e) {
              refused = e.getMessage();
            }
            others.getFirst().getDay().setTime(4);
            return refused;
          });
    }

    private static int sum(int[] array) {
      return Arrays.stream(array).sum();
    }

    String text() {
      return values() + names;
    }

    String values() {
      return Arrays.toString(counts) + day.getTime();
    }
  }

  /** Code that knows no persistent class, as that of a library does. */
  static final class Other {
    private Other() {}

    static void fill(int[] array) {
      Arrays.fill(array, 9);
    }
  }

  private void assertLost(Consumer<Meter> method, String property) {
    Meter meter = store.root(Meter.class);
    String message =
        assertThrows(IllegalStateException.class, () -> method.accept(meter)).getMessage();
    assertTrue(message.contains(property), message);
    assertEquals("[0, 0, 0, 0]0", meter.values());
  }

  @Test
  void changesInATransactionOfTheMethodAreStored() {
    store.root(Meter.class).inTransaction(store, 1);
    assertEquals("[0, 1, 0, 0]1[in]", store.root(Meter.class).text());
    store.transaction(() -> store.root(Meter.class).inTransaction(store, 1));
    assertEquals("[0, 2, 0, 0]2[in, in]", store.root(Meter.class).text());
    store.root(Meter.class).byHelper(store);
    assertEquals("[7, 7, 7, 7]2[in, in]", store.root(Meter.class).text());
    store.root(Meter.class).twice(store);
    reopen();
    assertEquals("[41, 7, 7, 7]4[in, in, in, in]", store.root(Meter.class).text());
    store.root(Meter.class).otherInTransaction(store);
    reopen();
    assertEquals("[9, 9, 9, 9]4", store.root(Meter.class).values());
  }

  @Test
  void changesAroundTheTransactionsOfTheMethodAreStoredInsideAnotherOne() {
    Meter meter = store.root(Meter.class);
    store.transaction(
        () -> {
          meter.aroundIt(store, 2);
          meter.dateAroundIt(store);
        });
    reopen();
    assertEquals("[0, 0, 1, 0]5[around, around]", store.root(Meter.class).text());
  }

  @Test
  void changesOfElementsOutsideOfEveryTransactionAreRefused() {
    assertLost(meter -> meter.aroundIt(store, 2), "counts");
    assertLost(meter -> meter.helperAroundIt(store), "counts");
  }

  @Test
  void otherChangesOutsideOfEveryTransactionAreRefused() {
    assertLost(meter -> meter.dateAroundIt(store), "day");
  }

  @Test
  void changesByOtherCodeOutsideOfEveryTransactionAreRefused() {
    assertLost(meter -> meter.otherAroundIt(store), "counts");
  }

  @Test
  void changesAfterTheTransactionOfTheMethodAreRefused() {
    assertLost(meter -> meter.dateAfterIts(store), "day");
  }

  @Test
  void changesByOtherCodeAfterTheTransactionOfTheMethodAreRefused() {
    assertLost(meter -> meter.otherAfterIts(store), "counts");
    assertLost(meter -> assertEquals(0, meter.changeAfterFirst(store, 100)), "counts");
  }

  @Test
  void changesInASnapshotAreRefused() {
    assertLost(
        meter -> store.snapshot((TransactionBody<RuntimeException>) () -> meter.increment(1)),
        "counts");
  }

  /** As the guide says of getters of arrays, which return copies. */
  @Test
  void aCopyThatIsChangedAndSetIsStored() {
    Meter meter = store.root(Meter.class);
    meter.changeAndSet(store);
    meter.changeInSnapshotAndSet(store);
    meter.changeDateAndSet(store);
    reopen();
    assertEquals("[1, 1, 0, 0]3", store.root(Meter.class).values());
  }

  @Test
  void changesInAStoreThatIsOpenForReadingAreRefused() {
    store.root(Meter.class);
    store.close();
    store = PmStore.open(directory.resolve("store"), PmStoreOptions.defaults().readOnly(true));
    Meter meter = store.root(Meter.class);
    assertThrows(StoreReadOnlyException.class, () -> meter.increment(1));
    assertEquals("[0, 0, 0, 0]0", meter.values());
  }

  /** What is far behind is checked when it is dropped. */
  @Test
  void theFirstOfManyChangesIsRefused() {
    Meter meter = store.root(Meter.class);
    assertThrows(IllegalStateException.class, () -> meter.changeFirst(store, 100));
    assertEquals("[0, 0, 0, 0]0", meter.values());
  }

  @Test
  void changesAreStoredAfterARefusalThatTheMethodHasCaught() {
    Meter meter = store.root(Meter.class);
    meter.addOthers(16);
    String refused = meter.dateAfterManyReads(store);
    assertTrue(refused.contains("day"), refused);
    reopen();
    assertEquals("[0, 0, 0, 0]4", store.root(Meter.class).firstOther().values());
    assertEquals("[0, 0, 0, 0]0", store.root(Meter.class).values());
  }

  @Test
  void readingIsNotRefused() {
    Meter meter = store.root(Meter.class);
    assertEquals(8, meter.readAround(store));
    assertEquals(8, meter.inSnapshot(store));
  }
}
