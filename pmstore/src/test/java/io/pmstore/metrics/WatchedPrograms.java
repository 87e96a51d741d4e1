package io.pmstore.metrics;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import java.util.concurrent.CountDownLatch;

/** What the tests have a store do, to see it in metrics and in events. */
final class WatchedPrograms {
  private WatchedPrograms() {}

  /** Adds counters to a counter's others, in one transaction. */
  static void add(PmStore store, Durability durability, Counter to, int count) {
    store.transaction(
        durability,
        () -> {
          for (int i = 0; i < count; i++) {
            to.getOthers().add(store.create(Counter.class));
          }
        });
  }

  /** Runs a transaction that is rolled back behind its body. */
  static void rollBack(PmStore store, Runnable body) {
    assertThrows(
        IllegalStateException.class,
        () ->
            store.transaction(
                () -> {
                  body.run();
                  throw new IllegalStateException("on purpose");
                }));
  }

  /** Runs a transaction that adds 10 to 1, and conflicts with that of another thread once. */
  static void conflict(PmStore store, Counter counter) throws InterruptedException {
    CountDownLatch hasRead = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    hasRead.await();
                    counter.setValue(1);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  written.countDown();
                });
    store.transaction(
        () -> {
          long read = counter.getValue();
          hasRead.countDown();
          written.await(); // only in the first run: later ones find it done
          counter.setValue(read + 10);
        });
    other.join();
  }
}
