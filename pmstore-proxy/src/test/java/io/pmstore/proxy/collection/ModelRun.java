package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;

/**
 * Runs random operations on a persistent collection and a JDK collection beside it: in and outside
 * transactions, rolled back, reopened.
 */
abstract class ModelRun {
  TestStore store = new TestStore();

  /** Thrown to roll back. */
  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Does some operations on both. */
  abstract void steps(Random random, int count);

  /** Makes the model a copy of itself, which the returned action makes it again. */
  abstract Runnable remember();

  /** Finds the collection again in the store, which is another one. */
  abstract void find();

  /** Compares both, and checks the collection's structure. */
  abstract void compare();

  final void run(Random random, int rounds, int stepsMax) {
    for (int round = 0; round < rounds; round++) {
      int count = random.nextInt(stepsMax);
      switch (random.nextInt(4)) {
        case 0 -> store.in(() -> steps(random, count));
        case 1 -> {
          Runnable back = remember();
          assertThrows(
              RollBack.class,
              () ->
                  store.in(
                      () -> {
                        steps(random, count);
                        throw new RollBack();
                      }));
          back.run();
        }
        default -> steps(random, count);
      }
      if (random.nextInt(40) == 0) {
        store = store.reopen();
        find();
      }
      compare();
    }
  }
}
