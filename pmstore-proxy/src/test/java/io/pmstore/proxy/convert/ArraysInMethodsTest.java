package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Methods that change elements of arrays have the same effect on a persistent object as on a plain
 * one.
 */
class ArraysInMethodsTest extends StoreTest {

  /** A value with an array in it. */
  record Series(String name, int[] values) {}

  /** Arrays of several kinds, and methods that change them in every way of the language. */
  @Persistent(root = "board")
  @SuppressWarnings("JavaUtilDate") // users have such values
  static class Board {
    private int[] counts = new int[4];
    private long[][] grid = new long[3][2];
    private boolean[] flags = new boolean[2];
    private String[] names = {"a", "b", "c"};
    private Board @Nullable [] parts;
    private Object anything = new double[] {1, 2};
    private Date day = new Date(0);
    private Series series = new Series("s", new int[2]);
    private Optional<int[]> maybe = Optional.of(new int[2]);
    private int calls;

    int[] getCounts() {
      return counts;
    }

    void setCounts(int[] counts) {
      this.counts = counts;
    }

    void setDay(Date day) {
      this.day = day;
    }

    void increment(int i) {
      counts[i]++;
    }

    void put(int row, int column, long value) {
      grid[row][column] = value;
    }

    void replaceRow(int row) {
      grid[row] = new long[] {row, 7};
    }

    void fill(int value) {
      Arrays.fill(counts, value);
    }

    void sortNames() {
      names[0] = "z";
      Arrays.sort(names, Collections.reverseOrder());
    }

    void alias() {
      int[] c = counts;
      c[1] = 1;
      assertSame(c, counts);
      assertEquals(1, counts[1]);
      counts[1]++;
      assertEquals(2, c[1]);
    }

    void copyWithin() {
      System.arraycopy(counts, 0, counts, 1, 3);
    }

    void byHelper(int value) {
      change(this.counts, value);
      Helper.change(counts, value + 1);
    }

    private static void change(int[] array, int value) {
      array[2] = value;
    }

    void byGetter(int i) {
      getCounts()[i] += 5;
    }

    void byLambda() {
      IntStream.range(0, 3).forEach(i -> counts[i] += i);
    }

    void byAnonymousClass() {
      IntConsumer consumer =
          new IntConsumer() {
            @Override
            public void accept(int i) {
              counts[i] -= i;
            }
          };
      consumer.accept(2);
    }

    IntConsumer handedOut() {
      return i -> counts[i]++;
    }

    IntConsumer objectHandedOut() {
      return new IntConsumer() {
        @Override
        public void accept(int i) {
          grid[i][i] = 1;
        }
      };
    }

    void flip() {
      flags[1] = !flags[1];
    }

    void inObject() {
      ((double[]) anything)[1] *= 3;
    }

    void inRecord() {
      series.values()[1]++;
    }

    void inOptional() {
      maybe.orElseThrow()[1]++;
    }

    void nextDay() {
      day.setTime(day.getTime() + 86_400_000);
    }

    void replaced() {
      int[] old = counts;
      counts = new int[] {1, 2, 3, 4};
      old[0] = 99; // nobody's any more
      counts[3] = 5;
      setCounts(counts);
      counts[2]++;
    }

    void set(int[] mine) {
      counts = mine;
      mine[0] = 42;
    }

    void swap() {
      int[] one = counts;
      counts = series.values();
      one[0] = 3;
      counts = one;
      one[1] = 4;
    }

    void ofAnother(Board other) {
      other.counts[0] = counts[0] + 1;
      counts[0] = other.counts[0] + 1;
    }

    void makeParts() {
      parts = new Board[2];
      parts[0] = new Board();
      parts[0].calls = 5;
      parts[1] = parts[0];
      parts[1].counts[1] = 8;
    }

    void changeParts() {
      Board[] mine = parts;
      if (mine != null) {
        mine[1] = this;
        mine[0].counts[0]++;
      }
    }

    int failing() {
      counts[0] = 1000;
      calls = 1000;
      throw new IllegalStateException("no");
    }

    int calls() {
      return calls;
    }

    int sum() {
      int sum = 0;
      for (int i = 0; i < counts.length; i++) {
        sum += counts[i];
      }
      return sum;
    }

