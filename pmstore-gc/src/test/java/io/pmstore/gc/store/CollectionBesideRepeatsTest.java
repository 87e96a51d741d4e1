package io.pmstore.gc.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GcReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.heap.JavaGarbage;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A collection lets transactions that run again end before it frees more. Here there is always one,
 * and the collection keeps a part of the time for itself.
 */
@Timeout(120)
class CollectionBesideRepeatsTest {
  private static final int TEXTS = 30_000; // each an entry and the bytes of a text
  private static final int EACH = 1000; // texts of a transaction
  private static final int BATCH = 256; // objects that one transaction of the collector frees
  private static final int THREADS = 2;
  private static final long RUN_NANOS = 20_000_000;

  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong repeats = new AtomicLong();

  @TempDir Path directory;

  @Test
  void theCollectorFreesManyBatchesForEachTransactionThatItLetsEnd() throws Exception {
    try (PmStore store =
        PmStore.open(directory.resolve("store"), PmStoreOptions.defaults().gcInBackground(false))) {
      Part root = store.root(Part.class);
      WeakReference<?> texts = addTexts(store, root);
      root.setTexts(new HashMap<>());
      JavaGarbage.collect(texts);
      CountDownLatch begun = new CountDownLatch(THREADS);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Part part = store.create(Part.class);
        threads.add(Thread.ofPlatform().start(() -> repeatForEver(store, part, begun)));
      }
      begun.await();
      long before = repeats.get();
      GcReport report = store.gc();
      long awaited = repeats.get() - before;
      ended.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      long batches = report.freedObjects() / BATCH;
      System.out.println(batches + " batches beside " + awaited + " transactions");
      assertTrue(batches > TEXTS / BATCH, report::toString);
      assertTrue(
          2 * awaited < batches,
          () -> awaited + " transactions ended while " + batches + " batches were freed");
    }
  }

  private static WeakReference<?> addTexts(PmStore store, Part root) {
    root.setTexts(new HashMap<>());
    for (int from = 0; from < TEXTS; from += EACH) {
      long first = from;
      store.transaction(
          () -> {
            for (long i = first; i < first + EACH; i++) {
              root.getTexts().put(i, "a text that is longer than what lies in line, " + i);
            }
          });
    }
    return new WeakReference<>(root.getTexts());
  }

  /**
   * Runs transactions one after the other, each of which conflicts once, and ends when one of
   * another thread runs again too.
   */
  private void repeatForEver(PmStore store, Part part, CountDownLatch begun) {
    while (!ended.get()) {
      int[] runs = {0};
      store.transaction(
          () -> {
            part.getName();
            if (runs[0]++ == 0) {
              CompletableFuture.runAsync(() -> part.setName("other")).join();
              part.getName(); // conflicts
            } else {
              begun.countDown();
              long mine = repeats.incrementAndGet();
              do {
                LockSupport.parkNanos(RUN_NANOS);
              } while (repeats.get() == mine && !ended.get());
            }
          });
    }
  }
}
