package io.pmstore.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.ClassReport;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.heap.ObjectLayer;
import java.nio.file.Path;
import java.util.List;
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
  private @Nullable HeapStore store;

  private static final class NoClasses implements ObjectLayer.Provider {
    @Override
    public void prepare() {}

    @Override
    public ObjectLayer open(Heap heap, PmStoreOptions options) {
      return new NoObjects();
    }

    @Override
    public EvolutionReport dryRun(Heap heap, PmStoreOptions options, List<Class<?>> classes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ClassReport check(PmStoreOptions options, List<Class<?>> classes) {
      throw new UnsupportedOperationException();
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
  }

  private HeapStore open() {
    HeapStore opened =
        new HeapStore(
            Engines.installed(),
            new OpenHeap.Parts(new NoClasses(), null, PmStoreOptions.defaults(), directory),
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

  @Test
  void aSnapshotOfAStoreThatIsClosedMeanwhileEnds() {
    HeapStore closed = open();
    meanwhile = closed::close;

    assertThrows(
        StoreClosedException.class,
        () -> closed.snapshot(() -> assertEquals("", "the body of a closed store has run")));
  }
}