    String text() {
      Board[] mine = parts;
      String others =
          mine == null ? "" : mine.length + " " + mine[0].text() + " " + (mine[0] == mine[1]);
      return Arrays.toString(counts)
          + Arrays.deepToString(grid)
          + Arrays.toString(flags)
          + Arrays.toString(names)
          + Arrays.toString((double[]) anything)
          + day.getTime()
          + series.name()
          + Arrays.toString(series.values())
          + Arrays.toString(maybe.orElseThrow())
          + calls
          + others;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Board board && Arrays.equals(counts, board.counts);
    }

    @Override
    public int hashCode() {
      return Objects.hash(Arrays.hashCode(counts), calls);
    }
  }

  /** Of somebody else. */
  static final class Helper {
    private Helper() {}

    static void change(int[] array, int value) {
      array[3] = value;
    }
  }

  private static final List<BiConsumer<Board, Random>> METHODS =
      List.of(
          (b, r) -> b.increment(r.nextInt(4)),
          (b, r) -> b.put(r.nextInt(3), r.nextInt(2), r.nextInt(100)),
          (b, r) -> b.replaceRow(r.nextInt(3)),
          (b, r) -> b.fill(r.nextInt(9)),
          (b, r) -> b.sortNames(),
          (b, r) -> b.alias(),
          (b, r) -> b.copyWithin(),
          (b, r) -> b.byHelper(r.nextInt(50)),
          (b, r) -> b.byGetter(r.nextInt(4)),
          (b, r) -> b.byLambda(),
          (b, r) -> b.byAnonymousClass(),
          (b, r) -> b.flip(),
          (b, r) -> b.inObject(),
          (b, r) -> b.inRecord(),
          (b, r) -> b.inOptional(),
          (b, r) -> b.nextDay(),
          (b, r) -> b.replaced(),
          (b, r) -> b.set(new int[] {r.nextInt(), 1, 2, 3}),
          (b, r) -> b.swap(),
          (b, r) -> b.ofAnother(b),
          (b, r) -> {
            b.makeParts();
            b.changeParts();
            b.makeParts();
          });

  @Test
  void eachMethodDoesWhatItDoesOnAPlainObject() {
    for (int i = 0; i < METHODS.size(); i++) {
      Board plain = new Board();
      Board kept = store().root("board" + i, Board.class);
      METHODS.get(i).accept(plain, new Random(i));
      METHODS.get(i).accept(kept, new Random(i));
      assertEquals(plain.text(), kept.text(), "method " + i);
      METHODS.get(i).accept(plain, new Random(i));
      int method = i;
      store().transaction(() -> METHODS.get(method).accept(kept, new Random(method)));
      assertEquals(plain.text(), kept.text(), "method in a transaction " + i);
      reopen();
      assertEquals(plain.text(), store().root("board" + i, Board.class).text(), "reopened " + i);
    }
  }

