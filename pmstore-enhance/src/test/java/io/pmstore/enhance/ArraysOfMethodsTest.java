package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Methods change arrays that they get or read, and set the property anew. The effect is that on a
 * plain object, and no method throws after its commit.
 */
class ArraysOfMethodsTest {
  /** What a class can be known as. */
  interface Sink<T> {
    void take(T array);
  }

  /** The root. */
  @Persistent(root = "gauge")
  static class Gauge implements Sink<int[]> {
    int[] counts = {3, 1, 2};
    int[] others = {4, 5};
    int[][] grid = {{1, 2}, {3, 4}};
    Object any;
    long changes;

    void replaceByClone(int[] array) {
      array[0] = 9;
      counts = array.clone();
    }

    void replaceBySame(int[] array) {
      array[0] = 9;
      counts = array;
    }

    void setThenChange(int[] array) {
      counts = array;
      array[0] = 9;
    }

    void setTwice(int[] array) {
      array[0] = 9;
      counts = array;
      array[1] = 8;
      counts = array;
      counts = array.clone();
    }

    void fill(int[] array) {
      Arrays.fill(array, 7);
      counts = array.clone();
    }

    void byHelper(int[] array) {
      Helper.clear(array);
      counts = array.clone();
    }

    void byHelperToNull(int[] array) {
      Helper.clear(array);
      counts = null;
    }

    void toNull(int[] array) {
      array[0] = 9;
      counts = null;
    }

    void own() {
      int[] array = counts;
      array[0] = 9;
      counts = array.clone();
    }

    void ownByHelper() {
      int[] array = counts;
      Helper.clear(array);
      counts = array.clone();
      Helper.clear(array);
    }

    void row(int[] row) {
      row[0] = 9;
      grid[0] = row.clone();
    }

    void rowByHelper(int[] row) {
      Helper.clear(row);
      grid[0] = row.clone();
    }

    void rows(int[][] rows) {
      rows[0][0] = 9;
      Helper.clear(rows[1]);
      grid = rows.clone();
    }

    void rowsCloned(int[][] rows) {
      rows[0][0] = 9;
      Helper.clear(rows[1]);
      grid = new int[][] {rows[0].clone(), rows[1].clone()};
    }

    void all(int[]... arrays) {
      for (int[] array : arrays) {
        array[0] = 9;
        Helper.clear(array);
      }
      counts = arrays[0].clone();
    }

    void byFunction(int[] array, Consumer<int[]> function) {
      Helper.setAndGive(array, function);
    }

    void object(Object array) {
      ((int[]) array)[0] = 9;
      counts = ((int[]) array).clone();
    }

    void others(int[] array) {
      array[0] = 9;
      others = array;
      Helper.clear(array);
      counts = array.clone();
    }

    void setChangeReplace(int[] array) {
      counts = array;
      array[0] = 9;
      Helper.set(array, 1, 0);
      Helper.set(array, 2, 0);
      counts = new int[2];
    }

    void failing(int[] array) {
      array[0] = 9;
      Helper.set(array, 1, 8);
      counts = array.clone();
      throw new RollBack();
    }

    static void catching(Gauge gauge, int[] array) {
      assertThrows(RollBack.class, () -> gauge.failing(array));
      array[2] = 5;
    }

    void byTransactions(PmStore store, int[] array) {
      store.transaction(() -> array[0] = 9);
      array[1] = 8;
      store.transaction(() -> counts = array.clone());
      store.transaction(
          () -> {
            int[] all = counts;
            all[2] = 2;
          });
    }

    void nested(int[] array) {
      replaceByClone(array);
      array = counts;
      byHelper(array);
    }

    int[] returned(int[] array) {
      array[0] = 9;
      counts = array.clone();
      return counts;
    }

    void inLambda(int[] array) {
      Consumer<int[]> change =
          a -> {
            a[0] = 9;
            Helper.clear(a);
          };
      change.accept(array);
      counts = array.clone();
    }

