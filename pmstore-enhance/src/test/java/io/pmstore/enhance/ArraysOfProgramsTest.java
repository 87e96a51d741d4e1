package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What programs do with the arrays of persistent objects has the effect that it has on a plain
 * object.
 */
class ArraysOfProgramsTest {
  /** What a class can be known as. */
  interface Weighted {
    double[] getWeights();
  }

  /** The root. */
  @Persistent(root = "depot")
  static class Depot implements Weighted {
    int[] counts = {3, 1, 2};
    int[][] grid = {{1, 2}, {3, 4}, {5, 6}};
    int[][][] cube = {{{1}, {2}}, {{3}, {4}}};
    String[] names = {"a", "b", "c"};
    byte[] bytes = new byte[4];
    double[] weights = {1, 2};
    Object any;
    Depot next;

    int[] getCounts() {
      return counts;
    }

    void setCounts(int[] counts) {
      this.counts = counts;
    }

    @Override
    public double[] getWeights() {
      return weights;
    }

    String text() {
      return Arrays.toString(counts)
          + Arrays.deepToString(grid)
          + Arrays.deepToString(cube)
          + Arrays.toString(names)
          + Arrays.toString(bytes)
          + Arrays.toString(weights)
          + (any instanceof int[] numbers ? Arrays.toString(numbers) : "");
    }
  }

  /** Knows no persistent class. */
  static final class Helper {
    private static int[] kept;
    private final int[] array;

    Helper(int[] array) {
      this.array = array;
    }

    void change() {
      array[0] = 44;
    }

    static void clear(int[] array) {
      for (int i = 0; i < array.length; i++) {
        array[i] = 0;
      }
    }

    static int sum(int[] array) {
      return Arrays.stream(array).sum();
    }

    static void clearObject(Object array) {
      ((int[]) array)[0] = 0;
    }

    static void clearRows(int[][] rows) {
      for (int[] row : rows) {
        clear(row);
      }
    }

    static void clearFirst(int[]... rows) {
      clear(rows[0]);
    }

    static <T> void reverse(T[] array) {
      Collections.reverse(Arrays.asList(array));
    }

    static void keep(int[] array) {
      kept = array;
    }

    static void changeKept() {
      kept[1] = 77;
    }
  }

  /** Declares methods that its subclasses inherit. */
  abstract static class Clearing<T> {
    void clear(T array) {
      Helper.clearObject(array);
    }
  }

  /** Inherits the method. */
  static final class Clearer extends Clearing<int[]> {
    void clearCounts(Depot depot) {
      Optional.ofNullable(depot.counts).ifPresent(this::clear);
    }
  }

  /** Knows the interface only. */
  static final class OfWeighted {
    private OfWeighted() {}

    static void weigh(Weighted weighted) {
      weighted.getWeights()[0]++;
    }
  }

  /** Stores no element itself, and knows the class. */
  static final class Caller {
    private Caller() {}

    static void clear(Depot depot) {
      Helper.clear(depot.counts);
    }

    static void clearByGetter(Depot depot) {
      Helper.clear(depot.getCounts());
    }
  }

  /** Has the object by a method reference only. */
  static final class ByReference {
    private ByReference() {}

    static void count(Depot depot) {
      Supplier<int[]> counts = depot::getCounts;
      counts.get()[2] = 8;
    }
  }

  /** In a class of its own, which is loaded after the agent. */
  private static final class Programs {
    private Programs() {}

    private static Named<Consumer<Depot>> program(String name, Consumer<Depot> program) {
      return Named.of(name, program);
    }

