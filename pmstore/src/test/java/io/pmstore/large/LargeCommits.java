package io.pmstore.large;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.PmStore;
import java.util.List;

/** Transactions of some 11 MB, one after the other, of which a depot says which it holds. */
final class LargeCommits {
  private static final int TEXT = 10_000_000;
  private static final int ITEMS = 5_000;
  private static final int NUMBERS = 20_000;

  private LargeCommits() {}

  /** Commits the transaction of a number, which is one more than what the depot holds. */
  static void commit(PmStore store, Depot depot, int number) {
    commit(store, depot, number, () -> {});
  }

  /** Commits one, with an action at the end of the body. */
  static void commit(PmStore store, Depot depot, int number, Runnable atItsEnd) {
    store.transaction(
        () -> {
          depot.setText(Depot.text(number, TEXT));
          Depot.addItems(store, depot, ITEMS);
          for (int n = 0; n < NUMBERS; n++) {
            depot.getNumbers().add(number);
          }
          for (int n = 0; n < depot.getNumbers().size(); n += NUMBERS / 2) {
            depot.getNumbers().set(n, number); // what was there before, too
          }
          atItsEnd.run();
        });
  }

  /** How many a depot holds; fails if it holds a part of one. */
  static int held(Depot depot) {
    List<Integer> numbers = depot.getNumbers();
    int held = numbers.size() / NUMBERS;
    assertEquals(held * NUMBERS, numbers.size(), "a part of the numbers");
    assertEquals((long) held * ITEMS, Depot.countItems(depot), "of the items");
    assertEquals(held == 0 ? "" : Depot.text(held, TEXT), depot.getText(), "the text");
    for (int n = 0; n < numbers.size(); n += NUMBERS / 2) {
      assertEquals(held, numbers.get(n), "the number at " + n);
    }
    if (held > 0) {
      assertEquals(held, numbers.getLast(), "the last number");
    }
    return held;
  }
}
