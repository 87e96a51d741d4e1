package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.TransactionException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What goes wrong inside a PMDK transaction: either nothing has happened, or the engine is done
 * for.
 */
class LlplFailureTest extends LlplFixture {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;

  /** Where in a transaction something fails. */
  private enum Where {
    NOWHERE,
    FIRST_SNAPSHOT,
    SECOND_SNAPSHOT,
    SECOND_ALLOCATION,
    END
  }

  /** A pool that fails inside a transaction when it is told to. */
  private static final class FailingPool extends LlplPool {
    private Where where = Where.NOWHERE;
    private Supplier<Throwable> failure = AssertionError::new;
    private int calls;
    private boolean onVirtualThread;

    FailingPool(LlplPool pool) {
      super(pool.heap);
    }

    void fail(Where newWhere, Supplier<Throwable> newFailure) {
      where = newWhere;
      failure = newFailure;
      calls = 0;
    }

    @Override
    void transaction(Runnable body) {
      onVirtualThread |= Thread.currentThread().isVirtual();
      super.transaction(
          () -> {
            body.run();
            failAt(Where.END);
          });
    }

    @Override
    void addToTransaction(MemoryBlock block, long offset, long length) {
      calls++;
      failAt(calls == 1 ? Where.FIRST_SNAPSHOT : Where.SECOND_SNAPSHOT);
      super.addToTransaction(block, offset, length);
    }

    @Override
    MemoryBlock allocate(long size) {
      calls++;
      if (calls == 4) { // after the two snapshots of the root block
        failAt(Where.SECOND_ALLOCATION);
      }
      return super.allocate(size);
    }

    private void failAt(Where here) {
      if (where == here) {
        where = Where.NOWHERE;
        throw FailingPool.<RuntimeException>sneaky(failure.get());
      }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E sneaky(Throwable thrown) throws E {
      throw (E) thrown;
    }
  }

  private record Failing(LlplEngine engine, FailingPool pool) {}

  /** Opens an engine over a pool that can be made to fail. */
  private static Failing openFailing(Path directory) {
    AtomicReference<FailingPool> pool = new AtomicReference<>();
    LlplEngine engine =
        Llpl.open(
            directory,
            real -> {
              pool.set(new FailingPool(real));
              return pool.get();
            });
    return new Failing(engine, pool.get());
  }

  private static WriteSet twoStretches(long value) {
    WriteSet writes = new WriteSet();
    writes.put(START, bytes(value, value), 0, 16);
    writes.put(EXTENT - 8, bytes(value, value), 0, 16);
    writes.add(START + 4096, 1);
    return writes;
  }

  private static void assertHolds(Engine engine, long value, long counter) {
    assertArrayEquals(bytes(value, value, 0), read(engine, START, 24));
    assertArrayEquals(bytes(value, value), read(engine, EXTENT - 8, 16));
    assertEquals(counter, engine.memory().getLong(START + 4096));
  }

  @ParameterizedTest
  @EnumSource(names = {"FIRST_SNAPSHOT", "SECOND_SNAPSHOT"})
  void anUndoLogThatCannotGrowChangesNothing(Where where) {
    Path directory = directory("store");
    Failing failing = openFailing(directory);
    Engine engine = failing.engine;
    engine.grow(2 * EXTENT);
    engine.commit(twoStretches(1));
    long position = engine.position();
    TransactionException cause = new TransactionException("no room");
    failing.pool.fail(where, () -> cause);
    StoreFullException e =
        assertThrows(StoreFullException.class, () -> engine.commit(twoStretches(2)));
    assertSame(cause, e.getCause());
    assertEquals(position, engine.position());
    assertHolds(engine, 1, 1);
    engine.commit(twoStretches(3));
    assertHolds(engine, 3, 2);
    engine.close();
    assertHolds(opened(directory), 3, 2);
  }

  @Test
  void anUndoLogThatReallyCannotGrowChangesNothing() {
    Path directory = directory("store");
    Failing failing = openFailing(directory);
    Engine engine = failing.engine;
    engine.grow(2 * EXTENT);
    engine.commit(twoStretches(1));
    // Somebody uses up what PoolSpace reserves.
    long[] sizes = {1 << 20, 300_000, 30_000, 1000, 100};
    for (long size : sizes) {
      assertThrows(
          HeapException.class,
          () -> {
            while (true) {
              failing.pool.heap.allocateMemory(size);
            }
          });
    }
    WriteSet large = twoStretches(2);
    large.put(START + 8192, new byte[200_000], 0, 200_000);
    StoreFullException e = assertThrows(StoreFullException.class, () -> engine.commit(large));
    assertTrue(e.getCause() instanceof TransactionException, () -> "" + e.getCause());
    assertHolds(engine, 1, 1);
    engine.commit(twoStretches(3));
    assertThrows(StoreFullException.class, () -> engine.grow(3 * EXTENT));
    assertEquals(2 * EXTENT, engine.memory().size());
    engine.commit(twoStretches(4));
    engine.close();
    assertHolds(opened(directory), 4, 3);
  }

