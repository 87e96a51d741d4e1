package io.pmstore.core.engine.mapped.commit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.log.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The high-water mark of the log advances over written records and never over a gap; a thread that
 * waits behind a gap fills it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WrittenPrefixTest {
  private final EngineState state = new EngineState(Path.of("store"));
  private final Map<Long, byte[]> helped = new ConcurrentHashMap<>();
  private final WrittenPrefix prefix =
      new WrittenPrefix(
          state,
          10,
          (commit, record) -> assertEquals(null, helped.put(commit.sequence(), record)),
          true);
  private final Phase phase = phase();

  private static Phase phase() {
    return new Phase(null, null, new DirtySet(4096), null);
  }

  private static LogPosition place(long sequence) {
    return new LogPosition((int) (sequence % 4), 4096 + 8 * sequence, sequence);
  }

  private static Placed placed(long sequence, Phase phase) {
    Placed placed = new Placed(new WriteSet(), null);
    placed.enter(place(sequence), phase);
    return placed;
  }

  /** A commit whose record is its sequence. */
  private Placed begun(long sequence, Phase in) {
    Placed placed = placed(sequence, in);
    placed.record(new byte[] {(byte) sequence, 1, 2}, 2, 0, 0);
    prefix.begin(placed);
    return placed;
  }

  private void write(long sequence) {
    // As in a phase of its own, so that nobody helps.
    prefix.end(begun(sequence, phase()));
  }

  @Test
  void aGapHoldsUpWhatIsBehindItUntilItIsFilled() {
    write(12);
    write(13);
    assertEquals(10, prefix.sequence());
    write(15);
    write(11);
    assertEquals(place(13), prefix.last());
    prefix.await(13);
    write(14);
    assertEquals(place(15), prefix.last());
  }

  @Test
  void whoWaitsBehindAGapThatNobodyFillsIsToldOfTheFailure() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      write(12);
      Future<?> behindGap = threads.submit(() -> prefix.await(12));
      Future<?> farAhead = threads.submit(() -> write(5000));
      Future<?> commit =
          threads.submit(
              () -> {
                prefix.await(begun(13, phase));
                return null;
              });
      IOException cause = new IOException("write failed");
      state.fail(cause);
      for (Future<?> waiting : List.of(behindGap, farAhead, commit)) {
        Throwable told = assertThrows(Exception.class, waiting::get).getCause();
        assertEquals(StoreFailedException.class, told.getClass());
        assertEquals(cause, told.getCause());
      }
    }
  }

  @Test
  void whoWaitsWritesTheRecordsOfThreadsThatDoNotGoOn() throws IOException {
    Placed first = begun(11, phase);
    Placed second = begun(12, phase);
    Placed own = begun(13, phase);
    prefix.end(own);
    prefix.await(own);
    assertEquals(place(13), prefix.last());
    assertArrayEquals(new byte[] {11, 1}, helped.get(11L));
    assertArrayEquals(new byte[] {12, 1}, helped.get(12L));
    prefix.end(second); // they go on at last
    prefix.end(first);
    prefix.await(first);
    assertEquals(place(13), prefix.last());
    assertEquals(2, helped.size());
  }

  /** Its place may become another record's as soon as the other phase is quiet. */
  @Test
  void nobodyWritesTheRecordOfAnotherPhase() throws Exception {
    Placed other = begun(11, phase());
    Placed own = begun(12, phase);
    prefix.end(own);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> waiting =
          threads.submit(
              () -> {
                prefix.await(own);
                return null;
              });
      Thread.sleep(20); // nothing tells that a thread does not do something
      assertFalse(waiting.isDone());
      prefix.end(other);
      waiting.get();
    }
    assertEquals(Map.of(), helped);
  }

  /** A helper that fails is a commit that fails; the engine does not go on after that. */
  @Test
  void whoCannotWriteTheRecordOfAnotherFails() {
    WrittenPrefix failing =
        new WrittenPrefix(
            state,
            10,
            (commit, record) -> {
              throw new IOException("no more");
            },
            true);
    Placed stuck = placed(11, phase);
    stuck.record(new byte[8], 8, 0, 0);
    failing.begin(stuck);
    Placed own = placed(12, phase);
    failing.begin(own);
    failing.end(own);
    assertEquals("no more", assertThrows(IOException.class, () -> failing.await(own)).getMessage());
    assertEquals(10, failing.sequence());
  }

  /**
   * The thread of a commit uses the array for its next record as soon as the record is written, and
   * other threads may be copying it then.
   */
  @Test
  void noHelperWritesWhatIsNotTheRecord() throws Exception {
    int threads = 4;
    int each = 20_000;
    AtomicLong next = new AtomicLong(10);
    WrittenPrefix checking =
        new WrittenPrefix(
            state,
            10,
            (commit, record) -> {
              for (byte b : record) {
                assertEquals((byte) commit.sequence(), b, "a byte of " + commit.sequence());
              }
            },
            true);
    CountDownLatch begin = new CountDownLatch(threads);
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        ends.add(
            executor.submit(
                () -> {
                  byte[] record = new byte[512];
                  begin.countDown();
                  begin.await();
                  for (int i = 0; i < each; i++) {
                    Placed placed = placed(next.incrementAndGet(), phase);
                    Arrays.fill(record, (byte) placed.sequence());
                    placed.record(record, record.length, 0, 0);
                    checking.begin(placed);
                    if (i % 16 == 0) {
                      Thread.yield(); // the others have to help
                    }
                    checking.end(placed);
                    Arrays.fill(record, (byte) -1);
                    checking.await(placed);
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertEquals(place(10 + (long) threads * each), checking.last());
  }

  /** More threads than there is room for at once, and so many records that all room is reused. */
  @Test
  void nobodyIsLeftBehind() throws Exception {
    int threads = 1500;
    int each = 40;
    AtomicLong next = new AtomicLong(10);
    WrittenPrefix helping = new WrittenPrefix(state, 10, (commit, record) -> {}, true);
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < threads; t++) {
        ends.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    Placed placed = placed(next.incrementAndGet(), phase);
                    helping.begin(placed);
                    helping.end(placed);
                    helping.await(placed);
                    LogPosition last = helping.last();
                    assertTrue(last.sequence() >= placed.sequence());
                    assertEquals(place(last.sequence()), last);
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertEquals(place(10 + (long) threads * each), helping.last());
  }
}