    static Stream<Named<Consumer<Depot>>> all() {
      return Stream.of(
          program(
              "changed after it was assigned",
              d -> {
                int[] mine = new int[3];
                d.counts = mine;
                mine[0] = 7;
              }),
          program(
              "changed after it was set",
              d -> {
                int[] mine = new int[3];
                d.setCounts(mine);
                mine[0] = 7;
                mine[1] = 8;
              }),
          program(
              "changed by the JDK after it was assigned",
              d -> {
                String[] mine = {"z", "y"};
                d.names = mine;
                Arrays.sort(mine);
              }),
          program(
              "rows of an array changed after it was assigned",
              d -> {
                int[][] mine = {{1}, {2}};
                d.grid = mine;
                mine[1][0] = 7;
              }),
          program(
              "a row assigned and changed",
              d -> {
                int[] row = {1, 1};
                d.grid[1] = row;
                row[0] = 7;
              }),
          program(
              "in a property of type Object",
              d -> {
                int[] mine = {1};
                d.any = mine;
                mine[0] = 7;
              }),
          program(
              "rows that change their places",
              d -> {
                int[][] grid = d.grid;
                int[] row = grid[0];
                grid[0] = grid[1];
                grid[1] = row;
                row[0] = 55;
                grid[0][0] = 66;
              }),
          program(
              "rows that change their places, each read anew",
              d -> {
                int[] row = d.grid[0];
                d.grid[0] = d.grid[1];
                d.grid[1] = row;
                row[0] = 55;
                d.grid[0][0] = 66;
              }),
          program(
              "a row at two places",
              d -> {
                int[][] grid = d.grid;
                grid[0] = grid[1];
                grid[0][0] = 66;
              }),
          program(
              "a row taken out",
              d -> {
                int[][] grid = d.grid;
                int[] row = grid[0];
                grid[0] = new int[2];
                row[0] = 66;
              }),
          program(
              "rows sorted",
              d -> {
                int[][] grid = d.grid;
                Arrays.sort(grid, Comparator.comparing((int[] row) -> -row[0]));
                grid[0][1] = 66;
                grid[2][0] = 77;
              }),
          program(
              "rows copied",
              d -> {
                int[][] grid = d.grid;
                System.arraycopy(grid, 1, grid, 0, 2);
                grid[0][0] = 66;
              }),
          program(
              "planes that change their places",
              d -> {
                int[][][] cube = d.cube;
                int[][] plane = cube[0];
                int[] row = plane[1];
                cube[0] = cube[1];
                cube[1] = plane;
                row[0] = 66;
                plane[0][0] = 77;
              }),
          program("by an interface", OfWeighted::weigh),
          program("by a method reference", ByReference::count),
          program("a helper", d -> Helper.clear(d.counts)),
          program("a helper by a getter", d -> Helper.clear(d.getCounts())),
          program("a helper, in a class that stores no element", Caller::clear),
          program("a helper by a getter, in a class that stores no element", Caller::clearByGetter),
          program("a helper that takes any object", d -> Helper.clearObject(d.counts)),
          program("a helper that takes rows", d -> Helper.clearRows(d.grid)),
          program("a helper that takes a row", d -> Helper.clear(d.grid[1])),
          program("a helper with a variable number of arrays", d -> Helper.clearFirst(d.counts)),
          program("a generic helper", d -> Helper.reverse(d.names)),
          program("a list of the array", d -> Collections.reverse(Arrays.asList(d.names))),
          program(
              "a list that shuffles",
              d -> Collections.shuffle(Arrays.asList(d.names), new Random(1))),
          program("an element of a list", d -> Arrays.asList(d.names).set(1, "x")),
          program(
              "a copy of the system", d -> System.arraycopy(new int[] {8, 9}, 0, d.counts, 1, 2)),
          program("a list of rows", d -> List.of(d.grid).forEach(row -> row[0] = 9)),
          program("a stream of rows", d -> Arrays.stream(d.grid).forEach(row -> row[0] = 9)),
          program(
              "a method reference on rows",
              d -> Arrays.stream(d.grid).forEach(row -> Arrays.fill(row, 7))),
          program(
              "a reference to a JDK method",
              d -> Optional.ofNullable(d.counts).ifPresent(Arrays::sort)),
          program(
              "a reference to a helper",
              d -> Optional.ofNullable(d.counts).ifPresent(Helper::clear)),
          program(
              "a reference to an inherited method",
              d -> Optional.ofNullable(d.counts).ifPresent(new Clearer()::clear)),
          program(
              "a reference to a method of a class and one to the same of its subclass",
              d -> {
                Clearing<int[]> clearing = new Clearer();
                Optional.ofNullable(d.counts).ifPresent(new Clearer()::clear);
                Optional.ofNullable(d.counts).ifPresent(clearing::clear);
              }),
          program("a reference to one's own inherited method", new Clearer()::clearCounts),
          program(
              "a reference to an inherited method of any object",
              d -> {
                BiConsumer<Clearer, int[]> clear = Clearer::clear;
                clear.accept(new Clearer(), d.counts);
              }),
          program(
              "a function",
              d -> {
                Consumer<int[]> clear = Helper::clear;
                clear.accept(d.counts);
              }));
    }