  private enum Failure implements Supplier<Throwable> {
    LLPL {
      @Override
      public Throwable get() {
        return new TransactionException("from LLPL");
      }
    },
    EXCEPTION {
      @Override
      public Throwable get() {
        return new IllegalStateException("unexpected");
      }
    },
    ERROR {
      @Override
      public Throwable get() {
        return new OutOfMemoryError("injected");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureAfterTheFirstWriteEndsTheEngine(Failure failure) {
    assertEndsTheEngine(Where.END, failure);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXCEPTION", "ERROR"})
  void anUnexpectedFailureEndsTheEngine(Failure failure) {
    assertEndsTheEngine(Where.SECOND_SNAPSHOT, failure);
  }

  private void assertEndsTheEngine(Where where, Failure failure) {
    Path directory = directory("store");
    Failing failing = openFailing(directory);
    Engine engine = failing.engine;
    engine.grow(2 * EXTENT);
    engine.commit(twoStretches(1));
    HeapMemory memory = engine.memory();
    failing.pool.fail(where, failure);
    StoreFailedException e =
        assertThrows(StoreFailedException.class, () -> engine.commit(twoStretches(2)));
    assertEquals(failure.get().getClass(), e.getCause().getClass());
    for (int i = 0; i < 2; i++) {
      assertThrows(StoreFailedException.class, engine::checkUsable);
      assertThrows(StoreFailedException.class, engine::memory);
      assertThrows(StoreFailedException.class, engine::position);
      assertThrows(StoreFailedException.class, () -> engine.grow(1));
      assertThrows(StoreFailedException.class, () -> engine.sync(0));
      assertThrows(StoreFailedException.class, () -> engine.commit(twoStretches(3)));
    }
    assertThrows(RuntimeException.class, () -> memory.getLong(START));
    engine.close();
    engine.close();
    assertThrows(StoreClosedException.class, engine::checkUsable);
    Engine reopened = opened(directory);
    assertHolds(reopened, 1, 1);
    reopened.commit(twoStretches(5));
    assertHolds(reopened, 5, 2);
  }

  @Test
  void growingIsAllOrNothing() {
    Path directory = directory("store");
    Failing failing = openFailing(directory);
    Engine engine = failing.engine;
    engine.grow(2 * EXTENT);
    engine.commit(twoStretches(1));
    failing.pool.fail(Where.SECOND_ALLOCATION, () -> new HeapException("no room"));
    assertThrows(StoreFullException.class, () -> engine.grow(4 * EXTENT));
    assertEquals(2 * EXTENT, engine.memory().size());
    engine.commit(twoStretches(2));
    engine.grow(4 * EXTENT);
    assertEquals(4 * EXTENT, engine.memory().size());
    assertArrayEquals(new byte[(int) EXTENT], read(engine, 3 * EXTENT, (int) EXTENT));
    commit(engine, 3 * EXTENT, 9);
    failing.pool.fail(Where.END, Failure.EXCEPTION);
    assertThrows(StoreFailedException.class, () -> engine.commit(twoStretches(3)));
    engine.close();
    Engine reopened = opened(directory);
    assertEquals(4 * EXTENT, reopened.memory().size());
    assertHolds(reopened, 2, 2);
    assertEquals(9, reopened.memory().getLong(3 * EXTENT));
  }

  @ParameterizedTest
  @EnumSource(names = {"FIRST_SNAPSHOT", "SECOND_SNAPSHOT", "END"})
  void shrinkingIsAllOrNothing(Where where) {
    Path directory = directory("store");
    Failing failing = openFailing(directory);
    Engine engine = failing.engine;
    engine.grow(4 * EXTENT);
    engine.commit(twoStretches(1));
    commit(engine, 3 * EXTENT, 9);
    failing.pool.fail(where, Failure.LLPL);
    assertThrows(StoreFailedException.class, () -> engine.shrink(2 * EXTENT));
    assertThrows(StoreFailedException.class, engine::checkUsable);
    engine.close();
    Engine reopened = opened(directory);
    assertEquals(4 * EXTENT, reopened.memory().size());
    assertHolds(reopened, 1, 1);
    assertEquals(9, reopened.memory().getLong(3 * EXTENT));
    reopened.shrink(2 * EXTENT);
    assertHolds(reopened, 1, 1);
  }

  /** The pool has room for four extents, so none of them may be lost. */
  @Test
  void whatIsGivenBackIsGivenOutAgain() {
    Path directory = directory("store");
    Engine engine = opened(directory);
    for (int i = 1; i <= 30; i++) {
      engine.grow(4 * EXTENT);
      assertArrayEquals(new byte[(int) EXTENT], read(engine, 3 * EXTENT, (int) EXTENT));
      commit(engine, 4 * EXTENT - 8, i);
      commit(engine, START, i);
      engine.shrink((1 + i % 3) * EXTENT);
      if (i % 10 == 0) {
        engine.close();
        engine = opened(directory);
        assertEquals((1 + i % 3) * EXTENT, engine.memory().size());
        assertEquals(i, engine.memory().getLong(START));
      }
    }
  }

  @Test
  void growingThatFailsUnexpectedlyEndsTheEngine() {
    Path directory = directory("store");
    Failing failing = openFailing(directory);
    Engine engine = failing.engine;
    engine.commit(new WriteSet());
    failing.pool.fail(Where.END, Failure.ERROR);
    assertThrows(StoreFailedException.class, () -> engine.grow(3 * EXTENT));
    assertThrows(StoreFailedException.class, engine::checkUsable);
    engine.close();
    Engine reopened = opened(directory);
    assertEquals(EXTENT, reopened.memory().size());
    reopened.grow(4 * EXTENT);
    commit(reopened, 4 * EXTENT - 8, 1);
  }

  @Test
  void virtualThreadsDoNotRunTransactions() throws InterruptedException {
    Failing failing = openFailing(directory("store"));
    LlplEngine engine = failing.engine;
    Thread.ofVirtual()
        .start(
            () -> {
              engine.grow(2 * EXTENT);
              engine.commit(twoStretches(1));
            })
        .join();
    assertHolds(engine, 1, 1);
    assertFalse(failing.pool.onVirtualThread);
    engine.close();
  }
}
