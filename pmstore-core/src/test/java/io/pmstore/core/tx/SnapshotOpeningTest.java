package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ReferenceMaps;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The moments at which a snapshot can open beside a commit, each made to happen: the commit is
 * stopped somewhere in the engine.
 */
class SnapshotOpeningTest {
  private static final int SHAPE = 3;

  /** Where a commit can be stopped. */
  private enum Step {
    BEFORE_ITS_POSITION,
    BEFORE_ITS_FIRST_CHANGE,
    BETWEEN_ITS_CHANGES
  }

  /** Stops one commit at a step until the test lets it go on, or has it fail there. */
  private static final class HoldingEngine extends ParallelEngine {
    volatile Step step = Step.BEFORE_ITS_POSITION;
    volatile Thread stopped = new Thread();
    volatile boolean fails;
    volatile Thread opener = new Thread();
    volatile Runnable whenOpenerReads = () -> {};
    volatile Runnable whenOpenerHasRead = () -> {};
    final CountDownLatch arrived = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    private int changes; // of the thread that is stopped

    @Override
    protected void beforePosition() {
      stopAt(Step.BEFORE_ITS_POSITION);
      if (fails && Thread.currentThread() == stopped) {
        throw new StoreFullException("as the test wants it");
      }
    }

    @Override
    protected void beforeApply() {
      if (Thread.currentThread() == stopped) {
        stopAt(changes++ == 0 ? Step.BEFORE_ITS_FIRST_CHANGE : Step.BETWEEN_ITS_CHANGES);
      }
    }

    @Override
    protected void beforePositionIsRead() {
      if (Thread.currentThread() == opener) {
        whenOpenerReads.run();
      }
    }

    @Override
    protected void afterPositionIsRead() {
      if (Thread.currentThread() == opener) {
        whenOpenerHasRead.run();
      }
    }