    static Stream<Named<Consumer<Depot>>> keeping() {
      return Stream.of(
          program("an object of a helper", d -> new Helper(d.counts).change()),
          program(
              "a helper that keeps the array",
              d -> {
                Helper.keep(d.counts);
                Helper.changeKept();
              }),
          program("a buffer", d -> ByteBuffer.wrap(d.bytes).put((byte) 5)));
    }
  }

  static Stream<Named<Consumer<Depot>>> programs() {
    return Programs.all();
  }

  /** Other code keeps the array and changes it later. */
  static Stream<Named<Consumer<Depot>>> keepingPrograms() {
    return Programs.keeping();
  }

  @TempDir Path directory;

  private void check(Consumer<Depot> program, boolean inTransaction) {
    Depot plain = new Depot();
    program.accept(plain);
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      if (inTransaction) {
        store.transaction(() -> program.accept(depot));
      } else {
        program.accept(depot);
      }
      assertEquals(plain.text(), depot.text());
    }
    try (PmStore store = PmStore.open(directory)) {
      assertEquals(plain.text(), store.root(Depot.class).text());
    }
  }

  @ParameterizedTest
  @MethodSource({"programs", "keepingPrograms"})
  void inATransaction(Consumer<Depot> program) {
    check(program, true);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void outsideOfTransactions(Consumer<Depot> program) {
    check(program, false);
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void anArrayIsFollowedAfterTheTransactionThatAssignedIt() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] mine = new int[2];
      store.transaction(
          () -> {
            depot.counts = mine;
            mine[0] = 1;
          });
      mine[1] = 2;
      store.transaction(() -> Helper.clear(mine));
      mine[1] = 3;
      assertArrayEquals(mine, depot.counts);
    }
    try (PmStore store = PmStore.open(directory)) {
      assertArrayEquals(new int[] {0, 3}, store.root(Depot.class).counts);
    }
  }

  @Test
  void anArrayOfTwoObjectsIsFollowedInBoth() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] shared = new int[2];
      depot.counts = shared;
      depot.grid[0] = shared;
      shared[1] = 2;
      assertArrayEquals(shared, depot.counts);
      assertArrayEquals(shared, depot.grid[0]);
    }
  }

  @Test
  void anArrayIsPlainAfterTheRollBackOfItsAssignment() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] mine = new int[2];
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    depot.counts = mine;
                    mine[0] = 7;
                    throw new RollBack();
                  }));
      mine[1] = 8;
      assertArrayEquals(new int[] {3, 1, 2}, depot.counts);
      depot.counts = mine;
      mine[1] = 9;
      assertArrayEquals(new int[] {7, 9}, depot.counts);
    }
  }

  @Test
  void aRollBackUndoesWhatOtherCodeChanged() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] counts = depot.counts;
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    Helper.clear(counts);
                    throw new RollBack();
                  }));
      assertArrayEquals(new int[] {3, 1, 2}, counts, "a body that runs again finds it so");
      assertArrayEquals(counts, depot.counts);
    }
  }

  @Test
  void aChangeByOtherCodeOfAnArrayThatWasReplacedIsRefused() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] counts = depot.counts;
      depot.counts = new int[1];
      assertThrows(IllegalStateException.class, () -> Helper.clear(counts));
      depot.counts = new int[] {1};
      int[] later = depot.counts;
      depot.counts = new int[2];
      assertThrows(IllegalStateException.class, () -> store.transaction(() -> Helper.clear(later)));
      assertArrayEquals(new int[2], depot.counts);
    }
  }

  @Test
  void aRollBackLeavesArraysOfOtherObjectsFollowed() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] counts = depot.counts;
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    Depot other = new Depot();
                    other.counts = counts;
                    depot.next = other;
                    throw new RollBack();
                  }));
      counts[0] = 5;
      assertArrayEquals(new int[] {5, 1, 2}, depot.counts);
    }
  }

  @Test
  void anArrayIsFollowedAfterTheRollBackOfItsSecondAssignment() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] mine = new int[2];
      depot.counts = mine;
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    depot.counts = new int[1];
                    depot.counts = mine;
                    throw new RollBack();
                  }));
      mine[1] = 8;
      assertArrayEquals(new int[] {0, 8}, depot.counts);
    }
  }

  @Test
  void arraysThatWereAssignedOneAfterTheOtherArePlainAfterTheRollBack() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      int[] first = new int[2];
      int[] second = new int[2];
      assertThrows(
          RollBack.class,
          () ->
              store.transaction(
                  () -> {
                    depot.counts = first;
                    depot.counts = second;
                    throw new RollBack();
                  }));
      first[0] = 7;
      second[0] = 8;
      assertArrayEquals(new int[] {3, 1, 2}, depot.counts);
    }
  }

  @Test
  void aTransactionReadsAnArrayOfAnotherStoreAndMayNotChangeIt() {
    try (PmStore store = PmStore.open(directory.resolve("a"));
        PmStore other = PmStore.open(directory.resolve("b"))) {
      int[] counts = store.root(Depot.class).counts;
      Depot depot = other.root(Depot.class);
      other.transaction(() -> depot.any = new int[] {Helper.sum(counts)});
      assertArrayEquals(new int[] {6}, (int[]) depot.any);
      assertThrows(
          IllegalStateException.class, () -> other.transaction(() -> Helper.clear(counts)));
      assertArrayEquals(new int[] {3, 1, 2}, store.root(Depot.class).counts);
    }
  }

  @Test
  void anArrayOfAClosedStoreIsPlain() {
    int[] mine = {1, 2};
    try (PmStore store = PmStore.open(directory.resolve("a"))) {
      store.root(Depot.class).counts = mine;
    }
    mine[0] = 3;
    try (PmStore other = PmStore.open(directory.resolve("b"))) {
      Depot depot = other.root(Depot.class);
      other.transaction(() -> depot.any = new int[] {Helper.sum(mine)});
      assertArrayEquals(new int[] {5}, (int[]) depot.any);
      depot.counts = mine;
      mine[1] = 4;
      assertArrayEquals(new int[] {3, 4}, depot.counts);
    }
  }

  @Test
  void aChangeOfAnArrayThatVeryManyObjectsHaveIsRefused() {
    int[] constant = {1, 2};
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      store.transaction(
          () -> {
            for (int i = 0; i < 300; i++) {
              Depot next = new Depot();
              next.counts = constant;
              next.next = depot.next;
              depot.next = next;
            }
          });
      assertEquals(3, Helper.sum(constant));
      store.transaction(() -> assertEquals(3, Helper.sum(constant)));
      String message =
          assertThrows(IllegalStateException.class, () -> Helper.clear(constant)).getMessage();
      assertTrue(message.contains("256"), message);
      assertArrayEquals(new int[] {1, 2}, depot.next.counts);
      depot.next.counts[0] = 7;
      assertArrayEquals(new int[] {7, 2}, depot.next.counts);
      assertArrayEquals(new int[] {1, 2}, depot.next.next.counts);
    }
  }

  @Test
  void codeThatOnlyReadsAnArrayCommitsNothing() {
    try (PmStore store = PmStore.open(directory)) {
      Depot depot = store.root(Depot.class);
      long before = store.metrics().transactions().commits();
      assertEquals(6, Helper.sum(depot.counts));
      store.transaction(() -> Helper.sum(depot.counts));
      assertEquals(before, store.metrics().transactions().commits());
      store.snapshot(
          () -> {
            assertEquals(6, Helper.sum(depot.counts));
          });
    }
  }
}
