package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.ThreadKind.Running;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A commit that does not return from its engine, because its device does not answer, say. Once the
 * engine has failed, nobody waits for that commit.
 */
@Timeout(120)
class StuckCommitTest {
  private static final int SHAPE = 7;
  private static final int FIELD = 8;

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private volatile boolean stuck;

  private final ParallelEngine engine =
      new ParallelEngine() {
        @Override
        protected void beforeApply() {
          if (stuck) {
            arrived.countDown();
            try {
              answer.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        }
      };
  private final Heap heap = new Heap(engine, Durability.SYNC, h -> new NoObjects());
  private final long object = heap.transaction(() -> heap.allocate(SHAPE, 16));

  @AfterEach
  void end() {
    answer.countDown();
  }

  @Test
  void whoWaitsForItLearnsThatTheEngineHasFailed() throws Exception {
    stuck = true;
    Running<?> committing = write();
    arrived.await();
    Running<?> reading =
        waiting("awaitUnlock", () -> heap.transaction(() -> heap.getLong(object, FIELD)));
    Running<?> writing = waiting("awaitUnlock", () -> put(4));
    Running<?> opening = waiting("awaitCommits", heap::openSnapshot);
    engine.fail();
    for (Running<?> each : List.of(reading, writing, opening)) {
      assertThrows(StoreFailedException.class, each::result);
    }
    answer.countDown();
    assertThrows(StoreFailedException.class, committing::result);
  }

  private Running<?> write() {
    return ThreadKind.PLATFORM.start(() -> put(3));
  }

  private static Running<?> waiting(String method, Callable<?> action) {
    Running<?> running = ThreadKind.PLATFORM.start(action);
    running.awaitIn(method);
    return running;
  }

  private Object put(long value) {
    heap.putLong(object, FIELD, value);
    return object;
  }
}
