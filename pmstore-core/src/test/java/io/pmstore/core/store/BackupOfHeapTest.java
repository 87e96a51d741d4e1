package io.pmstore.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup whose source is closed, fails or changes in the middle of it. */
class BackupOfHeapTest {
  private static final int SHAPE = 3;
  private static final long SEGMENT_SIZE = 1 << 20;

  @TempDir Path directory;

  /** Has something happen when a backup has opened its snapshot and makes it durable. */
  private static final class HookedEngine extends ParallelEngine {
    volatile Thread backup = new Thread();
    volatile Runnable meanwhile = () -> {};

    @Override
    protected void beforeSync() {
      if (Thread.currentThread() == backup) {
        meanwhile.run();
      }
    }

    volatile int failsAfterApplying = -1; // words; never if negative

    @Override
    protected void beforeApply() {
      if (failsAfterApplying == 0) {
        fail();
        checkUsable();
      }
      failsAfterApplying--;
    }
  }

  private final HookedEngine engine = new HookedEngine();
  private final Heap heap =
      new Heap(engine, Durability.relaxed(Duration.ofHours(1)), _ -> new NoObjects());
  private final long object = heap.transaction(() -> heap.allocate(SHAPE, 64));

  BackupOfHeapTest() {
    heap.directory().setRoot("object", object);
    heap.putLong(object, 8, 1);
  }

  private void backUp(Runnable meanwhile) {
    engine.backup = Thread.currentThread();
    engine.meanwhile = meanwhile;
    Path source = directory.resolve("source");
    try {
      Files.createDirectories(source);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Backup.write(Engines.installed(), heap, source, SEGMENT_SIZE, target());
  }

  private static void elsewhere(Runnable action) {
    FutureTask<?> running = new FutureTask<>(action, null);
    new Thread(running).start();
    try {
      running.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Path target() {
    return directory.resolve("target");
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(target())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void whatIsCommittedMeanwhileIsNotInIt() throws Exception {
    backUp(
        () ->
            elsewhere(
                () -> {
                  heap.putLong(object, 8, 2);
                  heap.transaction(
                      () -> {
                        heap.addToCounter(object, 16, 5);
                        return heap.allocate(SHAPE, 3 << 20);
                      });
                }));
    assertEquals(2, heap.getLong(object, 8));
    assertEquals(5, heap.counter(object, 16));
    try (Engine copy = MappedEngine.open(target(), PmStoreOptions.defaults())) {
      Heap backup = new Heap(copy, Durability.SYNC, _ -> new NoObjects());
      assertEquals(object, backup.directory().root("object"));
      assertEquals(1, backup.getLong(object, 8));
      assertEquals(0, backup.counter(object, 16));
      // The space that was given out meanwhile is free in the backup.
      long next = backup.transaction(() -> backup.allocate(SHAPE, 64));
      assertEquals(SHAPE, backup.shapeId(next));
    }
    heap.close();
  }

  @Test
  void itIsDurableInItsSourceFirst() {
    long position = engine.position();
    assertTrue(engine.synced() < position, "there is something to be made durable");
    backUp(() -> {});
    assertTrue(engine.synced() >= position, "the source could lose what its backup has");
    heap.close();
  }

  @Test
  void closingTheSourceEndsIt() throws Exception {
    FutureTask<?> closing = new FutureTask<>(heap::close, null);
    assertThrows(
        StoreClosedException.class,
        () ->
            backUp(
                () -> {
                  new Thread(closing).start();
                  while (isOpen()) {
                    Thread.onSpinWait();
                  }
                }));
    closing.get(); // waits for nothing any more
    assertEquals(List.of(StoreLock.FILE), left());
  }

  /** A closing heap refuses new transactions, on a thread that has none running. */
  private boolean isOpen() {
    try {
      heap.transaction(() -> true);
      return true;
    } catch (StoreClosedException e) {
      return false;
    }
  }

  @Test
  void aFailureOfTheSourceEndsIt() throws IOException {
    assertThrows(
        StoreFailedException.class,
        () ->
            backUp(
                () -> {
                  engine.fail();
                  engine.takeMemoryAway();
                }));
    assertEquals(List.of(StoreLock.FILE), left());
  }

  /** The images of a commit that fails are gone before the memory with the half of it is. */
  @Test
  void halfACommitThatMadeTheSourceFailIsInNone() throws IOException {
    engine.failsAfterApplying = 1;
    assertThrows(
        StoreFailedException.class,
        () ->
            backUp(
                () ->
                    elsewhere(
                        () ->
                            assertThrows(
                                StoreFailedException.class,
                                () ->
                                    heap.transaction(
                                        () -> {
                                          heap.putLong(object, 8, 2);
                                          heap.putLong(object, 16, 2);
                                          return 2;
                                        })))));
    assertEquals(0, engine.failsAfterApplying, "words that were applied");
    assertEquals(List.of(StoreLock.FILE), left());
  }
}
