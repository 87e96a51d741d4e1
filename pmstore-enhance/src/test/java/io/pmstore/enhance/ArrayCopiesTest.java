package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.PmStore;
import io.pmstore.enhance.ArraysOfMethodsTest.Gauge;
import io.pmstore.enhance.ArraysOfMethodsTest.Helper;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other code changes several copies of one array, and rows of a grid. The store has the changes of
 * all of them, and a roll-back undoes all.
 */
class ArrayCopiesTest {
  @TempDir Path directory;

  private void withGauge(BiConsumer<PmStore, Gauge> body) {
    ArraysOfMethodsTest.withGauge(directory, body);
  }

  @Test
  void rowsThatOtherCodeHasSortedAreFollowed() {
    withGauge(
        (store, gauge) -> {
          int[][] grid = gauge.grid;
          store.transaction(() -> Helper.sort(grid));
          grid[0][1] = 8;
          grid[1][0] = 9;
          assertEquals("[3, 1, 2][4, 5][[3, 8], [9, 2]]0", gauge.text());
          Helper.sort(grid);
          grid[0][1] = 7;
          assertEquals("[3, 1, 2][4, 5][[9, 7], [3, 8]]0", gauge.text());
        });
  }

  @Test
  void twoCopiesThatATransactionChangesAreBothStored() {
    withGauge(
        (store, gauge) -> {
          int[] one = gauge.counts;
          int[] other = gauge.counts;
          int[] row = gauge.grid[0];
          int[] same = gauge.grid[0];
          store.transaction(
              () -> {
                one[0] = 9;
                other[1] = 8;
                row[0] = 7;
                same[1] = 6;
              });
          assertEquals("[9, 8, 2][4, 5][[7, 6], [3, 4]]0", gauge.text());
          one[2] = 5;
          row[0] = 4;
          assertEquals("[9, 8, 5][4, 5][[4, 6], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void twoCopiesThatOtherCodeChangesInATransactionAreBothStored() {
    withGauge(
        (store, gauge) -> {
          int[] row = gauge.grid[0];
          int[] same = gauge.grid[0];
          store.transaction(
              () -> {
                Helper.set(row, 0, 7);
                Helper.set(same, 1, 6);
              });
          assertEquals("[3, 1, 2][4, 5][[7, 6], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void aSecondCopyThatOtherCodeKeepsAndChangesLaterInTheTransactionIsStored() {
    withGauge(
        (store, gauge) -> {
          int[] one = gauge.counts;
          int[] other = gauge.counts;
          int[] row = gauge.grid[0];
          int[] same = gauge.grid[0];
          store.transaction(
              () -> {
                Helper.set(one, 0, 9);
                Helper.keep(other);
                Helper.setKept(2, 7);
                Helper.setKept(0, 3);
                Helper.setKept(0, 6);
                one[1] = 8;
                Helper.keep(row);
                Helper.keep(same);
                row[0] = 5;
                Helper.setKept(1, 4);
              });
          assertEquals("[6, 8, 7][4, 5][[5, 4], [3, 4]]0", gauge.text());
          other[1] = 1;
          assertEquals("[6, 1, 7][4, 5][[5, 4], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void aRollBackUndoesTheChangesOfASecondCopy() throws Exception {
    try (PmStore store = PmStore.open(directory)) {
      Gauge gauge = store.root(Gauge.class);
      int[] one = gauge.counts;
      int[] other = gauge.counts;
      ArraysOfMethodsTest.runTwice(
          store,
          gauge,
          () -> {
            one[0]++;
            other[1]++;
            Helper.keep(other);
            Helper.setKept(2, other[2] + 1);
          });
      assertEquals("[4, 2, 3][4, 5][[1, 2], [3, 4]]2", gauge.text());
    }
  }

  @Test
  void otherCodeMayChangeOneCopyWhileAFunctionChangesAnother() {
    withGauge(
        (store, gauge) -> {
          int[] one = gauge.counts;
          int[] other = gauge.counts;
          Helper.setAndGive(one, given -> other[2] = 7);
          assertEquals("[9, 8, 7][4, 5][[1, 2], [3, 4]]0", gauge.text());
          Helper.setAndGive(gauge.counts, given -> store.transaction(() -> Helper.set(one, 2, 6)));
          assertEquals("[9, 8, 6][4, 5][[1, 2], [3, 4]]0", gauge.text());
          int[] row = gauge.grid[1];
          Helper.setAndGive(gauge.grid[0], given -> row[0] = 5);
          assertEquals("[9, 8, 6][4, 5][[9, 8], [5, 4]]0", gauge.text());
        });
  }

  /** Returns the first row of a grid whose array is collected. */
  private static int[] rowAlone(Gauge gauge) {
    WeakReference<int[][]> whole = new WeakReference<>(gauge.grid);
    int[] row = whole.get()[0];
    while (!whole.refersTo(null)) {
      System.gc();
    }
    return row;
  }

  @Test
  void ofTwoCopiesOfARowThatOtherCodeGetsBothAreStored() {
    withGauge(
        (store, gauge) -> {
          int[] row = rowAlone(gauge);
          int[] same = rowAlone(gauge);
          store.transaction(
              () -> {
                Helper.set(row, 0, row[0]);
                Helper.set(same, 0, same[0]);
                row[0] = 7;
                same[1] = 6;
              });
          assertEquals("[3, 1, 2][4, 5][[7, 6], [3, 4]]0", gauge.text());
          row[0] = 5;
          assertEquals("[3, 1, 2][4, 5][[5, 6], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void twoRowsWhoseWholeArrayWasCollectedAreFollowed() {
    withGauge(
        (store, gauge) -> {
          WeakReference<int[][]> whole = new WeakReference<>(gauge.grid);
          int[] row = whole.get()[0];
          int[] other = whole.get()[1];
          while (!whole.refersTo(null)) {
            System.gc();
          }
          List<int[]> kept = new ArrayList<>();
          store.transaction(
              () -> {
                Helper.setAndGive(row, kept::add);
                Helper.setAndGive(other, kept::add);
                kept.forEach(array -> Helper.set(array, 0, 1 + array[0]));
              });
          assertEquals("[3, 1, 2][4, 5][[10, 8], [10, 8]]0", gauge.text());
          assertThrows(
              IllegalStateException.class,
              () ->
                  store.transaction(
                      () -> {
                        row[0] = 1;
                        Helper.set(other, 1, 1);
                        throw new IllegalStateException();
                      }));
          assertEquals("[10, 8][10, 8]", Arrays.toString(row) + Arrays.toString(other));
          assertEquals("[3, 1, 2][4, 5][[10, 8], [10, 8]]0", gauge.text());
        });
  }

  @Test
  void aCopyOfARowThatOtherCodeGetsBesideTheWholeArray() {
    withGauge(
        (store, gauge) -> {
          int[] row = rowAlone(gauge);
          int[][] grid = gauge.grid;
          int[] same = grid[0];
          store.transaction(
              () -> {
                Helper.keep(grid);
                Helper.set(row, 0, row[0]);
                same[0] = 7;
                row[1] = 6;
              });
          assertEquals("[3, 1, 2][4, 5][[7, 6], [3, 4]]0", gauge.text());
        });
  }

  @Test
  void aRowWhoseWholeArrayWasCollected() {
    withGauge(
        (store, gauge) -> {
          int[] row = rowAlone(gauge);
          gauge.rowByHelper(row);
          assertArrayEquals(new int[2], row);
          assertEquals("[3, 1, 2][4, 5][[0, 0], [3, 4]]0", gauge.text());
        });
  }
}