    private void stopAt(Step at) {
      if (Thread.currentThread() == stopped && at == step) {
        arrived.countDown();
        try {
          assertTrue(go.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private final HoldingEngine engine = new HoldingEngine();
  private final Transactions transactions;
  private final long one;
  private final long other;

  SnapshotOpeningTest() {
    engine.grow(HeapMemory.EXTENT_SIZE);
    transactions =
        new Transactions(
            engine, new LinkRules(new ReferenceMaps(), new Allocator(engine)), Durability.SYNC);
    one = transactions.run(null, () -> tx().allocate(SHAPE, 0, 32));
    other = transactions.run(null, () -> tx().allocate(SHAPE, 0, 32));
    write(1);
  }

  @AfterEach
  void close() {
    engine.go.countDown();
    transactions.close();
    engine.close();
  }

  private Transaction tx() {
    Transaction transaction = transactions.current();
    assert transaction != null;
    return transaction;
  }

  /** Writes to both objects and counts. */
  private void write(long value) {
    transactions.run(
        null,
        () -> {
          tx().putLong(one, 8, value);
          tx().putLong(other, 8, value);
          tx().addToCounter(other, 16, 1);
          return true;
        });
  }

  private FutureTask<?> startStopped(long value, Step step) throws InterruptedException {
    FutureTask<?> writing = new FutureTask<>(() -> write(value), null);
    engine.step = step;
    engine.stopped = new Thread(writing);
    engine.stopped.start();
    assertTrue(engine.arrived.await(60, TimeUnit.SECONDS));
    return writing;
  }

  private long[] seen(OpenSnapshot snapshot) {
    SnapshotView view = transactions.viewOf(snapshot);
    return new long[] {view.getLong(one, 8), view.getLong(other, 8), view.counter(other, 16)};
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotThatOpensDuringACommitWaitsForItAndShowsIt(Step step) throws Exception {
    FutureTask<?> writing = startStopped(2, step);
    FutureTask<OpenSnapshot> opening = new FutureTask<>(transactions::openSnapshot);
    Thread opener = new Thread(opening);
    opener.start();
    await(() -> opening.isDone() || opener.getState() == Thread.State.TIMED_WAITING);
    assertFalse(opening.isDone(), "the snapshot does not know whether the commit is in it");
    engine.go.countDown();
    writing.get();
    OpenSnapshot snapshot = opening.get();
    assertEquals(engine.position(), snapshot.position());
    assertArrayEquals(new long[] {2, 2, 2}, seen(snapshot));
    write(3);
    assertArrayEquals(new long[] {2, 2, 2}, seen(snapshot));
    snapshot.close();
  }

  /** Its position says that the snapshot shows it, but it is not in the heap yet. */
  @Test
  void aCommitThatGetsItsPositionWhileASnapshotOpensIsWaitedFor() throws Exception {
    List<FutureTask<?>> writing = new ArrayList<>();
    FutureTask<OpenSnapshot> opening = new FutureTask<>(transactions::openSnapshot);
    Thread opener = new Thread(opening);
    engine.whenOpenerReads =
        () -> {
          try {
            writing.add(startStopped(2, Step.BEFORE_ITS_FIRST_CHANGE));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    engine.opener = opener;
    opener.start();
    assertTrue(engine.arrived.await(60, TimeUnit.SECONDS));
    await(() -> opening.isDone() || opener.getState() == Thread.State.TIMED_WAITING);
    assertFalse(opening.isDone());
    engine.go.countDown();
    OpenSnapshot snapshot = opening.get();
    writing.getFirst().get();
    assertEquals(engine.position(), snapshot.position());
    byte[] copy = new byte[(int) HeapMemory.EXTENT_SIZE];
    snapshot.copyExtent(0, MemorySegment.ofArray(copy));
    assertEquals(2, copy[(int) one + 8]);
    assertArrayEquals(new long[] {2, 2, 2}, seen(snapshot));
    snapshot.close();
  }

  /**
   * The stopped commit has read what the other overwrites, so it comes before the other in every
   * order of the two, though its position is above.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSnapshotThatShowsACommitShowsThoseThatHaveReadWhatItOverwrote(boolean endsBeforeTheWait)
      throws Exception {
    FutureTask<?> reading =
        new FutureTask<>(
            () ->
                transactions.run(
                    null,
                    () -> {
                      tx().putLong(other, 8, 100 + tx().getLong(one, 8));
                      return true;
                    }));
    FutureTask<OpenSnapshot> opening = new FutureTask<>(transactions::openSnapshot);
    Thread opener = new Thread(opening);
    engine.whenOpenerReads =
        () -> {
          engine.whenOpenerReads = () -> {};
          engine.stopped = new Thread(reading);
          engine.stopped.start();
          awaitArrival();
          transactions.run(
              null,
              () -> {
                tx().putLong(one, 8, 2);
                return true;
              });
          if (endsBeforeTheWait) {
            engine.whenOpenerHasRead =
                () -> {
                  engine.go.countDown();
                  join(engine.stopped);
                };
          }
        };
    engine.opener = opener;
    opener.start();
    awaitArrival();
    if (!endsBeforeTheWait) {
      await(() -> opening.isDone() || opener.getState() == Thread.State.TIMED_WAITING);
      engine.go.countDown();
    }
    OpenSnapshot snapshot = opening.get();
    reading.get();
    long[] shown = seen(snapshot);
    snapshot.close();
    assertArrayEquals(new long[] {2, 101, 1}, shown);
  }

  private void awaitArrival() {
    try {
      assertTrue(engine.arrived.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Commits that never end to begin do not keep a snapshot from opening. */
  @Test
  void aSnapshotOpensBesideCommitsWithoutEnd() throws Exception {
    engine.whenOpenerReads =
        () -> {
          // One is always under way when the opener has read the position.
          engine.stopped = new Thread(() -> write(7));
          engine.stopped.start();
        };
    FutureTask<OpenSnapshot> opening = new FutureTask<>(transactions::openSnapshot);
    engine.go.countDown();
    engine.opener = new Thread(opening);
    engine.opener.start();
    OpenSnapshot snapshot = opening.get(60, TimeUnit.SECONDS);
    long[] shown = seen(snapshot);
    write(8);
    long[] later = seen(snapshot);
    snapshot.close();
    engine.stopped.join();
    assertArrayEquals(shown, later);
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotReadsWhileACommitIsUnderWay(Step step) throws Exception {
    OpenSnapshot snapshot = transactions.openSnapshot();
    FutureTask<?> writing = startStopped(2, step);
    assertArrayEquals(new long[] {1, 1, 1}, seen(snapshot), "nothing is waited for");
    byte[] copy = new byte[(int) HeapMemory.EXTENT_SIZE];
    snapshot.copyExtent(0, MemorySegment.ofArray(copy));
    assertEquals(1, copy[(int) one + 8]);
    assertEquals(1, copy[(int) other + 8]);
    assertEquals(1, copy[(int) other + 16]);
    engine.go.countDown();
    writing.get();
    assertArrayEquals(new long[] {1, 1, 1}, seen(snapshot));
    snapshot.close();
  }

  @Test
  void aSnapshotThatClosesDuringACommitLeavesItsImagesToTheOlderOne() throws Exception {
    OpenSnapshot older = transactions.openSnapshot();
    write(2);
    OpenSnapshot newer = transactions.openSnapshot();
    OpenSnapshot newest = transactions.openSnapshot();
    FutureTask<?> writing = startStopped(3, Step.BETWEEN_ITS_CHANGES);
    newest.close();
    assertArrayEquals(new long[] {2, 2, 2}, seen(newer));
    engine.go.countDown();
    writing.get();
    assertArrayEquals(new long[] {2, 2, 2}, seen(newer));
    newer.close();
    assertEquals(3, older.images().count(_ -> true), "what only the newer ones needed is dropped");
    assertArrayEquals(new long[] {1, 1, 1}, seen(older));
    older.close();
    assertFalse(transactions.snapshots().isAnyOpen());
  }

  @Test
  void whatAFailedCommitKeptIsDropped() throws Exception {
    engine.fails = true;
    OpenSnapshot before = transactions.openSnapshot();
    FutureTask<?> writing = startStopped(2, Step.BEFORE_ITS_POSITION);
    assertEquals(3, before.images().count(_ -> true));
    engine.go.countDown();
    assertThrows(Exception.class, writing::get);
    assertEquals(0, before.images().count(_ -> true));
    write(5);
    OpenSnapshot after = transactions.openSnapshot();
    write(6);
    assertArrayEquals(new long[] {1, 1, 1}, seen(before));
    assertArrayEquals(new long[] {5, 5, 2}, seen(after));
    before.close();
    after.close();
  }

  @Test
  void overwritingKeepsEachObjectOnce() {
    OpenSnapshot snapshot = transactions.openSnapshot();
    for (int i = 0; i < 1_000; i++) {
      write(i);
    }
    assertEquals(3, snapshot.images().count(_ -> true), "two objects and a counter");
    assertArrayEquals(new long[] {1, 1, 1}, seen(snapshot));
    snapshot.close();
    snapshot.close();
    OpenSnapshot next = transactions.openSnapshot();
    assertEquals(0, next.images().count(_ -> true));
    next.close();
  }

  @Test
  void theStoreIsClosedAfterTheLastSnapshot() throws Exception {
    OpenSnapshot snapshot = transactions.openSnapshot();
    FutureTask<?> closing = new FutureTask<>(transactions::close, null);
    Thread closer = new Thread(closing);
    closer.start();
    await(() -> closing.isDone() || closer.getState() == Thread.State.TIMED_WAITING);
    assertFalse(closing.isDone());
    assertThrows(StoreClosedException.class, transactions::openSnapshot);
    assertThrows(StoreClosedException.class, transactions::checkOpen);
    assertArrayEquals(new long[] {1, 1, 1}, seen(snapshot));
    snapshot.close();
    closing.get();
  }
}
