package io.pmstore.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.HeapCopy;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.tx.ThreadKind;
import io.pmstore.core.tx.ThreadKind.Running;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store of which another heap takes the place of its own, as that of a node that lags does. */
class HeapStoreTest {
  @TempDir Path directory;

  private Runnable meanwhile = () -> {};
  private final AtomicInteger asked = new AtomicInteger();
  private final List<String> calls = new ArrayList<>();
  private boolean layerFails;
  private @Nullable HeapStore store;

  private final class FailingLayers extends NoClasses {
    @Override
    public ObjectLayer open(Heap heap, PmStoreOptions options) {
      if (layerFails) {
        throw new IllegalStateException("no layer");
      }
      return super.open(heap, options);
    }
  }

  /** Has something happen while it finds out what is newest. */
  private final class AskingEngine extends ParallelEngine {
    @Override
    public void awaitNewest() {
      asked.incrementAndGet();
      Runnable action = meanwhile;
      meanwhile = () -> {};
      action.run();
      checkUsable();
    }

    @Override
    public void replaced() {
      calls.add("replaced");
    }

    @Override
    public void replacementFailed(Throwable why) {
      calls.add("failed: " + why.getMessage());
    }

    @Override
    public void close() {
      calls.add("closed");
      super.close();
    }
  }

  private HeapStore open() {
    HeapStore opened =
        new HeapStore(
            Engines.installed(),
            new OpenHeap.Parts(new FailingLayers(), null, PmStoreOptions.defaults(), directory),
            new AskingEngine());
    store = opened;
    return opened;
  }

  @AfterEach
  void close() {
    if (store != null) {
      store.close();
    }
  }

  @Test
  void aSnapshotBeginsAgainWhenTheHeapIsReplacedBeforeItsBodyRuns() {
    HeapStore replaced = open();
    AtomicInteger ran = new AtomicInteger();
    meanwhile = () -> replaced.replace(AskingEngine::new);

    assertEquals(7, replaced.<Integer, RuntimeException>snapshot(() -> ran.incrementAndGet() + 6));

    assertEquals(1, ran.get());
    assertEquals(2, asked.get(), "both heaps were asked for what is newest");
  }

  @Test
  void aBodyThatHasBegunDoesNotRunAgain() {
    HeapStore replaced = open();
    AtomicInteger ran = new AtomicInteger();
    meanwhile = () -> replaced.replace(AskingEngine::new);

    assertThrows(
        StoreClosedException.class,
        () ->
            replaced.snapshot(
                () -> {
                  ran.incrementAndGet();
                  throw new StoreClosedException("another store");
                }));

    assertEquals(1, ran.get());
  }

  /** What is held back sees nothing of the former heap. */
  @Test
  void callsThatAreHeldBackGoToTheNextHeap() {
    HeapStore replaced = open();
    AskingEngine next = new AskingEngine();
    assertTrue(replaced.holdBack(TimeUnit.MINUTES.toNanos(1)));
    Running<Integer> snapshot =
        ThreadKind.PLATFORM.start(() -> replaced.<Integer, RuntimeException>snapshot(() -> 7));
    Running<HeapCopy> copying = ThreadKind.PLATFORM.start(replaced::copy);
    Running<Boolean> asking = ThreadKind.PLATFORM.start(replaced::inTransaction);
    snapshot.awaitIn("join");
    copying.awaitIn("join");
    assertFalse(asking.result());

    replaced.replace(() -> next);

    assertEquals(7, snapshot.result());
    try (HeapCopy copy = copying.result()) {
      assertEquals(next.position(), copy.position());
    }
    assertEquals(1, asked.get(), "the former heap was asked for what is newest");
  }

  /** The store tells the former engine, and closes it again: that ends what outlives a heap. */
  @Test
  void aStoreWhoseHeapCannotBeReplacedIsClosedByTheFormerEngine() {
    HeapStore failing = open();
    IllegalStateException why = new IllegalStateException("no copy");

    assertEquals(
        why,
        assertThrows(
            IllegalStateException.class,
            () ->
                failing.replace(
                    () -> {
                      throw why;
                    })));

    assertEquals(List.of("replaced", "closed", "failed: no copy"), calls);
    failing.close();
    assertEquals("closed", calls.getLast());
    assertEquals(4, calls.size());
  }

  @Test
  void whatWasOpenedOfAHeapThatCannotBeOpenedIsClosed() {
    HeapStore failing = open();
    AskingEngine damaged = new AskingEngine();
    layerFails = true;

    assertThrows(IllegalStateException.class, () -> failing.replace(() -> damaged));

    assertThrows(StoreClosedException.class, damaged::checkUsable);
    assertEquals(List.of("replaced", "closed", "replaced", "closed", "failed: no layer"), calls);
  }

  @Test
  void aSnapshotOfAStoreThatIsClosedMeanwhileEnds() {
    HeapStore closed = open();
    meanwhile = closed::close;

    assertThrows(
        StoreClosedException.class,
        () -> closed.snapshot(() -> assertEquals("", "the body of a closed store has run")));
  }
}
