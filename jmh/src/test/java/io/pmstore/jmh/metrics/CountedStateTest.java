package io.pmstore.jmh.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreMetrics;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls that are measured alone are those of a transaction. */
final class CountedStateTest {
  private static final int TRANSACTIONS = 50 * CountedState.COUNTERS;

  @TempDir Path directory;
  private CountedState state = new CountedState();

  @BeforeEach
  void open() throws Exception {
    System.setProperty(TemporaryDirectory.FILE, directory.toString());
    state.open();
  }

  @AfterEach
  void close() {
    state.close();
    System.clearProperty(TemporaryDirectory.FILE);
  }

  private static List<Long> difference(StoreMetrics after, StoreMetrics before) {
    StoreMetrics.Transactions a = after.transactions();
    StoreMetrics.Transactions b = before.transactions();
    return List.of(
        a.commits() - b.commits(),
        a.readOnly() - b.readOnly(),
        a.rollbacks() - b.rollbacks(),
        a.conflicts() - b.conflicts(),
        a.objectsWritten() - b.objectsWritten(),
        after.heap().objectsMade() - before.heap().objectsMade(),
        after.log().recordBytes() - before.log().recordBytes());
  }

  @Test
  void theyCountWhatATransactionCounts() {
    StoreMetrics first = state.store().metrics();
    for (int i = 0; i < TRANSACTIONS; i++) {
      state.transaction();
    }
    StoreMetrics second = state.store().metrics();
    for (int i = 0; i < TRANSACTIONS; i += CountedState.COUNTERS) {
      state.counting();
    }
    StoreMetrics third = state.store().metrics();
    assertEquals(difference(second, first), difference(third, second));
    assertEquals(TRANSACTIONS, second.transactions().commits() - first.transactions().commits());
  }

  @Test
  void theyRecordEventsWhileARecordingRuns() throws Exception {
    CountDownLatch recorded = new CountDownLatch(1);
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("pmstore.Transaction").withoutThreshold();
      stream.onEvent(
          "pmstore.Transaction",
          event -> {
            if (event.getString("outcome").equals("Committed")
                && event.getInt("objectsWritten") == 1) {
              recorded.countDown();
            }
          });
      stream.startAsync();
      for (int i = 0; i < TRANSACTIONS; i += CountedState.COUNTERS) {
        state.counting();
      }
      assertTrue(recorded.await(30, TimeUnit.SECONDS), "no event");
    }
  }
}