    @Override
    public void take(int[] array) {
      array[0] = 9;
      counts = array.clone();
    }

    static void ofClass(Gauge gauge, int[] array) {
      array[0] = 9;
      gauge.counts = array.clone();
    }

    static void ofClassByHelper(Gauge gauge, int[] array) {
      Helper.clear(array);
      gauge.counts = array.clone();
    }

    String text() {
      return Arrays.toString(counts)
          + Arrays.toString(others)
          + Arrays.deepToString(grid)
          + (any instanceof int[] numbers ? Arrays.toString(numbers) : "")
          + changes;
    }
  }

  /** Changes an array when it is made. */
  @Persistent
  static class Part {
    int first;

    Part(Gauge gauge, int[] array) {
      array[0] = 9;
      gauge.counts = array.clone();
      first = array[0];
    }
  }

  /** A class without arrays. */
  @Persistent
  static class Tally {
    long calls;

    void clear(int[] array) {
      calls++;
      array[0] = 0;
    }
  }

  /** Knows no persistent class. */
  static final class Helper {
    private static int[] kept;

    private Helper() {}

    static void clear(int[] array) {
      Arrays.fill(array, 0);
    }

    static void set(int[] array, int index, int value) {
      array[index] = value;
    }

    static void setAndGive(int[] array, Consumer<int[]> to) {
      array[0] = 9;
      to.accept(array);
      array[1] = 8;
    }

    static void keep(int[] array) {
      kept = array;
    }

    static void setKept(int index, int value) {
      kept[index] = value;
    }

    static void sort(int[][] rows) {
      Arrays.sort(rows, DESCENDING);
    }

    static void keep(int[][] rows) {
      rows[1] = rows[1];
    }
  }

  /** In a class of its own, which is loaded after the agent. */
  private static final class Programs {
    private Programs() {}

    private static Named<Function<Gauge, Object>> program(
        String name, Function<Gauge, Object> program) {
      return Named.of(name, program);
    }

    private static Named<Function<Gauge, Object>> counts(
        String name, BiConsumer<Gauge, int[]> program) {
      return program(
          name,
          g -> {
            int[] array = g.counts;
            program.accept(g, array);
            return array;
          });
    }

    private static Named<Function<Gauge, Object>> of(String name, BiConsumer<Gauge, int[]> call) {
      return counts(name, call);
    }

