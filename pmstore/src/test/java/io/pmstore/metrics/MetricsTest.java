package io.pmstore.metrics;

import static io.pmstore.Durability.SYNC;
import static io.pmstore.metrics.WatchedPrograms.add;
import static io.pmstore.metrics.WatchedPrograms.conflict;
import static io.pmstore.metrics.WatchedPrograms.rollBack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.LatencyHistogram;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link PmStore#metrics} against what a program is known to have done. */
@Timeout(120)
class MetricsTest {
  private static final Durability RELAXED = Durability.relaxed(Duration.ofSeconds(1));

  @TempDir Path parent;

  private PmStoreOptions options() {
    return PmStoreOptions.defaults().gcInBackground(false);
  }

  private PmStore open(Storage storage) {
    return PmStore.open(parent.resolve("store"), options().storage(storage));
  }

  @ParameterizedTest
  @EnumSource(
      value = Storage.class,
      names = {"FILE", "TIERED", "LLPL"})
  void transactionsAreCountedByTheirOutcome(Storage storage) {
    try (PmStore store = open(storage)) {
      Counter counter = store.root(Counter.class);
      StoreMetrics before = store.metrics();
      for (int i = 0; i < 10; i++) {
        int value = i;
        store.transaction(() -> counter.setValue(value));
      }
      counter.setValue(77); // a transaction of its own
      for (int i = 0; i < 5; i++) {
        store.transaction(() -> counter.getValue());
      }
      for (int i = 0; i < 3; i++) {
        rollBack(store, () -> counter.setValue(0));
      }
      long value = counter.getValue(); // outside: no transaction
      StoreMetrics after = store.metrics();
      assertEquals(77, value);
      assertEquals(11, after.transactions().commits() - before.transactions().commits());
      assertEquals(5, after.transactions().readOnly() - before.transactions().readOnly());
      assertEquals(3, after.transactions().rollbacks() - before.transactions().rollbacks());
      assertEquals(before.transactions().conflicts(), after.transactions().conflicts());
      assertEquals(0, after.transactions().active());
      assertEquals(
          11, after.transactions().objectsWritten() - before.transactions().objectsWritten());
      assertTrue(after.log().recordBytes() >= before.log().recordBytes() + 11 * 8);
    }
  }

  @Test
  void objectsAreCountedWhenTheyAreMadeAndFreed() {
    try (PmStore store = open(Storage.FILE)) {
      Counter root = store.root(Counter.class);
      add(store, SYNC, root, 1);
      StoreMetrics before = store.metrics();
      add(store, SYNC, root, 100);
      rollBack(store, () -> root.getOthers().add(store.create(Counter.class)));
      StoreMetrics made = store.metrics();
      long objects = made.heap().objectsMade() - before.heap().objectsMade();
      assertTrue(objects >= 200 && objects < 260, () -> objects + " with their lists and nodes");
      assertTrue(made.heap().bytesMade() - before.heap().bytesMade() >= 100 * 24);
      assertTrue(made.heap().javaObjects() >= 100, made::toString);
      store.transaction(() -> root.getOthers().clear());
      System.gc();
      var report = store.gc();
      StoreMetrics freed = store.metrics();
      assertTrue(freed.heap().objectsFreed() > before.heap().objectsFreed(), freed::toString);
      assertTrue(freed.heap().bytesFreed() > before.heap().bytesFreed());
      assertEquals(1, freed.collections().count());
      assertEquals(report, freed.collections().last().orElseThrow());
      assertEquals(
          store.statistics().freedObjects(), store.metrics().heap().objectsFreed(), "two ways");
    }
  }

  @Test
  void eachSyncedCommitIsTimed() {
    try (PmStore store = open(Storage.FILE)) {
      Counter counter = store.root(Counter.class);
      StoreMetrics before = store.metrics();
      long syncs = before.log().syncs().orElseThrow();
      long began = System.nanoTime();
      for (int i = 0; i < 50; i++) {
        counter.setValue(i);
      }
      long took = System.nanoTime() - began;
      StoreMetrics.Transactions after = store.metrics().transactions();
      LatencyHistogram latency = after.commitLatency().since(before.transactions().commitLatency());
      // A disk that syncs in less than 20 us would not have each of them timed.
      assertTrue(latency.count() > 0, latency::toString);
      assertTrue(after.commitLatency().count() <= after.commits(), after::toString);
      assertTrue(latency.sumNanos() > 0, latency::toString);
      assertTrue(latency.meanNanos() <= 1.5 * took / 50, () -> latency + ", in all " + took);
      assertEquals(50, store.metrics().log().syncs().orElseThrow() - syncs);
    }
  }

