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

/**
 * The moments at which a snapshot can open beside a commit, each made to happen: the commit is held
 * somewhere in the engine.
 */
class SnapshotOpeningTest {
  private static final int SHAPE = 3;

  /** Where a commit can be held. */
  private enum Place {
    BEFORE_ITS_POSITION,
    BEFORE_ITS_FIRST_CHANGE,
    BETWEEN_ITS_CHANGES
  }

  /** Holds one commit at a place until the test lets it go, or has it fail there. */
  private static final class HoldingEngine extends ParallelEngine {
    volatile Place place = Place.BEFORE_ITS_POSITION;
    volatile Thread holding = new Thread();
    volatile boolean fails;
    volatile Thread opener = new Thread();
    volatile Runnable whenOpenerReads = () -> {};
    final CountDownLatch held = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    private int changes; // of the thread that is held

    @Override
    protected void beforePosition() {
      hold(Place.BEFORE_ITS_POSITION);
      if (fails && Thread.currentThread() == holding) {
        throw new StoreFullException("as the test wants it");
      }
    }

    @Override
    protected void beforeApply() {
      if (Thread.currentThread() == holding) {
        hold(changes++ == 0 ? Place.BEFORE_ITS_FIRST_CHANGE : Place.BETWEEN_ITS_CHANGES);
      }
    }

    @Override
    protected void beforePositionIsRead() {
      if (Thread.currentThread() == opener) {
        whenOpenerReads.run();
      }
    }

    private void hold(Place at) {
      if (Thread.currentThread() == holding && at == place) {
        held.countDown();
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

  private FutureTask<?> startHeld(long value, Place place) throws InterruptedException {
    FutureTask<?> writing = new FutureTask<>(() -> write(value), null);
    engine.place = place;
    engine.holding = new Thread(writing);
    engine.holding.start();
    assertTrue(engine.held.await(60, TimeUnit.SECONDS));
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
  void aSnapshotThatOpensDuringACommitWaitsForItAndShowsIt(Place place) throws Exception {
    FutureTask<?> writing = startHeld(2, place);
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
            writing.add(startHeld(2, Place.BEFORE_ITS_FIRST_CHANGE));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    engine.opener = opener;
    opener.start();
    assertTrue(engine.held.await(60, TimeUnit.SECONDS));
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

  @ParameterizedTest
  @EnumSource
  void aSnapshotReadsWhileACommitIsUnderWay(Place place) throws Exception {
    OpenSnapshot snapshot = transactions.openSnapshot();
    FutureTask<?> writing = startHeld(2, place);
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
    FutureTask<?> writing = startHeld(3, Place.BETWEEN_ITS_CHANGES);
    newest.close();
    assertArrayEquals(new long[] {2, 2, 2}, seen(newer));
    engine.go.countDown();
    writing.get();
    assertArrayEquals(new long[] {2, 2, 2}, seen(newer));
    newer.close();
    assertEquals(3, older.images().count(_ -> true), "what only the newer ones needed is dropped");
    assertArrayEquals(new long[] {1, 1, 1}, seen(older));
    older.close();
    assertFalse(transactions.isAnySnapshotOpen());
  }

  @Test
  void whatAFailedCommitKeptIsDropped() throws Exception {
    engine.fails = true;
    OpenSnapshot before = transactions.openSnapshot();
    FutureTask<?> writing = startHeld(2, Place.BEFORE_ITS_POSITION);
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
