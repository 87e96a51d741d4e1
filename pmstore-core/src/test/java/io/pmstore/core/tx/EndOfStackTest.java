package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStoreException;
import io.pmstore.StoreFailedException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stack or memory ends in a commit: it did not happen, or nothing that may be wrong is shown. */
class EndOfStackTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;

  /** Has commits end by an error, before they have happened or behind. */
  private static final class Shallow extends ParallelEngine {
    private volatile @Nullable VirtualMachineError before;
    private volatile @Nullable VirtualMachineError behind;

    private static void end(@Nullable VirtualMachineError error) {
      if (error != null) {
        throw error;
      }
    }

    @Override
    protected void beforePosition() {
      end(before);
    }

    @Override
    protected void beforeApply() {
      end(behind); // it has its place, and is in the log
    }

    @Override
    public PmStoreException fail(InternalError fault) {
      fail();
      takeMemoryAway(); // as engines do
      return super.fail(fault);
    }
  }

  private final Shallow engine = new Shallow();
  private final Heap heap = new Heap(engine, Durability.SYNC, h -> new NoObjects());
  private final long object = heap.transaction(() -> heap.allocate(SHAPE, 16));

  @Test
  void whatTheEngineKnowsOfIsRolledBack() {
    heap.putLong(object, FIELD, 1);
    StackOverflowError error = new StackOverflowError();
    engine.before = error;
    assertSame(error, assertThrows(StackOverflowError.class, () -> heap.putLong(object, FIELD, 2)));
    engine.before = null;
    assertEquals(1, heap.getLong(object, FIELD));
    heap.putLong(object, FIELD, 3);
    assertEquals(3, heap.getLong(object, FIELD));
    heap.close();
  }

  @Test
  void aCommitWithoutMemoryIsRefusedAndTheStoreGoesOn() {
    heap.putLong(object, FIELD, 1);
    OutOfMemoryError error = new OutOfMemoryError("for a test");
    engine.before = error;
    TransactionTooLargeException refused =
        assertThrows(TransactionTooLargeException.class, () -> heap.putLong(object, FIELD, 2));
    assertSame(error, refused.getCause());
    assertTrue(refused.getMessage().contains("Nothing was written"), refused.getMessage());
    engine.before = null;
    assertEquals(1, heap.getLong(object, FIELD));
    heap.putLong(object, FIELD, 3);
    assertEquals(3, heap.getLong(object, FIELD));
    heap.close();
  }

  @Test
  void whatComesLateFailsTheStore() {
    StackOverflowError error =
        new StackOverflowError(
            "Delayed StackOverflowError due to ReservedStackAccess annotated method");
    engine.behind = error;
    StoreFailedException failed =
        assertThrows(StoreFailedException.class, () -> heap.putLong(object, FIELD, 2));
    assertTrue(failed.getMessage().contains("may have happened"), failed.getMessage());
    engine.behind = null;
    assertThrows(StoreFailedException.class, () -> heap.getLong(object, FIELD));
    assertThrows(StoreFailedException.class, () -> heap.putLong(object, FIELD, 3));
  }

  /** What is told of the commit finds no memory: its space must not be given away. */
  @Test
  void anErrorBehindTheCommitFailsTheStore() {
    OutOfMemoryError error = new OutOfMemoryError("for a test");
    StoreFailedException failed =
        assertThrows(
            StoreFailedException.class,
            () ->
                heap.transaction(
                    () -> {
                      heap.putLong(object, FIELD, 2);
                      heap.onCommit(
                          () -> {
                            throw error;
                          });
                      return null;
                    }));
    assertTrue(failed.getMessage().contains("committed already"), failed.getMessage());
    assertThrows(StoreFailedException.class, () -> heap.getLong(object, FIELD));
    assertThrows(StoreFailedException.class, () -> heap.putLong(object, FIELD, 3));
  }

  /** The stack may end in a roll-back, too. What the transaction wrote is not its successor's. */
  @Test
  void aRollbackThatAnErrorEndsIsMadeBeforeTheNextTransaction() {
    heap.putLong(object, FIELD, 1);
    long[] made = new long[1];
    List<String> told = new ArrayList<>();
    assertThrows(
        StackOverflowError.class,
        () ->
            heap.transaction(
                () -> {
                  heap.putLong(object, FIELD, 2);
                  made[0] = heap.allocate(SHAPE, 16);
                  heap.onRollback(() -> told.add("first"));
                  heap.onRollback(
                      () -> {
                        told.add("second");
                        if (told.size() == 2) {
                          throw new StackOverflowError();
                        }
                      });
                  heap.onRollback(() -> told.add("third"));
                  throw new IllegalStateException("for a test");
                }));
    assertEquals(List.of("third", "second"), told);
    long next = heap.transaction(() -> heap.allocate(SHAPE, 16));
    assertEquals(List.of("third", "second", "second", "first"), told);
    assertEquals(1, heap.getLong(object, FIELD));
    assertEquals(made[0], next, "the space of the object that was not made");
    heap.close();
  }

  /** Wherever the stack of a thread ends, nothing of the thread stays open in the store. */
  @ParameterizedTest
  @EnumSource
  void aThreadWhoseStackEndsLeavesNothingOpen(Use use) throws Exception {
    for (int i = 0; i < 200; i++) {
      List<String> left = Collections.synchronizedList(new ArrayList<>());
      Runnable recursion =
          () -> {
            assertThrows(StackOverflowError.class, () -> runAway(() -> use.of(heap, object)));
            if (heap.inTransaction()) {
              left.add("the thread is still inside");
            }
          };
      Thread thread = new Thread(null, recursion, "small stack", (128 << 10) + (i % 16 << 12));
      thread.start();
      thread.join();
      if (!heap.reclamation().runningViews().getAsBoolean()) {
        left.add("a transaction or a snapshot runs");
      }
      assertEquals(List.of(), left, "after %d threads".formatted(i));
      assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Use.SNAPSHOT.of(heap, object));
    }
    assertTimeoutPreemptively(Duration.ofSeconds(10), heap::close);
  }

  @SuppressWarnings("InfiniteRecursion") // the end of the stack ends it
  private static void runAway(Runnable action) {
    action.run();
    runAway(action);
  }

  private enum Use {
    READING {
      @Override
      void of(Heap heap, long object) {
        heap.transaction(() -> heap.getLong(object, FIELD));
      }
    },
    WRITING {
      @Override
      void of(Heap heap, long object) {
        heap.putLong(object, FIELD, 1);
      }
    },
    SNAPSHOT {
      @Override
      void of(Heap heap, long object) {
        heap.snapshot(() -> heap.getLong(object, FIELD));
      }
    };

    abstract void of(Heap heap, long object);
  }
}