  @Test
  void ofManyShortCommitsSomeAreTimedAndStandForAll() {
    try (PmStore store = open(Storage.FILE)) {
      Counter counter = store.root(Counter.class);
      int commits = 200_000;
      long began = System.nanoTime();
      for (int i = 0; i < commits; i++) {
        int value = i;
        store.transaction(RELAXED, () -> counter.setValue(value));
      }
      long took = System.nanoTime() - began;
      LatencyHistogram latency = store.metrics().transactions().commitLatency();
      assertTrue(
          latency.count() > commits - 2_100 && latency.count() <= commits + 10, latency::toString);
      // Not the mean: one commit that waited for a processor may stand for 1,024.
      long median = latency.percentileNanos(50);
      assertTrue(median > 0 && median < 1.5 * took / commits, () -> latency + ", in all " + took);
    }
  }

  @Test
  void conflictsAreCounted() throws Exception {
    try (PmStore store = open(Storage.FILE)) {
      Counter counter = store.root(Counter.class);
      StoreMetrics.Transactions before = store.metrics().transactions();
      conflict(store, counter);
      assertEquals(11, counter.getValue());
      StoreMetrics.Transactions transactions = store.metrics().transactions();
      assertEquals(1, transactions.conflicts() - before.conflicts(), transactions::toString);
      assertEquals(2, transactions.commits() - before.commits());
      assertEquals(0, transactions.aloneRuns());
    }
  }

  @Test
  void whatThreadsCountedStaysWhenTheyHaveEnded() throws Exception {
    try (PmStore store = open(Storage.FILE)) {
      Counter counter = store.root(Counter.class);
      long before = store.metrics().transactions().commits();
      for (int round = 0; round < 20; round++) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          threads.add(
              Thread.ofVirtual()
                  .start(() -> store.transaction(RELAXED, () -> counter.setValue(1))));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        System.gc(); // their transactions are gone
        assertEquals(10 * (round + 1), store.metrics().transactions().commits() - before);
      }
    }
  }

  @Test
  void checkpointsAndTheLogAreThere() {
    Instant began = Instant.now();
    try (PmStore store =
        PmStore.open(
            parent.resolve("store"), options().storage(Storage.FILE).logSegmentSize(1 << 20))) {
      Counter root = store.root(Counter.class);
      StoreMetrics before = store.metrics();
      assertTrue(before.log().fileBytes().orElseThrow() >= 1 << 20);
      long recovery = before.log().recoveryBytes().orElseThrow();
      add(store, SYNC, root, 1000);
      StoreMetrics one = store.metrics();
      assertTrue(one.log().recoveryBytes().orElseThrow() > recovery, one::toString);
      assertTrue(one.log().dirtyBytes().orElseThrow() > 0, one::toString);
      for (int i = 0; store.metrics().checkpoints().last().isEmpty() && i < 100_000; i++) {
        add(store, RELAXED, root, 100);
      }
      StoreMetrics.Checkpoints checkpoints = store.metrics().checkpoints();
      StoreMetrics.Checkpoint last = checkpoints.last().orElseThrow();
      assertTrue(checkpoints.count() >= 1 && checkpoints.writtenBytes() >= last.writtenBytes());
      assertTrue(last.writtenBytes() > 0 && last.took().isPositive(), last::toString);
      assertFalse(last.ended().isBefore(began), last::toString);
    }
  }

  @Test
  void openTransactionsAndSnapshotsAreSeenFromInside() {
    try (PmStore store = open(Storage.FILE)) {
      store.transaction(() -> assertEquals(1, store.metrics().transactions().active()));
      store.snapshot(() -> assertEquals(1, store.metrics().transactions().snapshots()));
      assertEquals(0, store.metrics().transactions().active());
      assertEquals(0, store.metrics().transactions().snapshots());
    }
  }

  @Test
  void aReadOnlyStoreHasMetricsAndAClosedOneHasNone() {
    open(Storage.FILE).close();
    PmStore store = PmStore.open(parent.resolve("store"), options().readOnly(true));
    assertEquals(0, store.metrics().transactions().commits());
    assertTrue(store.metrics().log().dirtyBytes().isEmpty());
    store.close();
    assertThrows(StoreClosedException.class, store::metrics);
  }
}
