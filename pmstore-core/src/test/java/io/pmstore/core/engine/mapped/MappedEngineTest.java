package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.FailureBesideSync;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.checkpoint.Checkpointer;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Properties of the mapped engine beyond the contract of every engine. */
class MappedEngineTest extends StoreTest {
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aClosedStoreNeedsNoReplay(Storage storage) throws IOException {
    Path store = directory("store");
    Workload workload = new Workload(seed(), 1000, Workload.HEAP_SIZE);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      for (int i = 0; i < 30; i++) {
        workload.commitNext(engine); // not synced: closing does
      }
    }
    assertTrue(header(store).closed());
    for (Path log : logs(store)) {
      writeTo(log, 4096, new byte[(1 << 20) - 4096]);
    }
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      workload.check(engine, 30, 30, "without its log");
    }
  }

  @Test
  void eachOpeningStartsAnEpochAndAnOpenStoreIsMarked() throws IOException {
    Path store = directory("store");
    long epoch = 0;
    for (int i = 0; i < 3; i++) {
      try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
        HeapHeader header = header(store);
        assertTrue(header.epoch() > epoch);
        assertTrue(!header.closed());
        epoch = header.epoch();
        assertEquals(0, engine.position());
      }
    }
  }

  @Test
  void theSizeOfLogSegmentsStaysWhatItWasMade() throws IOException {
    Path store = directory("store");
    MappedEngine.open(store, small(Storage.FILE)).close();
    PmStoreOptions larger = small(Storage.FILE).logSegmentSize(2 << 20);
    MappedEngine.open(store, larger).close();
    assertEquals(1 << 20, Files.size(store.resolve("log-0")));
    assertEquals(1 << 20, header(store).segmentSize());
  }

  @Test
  void directoriesOnTheWayAreMade() {
    Path store = directory("a").resolve("b").resolve("c");
    MappedEngine.open(store, small(Storage.FILE)).close();
    MappedEngine.open(store, small(Storage.FILE)).close();
  }

  @Test
  void aSymbolicLinkIsTheSameStore() throws IOException {
    Path store = directory("store");
    Path link = Files.createSymbolicLink(directory("links").resolve("link"), store);
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      commit(engine, START, 1);
      assertThrows(StoreLockedException.class, () -> MappedEngine.open(link, small(Storage.FILE)));
      commit(engine, START, 2);
    }
    try (MappedEngine engine = MappedEngine.open(link, small(Storage.FILE))) {
      assertEquals(2, engine.memory().getLong(START));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void anInterruptedThreadDoesEverything(Storage storage) {
    Path store = directory("store");
    Thread.currentThread().interrupt();
    try {
      Workload workload = new Workload(7, 2000, Workload.HEAP_SIZE);
      for (int last = 20; last <= 60; last += 20) { // over rotations of the log
        try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
          engine.grow(Workload.HEAP_SIZE);
          workload.run(engine, last);
        }
        assertTrue(Thread.currentThread().isInterrupted());
      }
      try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
        workload.check(engine, 60, 60, "made by an interrupted thread");
      }
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void aFailureWakesWhoWaitsThoughTheBarrierThrows() throws Exception {
    Path store = directory("store");
    FailureBesideSync.check(hook -> openHooked(store, small(Storage.FILE), hook, NO_BACKGROUND));
  }

  /**
   * Words only ever grow; a reader that saw a checkpoint drop a page before writing it would see
   * one shrink.
   */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  @Timeout(120)
  void readersBesideCheckpointsNeverSeeOldContents(Storage storage) throws InterruptedException {
    int words = 512; // a page each
    AtomicLong checkpoints = new AtomicLong();
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    AtomicBoolean stop = new AtomicBoolean();
    try (MappedEngine engine =
        openHooked(
            directory("store"),
            small(storage),
            (operation, file) -> {
              if (operation == Operation.RELEASE || operation == Operation.WRITE_BACK) {
                checkpoints.incrementAndGet();
              }
            })) {
      engine.grow(START + 4096L * words);
      HeapMemory memory = engine.memory();
      List<Thread> readers = new ArrayList<>();
      for (int r = 0; r < 2; r++) {
        readers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      long[] seen = new long[words];
                      try {
                        while (!stop.get()) {
                          for (int i = 0; i < words; i++) {
                            long now = memory.getLong(START + 4096L * i);
                            if (now < seen[i]) {
                              throw new AssertionError(
                                  "word %d was %d, is %d".formatted(i, seen[i], now));
                            }
                            seen[i] = now;
                          }
                        }
                      } catch (Throwable e) {
                        thrown.set(e);
                      }
                    }));
      }
      WriteSet writes = new WriteSet();
      for (long n = 1; checkpoints.get() < 15 && thrown.get() == null; n++) {
        writes.clear();
        for (int i = 0; i < words; i++) {
          writes.putLong(START + 4096L * i, n);
        }
        engine.commit(writes);
      }
      stop.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
    }
    assertEquals(null, thrown.get());
  }

  /** The checkpoint is held up at its first page: commits go on beside it, up to the cap. */
  @Test
  @Timeout(120)
  void changedPagesAreCappedAndCommitsDoNotWaitForAWholeCheckpoint() throws Exception {
    CountDownLatch mayWrite = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    AtomicLong pageWrites = new AtomicLong();
    PmStoreOptions options = small(Storage.FILE).logSegmentSize(4 << 20);
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == Operation.WRITE_PAGES && armed.get()) {
            if (pageWrites.getAndIncrement() == 0) {
              awaitLatch(mayWrite);
            }
          }
        };
    long stepPages = 16;
    long cap = Checkpointer.DIRTY_BYTES_MAX / 4096;
    long total = cap + 20 * stepPages;
    Path store = directory("store");
    try (MappedEngine engine = openHooked(store, options, hook)) {
      growLog(engine, store, options.logSegmentSize());
      engine.grow(START + (total + 1) * 4096);
      AtomicLong committed = new AtomicLong();
      armed.set(true);
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    WriteSet writes = new WriteSet();
                    for (long page = 0; page < total; page += stepPages) {
                      writes.clear();
                      for (long i = page; i < page + stepPages; i++) {
                        writes.putLong(START + i * 4096, i + 1);
                      }
                      engine.commit(writes);
                      committed.addAndGet(stepPages);
                    }
                  });
      while (committed.get() < cap || writer.getState() != Thread.State.WAITING) {
        assertTrue(writer.isAlive(), "the writer was not held back at the cap");
        Thread.onSpinWait();
      }
      assertEquals(cap, committed.get(), stepPages, "commits ran up to the cap, and not further");
      assertEquals(1, engine.memory().getLong(START), "readers are not held up");
      mayWrite.countDown();
      writer.join();
      assertEquals(total, committed.get());
      assertTrue(pageWrites.get() > 1);
      for (long page = 0; page < total; page += 997) {
        assertEquals(page + 1, engine.memory().getLong(START + page * 4096));
      }
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aHeapFileThatShrinksWhileOpenFailsTheStoreAndNotTheProcess() throws IOException {
    Path store = directory("store");
    MappedEngine engine = MappedEngine.open(store, small(Storage.PERSISTENT_MEMORY));
    try (engine) {
      engine.grow(Workload.HEAP_SIZE);
      commit(engine, START, 1);
      try (FileChannel heap = FileChannel.open(store.resolve("heap"), StandardOpenOption.WRITE)) {
        heap.truncate(8192);
      }
      WriteSet writes = new WriteSet();
      writes.putLong(Workload.HEAP_SIZE - 8, 1);
      StoreFailedException e =
          assertThrows(
              StoreFailedException.class,
              () -> {
                // The error may come at a later store than the one that met it.
                for (int i = 0; i < 100; i++) {
                  engine.commit(writes);
                }
              });
      assertTrue(e.getMessage().contains(store.toString()), e.getMessage());
      assertThrows(StoreFailedException.class, engine::checkUsable);
    }
  }

  @Test
  void rangesOutsideTheSpaceAreRefusedBeforeAnythingIsLogged() {
    try (MappedEngine engine = MappedEngine.open(directory("store"), small(Storage.FILE))) {
      long end = engine.memory().size();
      for (long address : new long[] {0, 8184, end, end - 8, Long.MIN_VALUE, -16}) {
        WriteSet writes = new WriteSet();
        writes.put(address, new byte[16], 0, 16);
        assertThrows(IllegalArgumentException.class, () -> engine.commit(writes), "" + address);
      }
      assertEquals(0, engine.position());
      engine.checkUsable();
    }
  }

  @Test
  void theFirstFailureIsTheCauseOfAllLaterOnes() throws IOException {
    AtomicBoolean failing = new AtomicBoolean();
    IOException cause = new IOException("pulled out");
    try (Engine engine =
        openHooked(
            directory("store"),
            small(Storage.FILE),
            (operation, file) -> {
              if (failing.get()) {
                throw cause;
              }
            })) {
      failing.set(true);
      WriteSet writes = new WriteSet();
      writes.putLong(START, 1);
      assertSame(
          cause, assertThrows(StoreFailedException.class, () -> engine.commit(writes)).getCause());
      failing.set(false);
      assertSame(
          cause, assertThrows(StoreFailedException.class, () -> engine.commit(writes)).getCause());
    }
  }
}