    static Stream<Named<Function<Gauge, Object>>> all() {
      return Stream.of(
          counts("clone", (g, a) -> g.replaceByClone(a)),
          counts("same", (g, a) -> g.replaceBySame(a)),
          counts("set, then change", (g, a) -> g.setThenChange(a)),
          counts("set twice", (g, a) -> g.setTwice(a)),
          counts("fill", (g, a) -> g.fill(a)),
          counts("helper", (g, a) -> g.byHelper(a)),
          counts("helper, null", (g, a) -> g.byHelperToNull(a)),
          counts("null", (g, a) -> g.toNull(a)),
          counts("object", (g, a) -> g.object(a)),
          counts("in two properties", (g, a) -> g.others(a)),
          counts("nested", (g, a) -> g.nested(a)),
          counts("returned", (g, a) -> g.returned(a)[1] = 6),
          counts("in a lambda", (g, a) -> g.inLambda(a)),
          counts("by interface", (g, a) -> ((Sink<int[]>) g).take(a)),
          counts("of class", (g, a) -> Gauge.ofClass(g, a)),
          counts("of class by helper", (g, a) -> Gauge.ofClassByHelper(g, a)),
          counts("constructor", (g, a) -> new Part(g, a)),
          counts("constructor, kept", (g, a) -> g.any = new Part(g, a)),
          counts(
              "given to a function",
              (g, a) -> Helper.setAndGive(a, given -> g.counts = given.clone())),
          counts("set by a function", (g, a) -> Helper.setAndGive(a, given -> g.counts = given)),
          counts(
              "set by a function, which replaces it",
              (g, a) ->
                  Helper.setAndGive(
                      a,
                      given -> {
                        g.counts = given;
                        g.counts = null;
                      })),
          counts(
              "replaced by a function in one of two properties",
              (g, a) -> {
                g.others = a;
                Helper.setAndGive(a, given -> g.counts = new int[2]);
              }),
          counts(
              "set by a function in one of two properties",
              (g, a) -> {
                g.others = a;
                Helper.setAndGive(a, given -> g.counts = given);
              }),
          counts("method given a function", (g, a) -> g.byFunction(a, given -> g.counts = null)),
          counts("varargs", (g, a) -> g.all(a)),
          counts("two varargs", (g, a) -> g.all(a, g.others)),
          of("method reference", Gauge::replaceByClone),
          of("reference to a static method", Gauge::ofClass),
          counts(
              "bound reference",
              (g, a) -> {
                Consumer<int[]> change = g::replaceByClone;
                change.accept(a);
              }),
          program(
              "own",
              g -> {
                g.own();
                return 0;
              }),
          program(
              "own by helper",
              g -> {
                g.ownByHelper();
                return 0;
              }),
          program(
              "row",
              g -> {
                int[] row = g.grid[0];
                g.row(row);
                return row;
              }),
          program(
              "row by helper",
              g -> {
                int[] row = g.grid[0];
                g.rowByHelper(row);
                return row;
              }),
          program(
              "rows",
              g -> {
                int[][] rows = g.grid;
                g.rows(rows);
                return rows;
              }),
          program(
              "rows cloned",
              g -> {
                int[][] rows = g.grid;
                g.rowsCloned(rows);
                return rows;
              }),
          program(
              "assigned to two",
              g -> {
                int[] mine = {1, 2};
                g.counts = mine;
                g.others = mine;
                g.replaceByClone(mine);
                return mine;
              }),
          program(
              "tally",
              g -> {
                Tally tally = new Tally();
                g.any = tally;
                int[] mine = g.counts;
                ((Tally) g.any).clear(mine);
                return mine;
              }));
    }
  }

  static Stream<Named<Function<Gauge, Object>>> programs() {
    return Programs.all();
  }

  @TempDir Path directory;

  private static String text(Gauge gauge, Object returned) {
    return gauge.text() + Arrays.deepToString(new Object[] {returned});
  }