  @Test
  void manyMethodsInOneTransactionSeeWhatTheyWrote() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    Random random = new Random(seed);
    Board plain = new Board();
    for (int round = 0; round < 30; round++) {
      Board kept = store().root(Board.class);
      List<BiConsumer<Board, Random>> chosen = new ArrayList<>(METHODS);
      Collections.shuffle(chosen, random);
      List<BiConsumer<Board, Random>> methods = chosen.subList(0, random.nextInt(METHODS.size()));
      long inputs = random.nextLong();
      Random forPlain = new Random(inputs);
      methods.forEach(method -> method.accept(plain, forPlain));
      store()
          .transaction(
              () -> {
                Random forKept = new Random(inputs);
                methods.forEach(method -> method.accept(kept, forKept));
                assertEquals(plain.text(), kept.text(), "pmstore.seed=" + seed);
              });
      assertEquals(plain.text(), kept.text(), "pmstore.seed=" + seed);
      reopen();
    }
    assertEquals(plain.text(), store().root(Board.class).text(), "pmstore.seed=" + seed);
  }

  @Test
  void whatAMethodChangedBeforeItThrewIsUndone() {
    Board board = store().root(Board.class);
    assertThrows(IllegalStateException.class, board::failing);
    assertArrayEquals(new int[4], board.getCounts());
    assertEquals(0, board.calls());
  }

  @Test
  void whatAMethodHandsOutIsRefusedAfterItsEndInsteadOfLosingChanges() {
    Board board = store().root(Board.class);
    for (IntConsumer handedOut : List.of(board.handedOut(), board.objectHandedOut())) {
      String message =
          assertThrows(IllegalStateException.class, () -> handedOut.accept(0)).getMessage();
      assertTrue(message.contains("Board that changes elements of an array"), message);
    }
    Board plain = new Board();
    plain.handedOut().accept(0);
    assertEquals(1, plain.sum());
  }

  @Test
  void aGetterOutsideOfItsClassReturnsACopy() {
    Board board = store().root(Board.class);
    assertNotSame(board.getCounts(), board.getCounts());
    board.getCounts()[0] = 5;
    store().transaction(() -> board.getCounts()[0] = 5);
    assertEquals(0, board.sum());
  }

  @Test
  void anArrayThatIsChangedAfterItWasSetIsStoredAsTheTransactionLeavesIt() {
    Board board = store().root(Board.class);
    int[] mine = {1, 2, 3, 4};
    store()
        .transaction(
            () -> {
              board.setCounts(mine);
              mine[0] = 10;
              assertSame(mine, board.getCounts());
            });
    mine[1] = 20;
    assertArrayEquals(new int[] {10, 2, 3, 4}, board.getCounts());
  }

  /** A body that runs again would otherwise begin with what its first run has changed. */
  @Test
  void aRollBackUndoesWhatMethodsChangedInAnArrayOfTheProgram() {
    Board board = store().root(Board.class);
    int[] mine = {1, 2, 3, 4};
    Date day = new Date(7);
    for (int i = 0; i < 2; i++) {
      rolledBack(
          () -> {
            board.setCounts(mine);
            board.setDay(day);
            board.increment(0);
            board.increment(0);
            board.nextDay();
            assertEquals(3, mine[0]);
          });
      assertArrayEquals(new int[] {1, 2, 3, 4}, mine);
      assertEquals(new Date(7), day);
    }
    store()
        .transaction(
            () -> {
              board.setCounts(mine);
              board.increment(0);
            });
    assertArrayEquals(new int[] {2, 2, 3, 4}, mine);
    assertArrayEquals(mine, board.getCounts());
  }

  /** A record of arrays and plain collections. */
  @SuppressWarnings("ArrayRecordComponent") // users have such records
  record Tally(int[] counts, List<String> names, Map<String, Integer> sums, List<String> fixed) {}

  /** A class whose methods change the collections in a record and in an array. */
  @Persistent
  static class Register {
    private @Nullable Tally tally;
    private Object @Nullable [] lists;

    void setTally(Tally tally) {
      this.tally = tally;
    }

    void setLists(Object[] lists) {
      this.lists = lists;
    }

    void note(String name) {
      tally.counts()[0]++;
      tally.names().add(name);
      tally.sums().merge(name, 1, Integer::sum);
      tally.fixed().set(0, name);
      lists[0] = name;
      ((List<?>) lists[1]).removeFirst();
    }

    List<Object> all() {
      return text(tally, lists);
    }
  }

  private static List<Object> text(Tally tally, Object[] lists) {
    return List.of(
        tally.counts()[0],
        new ArrayList<>(tally.names()),
        new TreeMap<>(tally.sums()),
        new ArrayList<>(tally.fixed()),
        lists[0],
        new ArrayList<>((List<?>) lists[1]));
  }

  private static Tally tally() {
    return new Tally(
        new int[1],
        new ArrayList<>(List.of("a")),
        new HashMap<>(Map.of("a", 1)),
        Arrays.asList("f", "g"));
  }

  private static Object[] lists() {
    return new Object[] {"", new ArrayList<>(List.of("b", "c"))};
  }

  @Test
  void aRollBackUndoesWhatMethodsChangedInCollectionsOfSuchValues() {
    Register register = store().root("register", Register.class);
    Tally mine = tally();
    Object[] lists = lists();
    for (int i = 0; i < 2; i++) {
      rolledBack(
          () -> {
            register.setTally(mine);
            register.setLists(lists);
            register.note("x");
            register.note("y");
          });
      assertEquals(text(tally(), lists()), text(mine, lists));
    }
    store()
        .transaction(
            () -> {
              register.setTally(mine);
              register.setLists(lists);
              register.note("x");
            });
    Register plain = new Register();
    plain.setTally(tally());
    plain.setLists(lists());
    plain.note("x");
    assertEquals(plain.all(), register.all());
  }

  @Test
  void twoThreadsCountInOneArrayAndLoseNothing() throws InterruptedException {
    Board board = store().root(Board.class);
    int each = 300;
    Runnable count = () -> IntStream.range(0, each).forEach(i -> board.increment(i & 3));
    Thread other = new Thread(count);
    other.start();
    count.run();
    other.join();
    assertEquals(2 * each, board.sum());
    assertTrue(board.equals(board));
  }
}
