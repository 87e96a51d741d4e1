package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.Durability;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two threads with one place in the table of slots do not see each other's transactions. */
@Timeout(120)
class ThreadSlotTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final long object = heap.transaction(() -> heap.allocate(SHAPE, 16));

  /** Runs an action to its end on a thread whose place in the table is the caller's. */
  private static void runBeside(ThreadKind kind, Runnable action) throws InterruptedException {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Runnable task =
        () -> {
          try {
            action.run();
          } catch (Throwable t) {
            thrown.set(t);
          }
        };
    long mine = Thread.currentThread().threadId();
    Thread thread = kind.thread(task);
    while ((thread.threadId() - mine) % ThreadSlot.CACHED != 0) {
      thread = kind.thread(task);
    }
    thread.start();
    thread.join();
    assertNull(thrown.get());
  }

  @ParameterizedTest
  @EnumSource
  void eachThreadHasItsOwnTransaction(ThreadKind kind) throws Exception {
    heap.transaction(
        () -> {
          heap.putLong(object, FIELD, 1);
          runBeside(
              kind,
              () -> {
                assertEquals(0, heap.getLong(object, FIELD));
                long other = heap.transaction(() -> heap.allocate(SHAPE, 16));
                heap.putLong(other, FIELD, 2);
                assertEquals(2, heap.getLong(other, FIELD));
              });
          // The table now has the other thread's slot, and a thread refers weakly to its own.
          System.gc();
          assertEquals(1, heap.getLong(object, FIELD));
          return null;
        });
    runBeside(kind, () -> assertEquals(1, heap.getLong(object, FIELD)));
  }
}