  private void check(Function<Gauge, Object> program, boolean inTransaction) {
    Gauge plain = new Gauge();
    String expected = text(plain, program.apply(plain));
    try (PmStore store = PmStore.open(directory)) {
      Gauge gauge = store.root(Gauge.class);
      Object returned =
          inTransaction ? store.transaction(() -> program.apply(gauge)) : program.apply(gauge);
      assertEquals(expected, text(gauge, returned));
    }
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(plain.text(), store.root(Gauge.class).text());
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void inATransaction(Function<Gauge, Object> program) {
    check(program, true);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void outsideOfTransactions(Function<Gauge, Object> program) {
    check(program, false);
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static final Comparator<int[]> DESCENDING = Comparator.comparing((int[] row) -> -row[0]);

  private void withGauge(BiConsumer<PmStore, Gauge> body) {
    withGauge(directory, body);
  }

  static void withGauge(Path directory, BiConsumer<PmStore, Gauge> body) {
    try (PmStore store = PmStore.open(directory)) {
      body.accept(store, store.root(Gauge.class));
    }
  }

  @Test
  void aRollBackUndoesWhatTheProgramStoredIntoAnArray() {
    withGauge(
        (store, gauge) -> {
          int[] counts = gauge.counts;
          int[][] grid = gauge.grid;
          int[] row = grid[0];
          assertThrows(
              RollBack.class,
              () ->
                  store.transaction(
                      () -> {
                        counts[0] = 9;
                        row[0] = 9;
                        grid[0] = grid[1];
                        throw new RollBack();
                      }));
          assertArrayEquals(new int[] {3, 1, 2}, counts, "a body that runs again finds it so");
          assertSame(row, grid[0]);
          counts[1] = 8;
          row[1] = 8;
          assertEquals("[3, 8, 2][4, 5][[1, 8], [3, 4]]0", gauge.text());
        });
  }

  /** Runs a change in a transaction whose first run conflicts with another thread. */
  static void runTwice(PmStore store, Gauge gauge, Runnable change) throws InterruptedException {
    int[] runs = new int[1];
    store.transaction(
        () -> {
          long changes = gauge.changes;
          change.run();
          if (runs[0]++ == 0) {
            Thread other = new Thread(() -> gauge.changes++);
            other.start();
            other.join();
          }
          gauge.changes = changes + 1;
        });
    assertEquals(2, runs[0]);
  }

  @Test
  void aBodyThatRunsAgainChangesAnArrayOnce() throws Exception {
    try (PmStore store = PmStore.open(directory)) {
      Gauge gauge = store.root(Gauge.class);
      int[] counts = gauge.counts;
      runTwice(store, gauge, () -> counts[0]++);
      assertEquals("[4, 1, 2][4, 5][[1, 2], [3, 4]]2", gauge.text());
    }
  }

  @Test
  void aMethodThatChangesAStaleArrayStoresNothing() {
    withGauge(
        (store, gauge) -> {
          int[] counts = gauge.counts;
          gauge.counts = new int[1];
          Tally tally = new Tally();
          gauge.any = tally;
          assertThrows(IllegalStateException.class, () -> gauge.byHelper(counts));
          assertThrows(IllegalStateException.class, () -> gauge.replaceByClone(counts));
          assertThrows(IllegalStateException.class, () -> tally.clear(counts));
          assertArrayEquals(new int[1], gauge.counts);
          assertEquals(0, tally.calls);
        });
  }

  @Test
  void aMethodMaySetAStaleArrayAndChangeItAndSetAnother() {
    withGauge(
        (store, gauge) -> {
          int[] counts = gauge.counts;
          gauge.counts = new int[1];
          gauge.setChangeReplace(counts);
          assertArrayEquals(new int[] {9, 0, 0}, counts);
          assertArrayEquals(new int[2], gauge.counts);
        });
  }

  @Test
  void aMethodWithTransactionsOfItsOwn() {
    withGauge(
        (store, gauge) -> {
          int[] counts = gauge.counts;
          gauge.byTransactions(store, counts);
          assertArrayEquals(new int[] {9, 8, 2}, counts);
          assertEquals("[9, 8, 2][4, 5][[1, 2], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void aTransactionThatRolledBackWithinACallLeavesTheArrayAsItWas() {
    withGauge(
        (store, gauge) -> {
          int[] counts = gauge.counts;
          Gauge.catching(gauge, counts);
          assertArrayEquals(new int[] {3, 1, 5}, counts);
          assertEquals("[3, 1, 5][4, 5][[1, 2], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void aMethodIsOneTransactionWithTheArraysThatItReceives() {
    withGauge(
        (store, gauge) -> {
          gauge.any = new Tally();
          int[] counts = gauge.counts;
          long before = store.metrics().transactions().commits();
          ((Tally) gauge.any).clear(counts);
          assertEquals(before + 1, store.metrics().transactions().commits());
          gauge.replaceByClone(counts);
          assertEquals(before + 2, store.metrics().transactions().commits());
        });
  }

  @Test
  void aRollBackOfASecondAssignmentUndoesChangesOfTheArray() {
    withGauge(
        (store, gauge) -> {
          int[] mine = {1, 2};
          int[][] rows = {mine, {3, 4}};
          gauge.grid = rows;
          assertThrows(
              RollBack.class,
              () ->
                  store.transaction(
                      () -> {
                        gauge.grid = rows;
                        mine[0] = 9;
                        throw new RollBack();
                      }));
          mine[1] = 8;
          assertEquals("[3, 1, 2][4, 5][[1, 8], [3, 4]]0", gauge.text());
          assertArrayEquals(new int[] {1, 8}, mine);
        });
  }
}
