package io.pmstore.core.engine.mapped.growth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.BackupWriter;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.ReadOnlyEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.Workload;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSumsLayout;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mapped heap shrinks: its files, its mappings, and what a crash in between leaves. */
class ShrinkTest extends StoreTest {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;
  private static final long SMALL = Workload.HEAP_SIZE;

  private static void assertFiles(Path store, long heapSize) throws IOException {
    assertEquals(heapSize, Files.size(store.resolve(StoreLayout.HEAP)));
    assertEquals(PageSumsLayout.offset(heapSize), Files.size(store.resolve(StoreLayout.SUMS)));
    assertEquals(heapSize, header(store).heapSize());
  }

  private static void assertSound(Engine engine) {
    List<String> faults = new ArrayList<>();
    engine.verify((address, found, expected) -> faults.add(address + ": " + found));
    assertEquals(List.of(), faults);
  }

  private static void assertZeros(Engine engine, long from, long to) {
    assertArrayEquals(new byte[(int) (to - from)], read(engine, from, (int) (to - from)));
  }

  /** Words in each 1 MiB of an extent. */
  private static void fill(Engine engine, long from, long value) {
    for (long at = from; at < from + EXTENT; at += 1 << 20) {
      commit(engine, at + 8, value, at, value);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void theFilesBecomeSmaller(Storage storage) throws IOException {
    Path store = directory("store");
    Workload workload = new Workload(seed(), 2000, SMALL);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(5 * EXTENT);
      workload.run(engine, 20);
      engine.shrink(SMALL);
      assertFiles(store, SMALL);
      workload.check(engine, 20, 20, "shrunk");
      assertSound(engine);
      workload.run(engine, 30);
    }
    assertFiles(store, SMALL);
    try (ReadOnlyEngine reader = ReadOnlyEngine.open(store)) {
      assertEquals(SMALL, reader.memory().size());
      workload.check(reader, 30, 30, "read only");
      assertSound(reader);
    }
  }

  /** The growth asked for room ahead of need; the background thread comes to it afterwards. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  @Timeout(120)
  void roomAheadOfNeedIsGivenBackAndNotMadeAgain(Storage storage) throws Exception {
    Path store = directory("store");
    CountDownLatch mayRun = new CountDownLatch(1);
    try (MappedEngine engine =
        MappedEngine.open(store, small(storage), task -> backgroundThread(after(mayRun, task)))) {
      engine.grow(3 * EXTENT);
      engine.shrink(EXTENT);
      mayRun.countDown();
    } // waits for the background thread
    assertFiles(store, EXTENT);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(3 * EXTENT);
      awaitRoomAhead(store, 3 * EXTENT);
      engine.shrink(3 * EXTENT);
      assertFiles(store, 3 * EXTENT);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  @Timeout(120)
  void aClosedStoreHasNoRoomAhead(Storage storage) throws IOException {
    Path store = directory("store");
    Workload workload = new Workload(seed(), 500, SMALL);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(SMALL);
      workload.run(engine, 10);
      awaitRoomAhead(store, SMALL);
    }
    assertFiles(store, SMALL);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      assertEquals(SMALL, engine.memory().size());
      workload.check(engine, 10, 10, "opened again");
      assertSound(engine);
      engine.grow(SMALL + EXTENT);
      assertZeros(engine, SMALL, SMALL + EXTENT);
    }
    assertFiles(store, SMALL + EXTENT);
  }

  private static void awaitRoomAhead(Path store, long size) throws IOException {
    while (header(store).heapSize() == size) {
      Thread.onSpinWait(); // it is on its way
    }
  }

  private static Runnable after(CountDownLatch latch, Runnable task) {
    return () -> {
      await(latch);
      task.run();
    };
  }

  /** At each change of a file that a shrink makes, what a kill would leave is opened. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aKillInTheMiddleLeavesOneSizeOrTheOther(Storage storage) throws IOException {
    killInTheMiddle(
        storage, (store, engine) -> engine.grow(SMALL + EXTENT), engine -> engine.shrink(SMALL));
  }

  /** A close gives back the room ahead of need in the same way. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  @Timeout(120)
  void aKillWhileTheStoreIsClosedLeavesOneSizeOrTheOther(Storage storage) throws IOException {
    killInTheMiddle(storage, (store, engine) -> awaitRoomAhead(store, SMALL), MappedEngine::close);
  }

  /** Makes a heap larger. */
  @FunctionalInterface
  private interface Growth {
    void run(Path store, Engine engine) throws IOException;
  }

  private void killInTheMiddle(Storage storage, Growth growth, Consumer<MappedEngine> change)
      throws IOException {
    Path store = directory("store");
    Workload workload = new Workload(seed(), 500, SMALL);
    List<Path> images = new ArrayList<>();
    List<String> calls = new ArrayList<>();
    Set<Operation> written = Set.of(Operation.WRITE_BACK, Operation.WRITE_PAGES);
    boolean[] shrinking = {false};
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (shrinking[0] && !written.contains(operation)) { // many; the syncs behind them will do
            calls.add(operation + " " + file);
            Path image = directory("image" + images.size());
            copyAsAfterKill(store, image);
            images.add(image);
          }
        };
    try (MappedEngine engine = openHooked(store, small(storage), hook)) {
      engine.grow(SMALL);
      workload.run(engine, 10);
      growth.run(store, engine);
      shrinking[0] = true;
      change.accept(engine);
      shrinking[0] = false;
    }
    assertTrue(
        calls.contains("TRUNCATE heap") && calls.contains("TRUNCATE sums"), () -> "" + calls);
    int tails = 0;
    for (int i = 0; i < images.size(); i++) {
      Path image = images.get(i);
      long recorded = header(image).heapSize();
      boolean tail = Files.size(image.resolve(StoreLayout.HEAP)) > recorded;
      tails += tail ? 1 : 0;
      String what = "before " + calls.get(i);
      try (ReadOnlyEngine reader = ReadOnlyEngine.open(image)) {
        workload.check(reader, 10, 10, what + ", read only");
      }
      assertEquals(tail, Files.size(image.resolve(StoreLayout.HEAP)) > recorded, "only read");
      try (MappedEngine engine = MappedEngine.open(image, small(storage))) {
        assertFiles(image, recorded);
        assertEquals(recorded, engine.memory().size());
        workload.check(engine, 10, 10, what);
        assertSound(engine);
        workload.run(engine, 12);
      }
      remove(image);
    }
    assertTrue(
        tails > 0, () -> "no image had a file that is longer than its header says: " + calls);
  }

  /** What a shrink that was killed leaves behind the end has the contents of before. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void whatACrashLeftBehindTheEndNeverComesBack(Storage storage) throws IOException {
    Path store = directory("store");
    Path killed = directory("killed");
    boolean[] copied = {false};
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == Operation.TRUNCATE && !copied[0]) {
            copied[0] = true;
            copyAsAfterKill(store, killed);
          }
        };
    try (MappedEngine engine = openHooked(store, small(storage), hook)) {
      engine.grow(3 * EXTENT);
      fill(engine, EXTENT, 1);
      fill(engine, 2 * EXTENT, 2);
      engine.shrink(EXTENT);
    }
    assertEquals(EXTENT, header(killed).heapSize());
    assertTrue(Files.size(killed.resolve(StoreLayout.HEAP)) >= 3 * EXTENT);
    assertFalse(
        isZero(readFrom(killed.resolve(StoreLayout.HEAP), EXTENT, (int) EXTENT)), "the old end");
    try (MappedEngine engine = MappedEngine.open(killed, small(storage))) {
      assertEquals(EXTENT, engine.memory().size());
      assertFiles(killed, EXTENT);
      engine.grow(3 * EXTENT);
      assertZeros(engine, EXTENT, 3 * EXTENT);
      assertSound(engine);
    }
  }

  private static boolean isZero(byte[] bytes) {
    return MemorySegment.ofArray(bytes).mismatch(MemorySegment.ofArray(new byte[bytes.length])) < 0;
  }

  /** The checkpoint is held up while it writes pages of the end that is given back. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  @Timeout(120)
  void aCheckpointUnderWayIsWaitedFor(Storage storage) throws Exception {
    Path store = directory("store");
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    Operation step = storage == Storage.FILE ? Operation.WRITE_PAGES : Operation.WRITE_BACK;
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == step && Thread.currentThread().getName().equals("pmstore-background")) {
            writing.countDown();
            await(mayWrite);
          }
        };
    try (MappedEngine engine = openHooked(store, small(storage), hook)) {
      engine.grow(2 * EXTENT);
      // A checkpoint is due when the third segment of the log is in use; a full log would block.
      long words = 8192;
      for (long written = 0; written < 9L << 18; written += 8 * words) {
        commit(engine, EXTENT + written, LongStream.range(0, words).toArray());
      }
      await(writing);
      AtomicReference<String> size = new AtomicReference<>("");
      Thread shrinking =
          Thread.ofPlatform()
              .start(
                  () -> {
                    engine.shrink(EXTENT);
                    size.set(engine.memory().size() + "");
                  });
      while (shrinking.getState() != Thread.State.WAITING) {
        assertTrue(shrinking.isAlive(), "it did not wait");
        Thread.onSpinWait();
      }
      assertEquals("", size.get());
      mayWrite.countDown();
      shrinking.join();
      assertEquals(EXTENT + "", size.get());
      assertFiles(store, EXTENT);
      engine.grow(2 * EXTENT);
      assertZeros(engine, EXTENT, 2 * EXTENT);
      assertSound(engine);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void mappingsDoNotPileUp(Storage storage) throws IOException {
    Path store = directory("store");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(6 * EXTENT);
    }
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) { // in one mapping
      for (int i = 0; i < 40; i++) {
        long kept = 1 + i % 4;
        engine.shrink(kept * EXTENT);
        assertMapped(store, engine);
        for (long extents = kept + 1; extents <= 6; extents++) {
          engine.grow(extents * EXTENT);
        }
        assertZeros(engine, 5 * EXTENT, 6 * EXTENT);
        commit(engine, 6 * EXTENT - 8, i);
        assertMapped(store, engine);
      }
    }
  }

  /** Not more address space than the heap once had, and not more mappings than extents. */
  private static void assertMapped(Path store, Engine engine) throws IOException {
    long bytes = 0;
    int mappings = 0;
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.contains(store.resolve(StoreLayout.HEAP).toString())) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-", 2);
        bytes += Long.parseLong(range[1], 16) - Long.parseLong(range[0], 16);
        mappings++;
      }
    }
    assertTrue(bytes <= 7 * EXTENT && mappings <= 8, bytes + " bytes in " + mappings);
    assertTrue(bytes >= engine.memory().size(), bytes + " bytes");
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aBackupHasTheSmallerHeap(Storage storage) throws IOException {
    Path store = directory("store");
    Path backup = store.resolveSibling("backup");
    Workload workload = new Workload(seed(), 500, SMALL);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(SMALL);
      workload.run(engine, 10);
      engine.grow(4 * EXTENT);
      fill(engine, 3 * EXTENT, 1);
      long commits = engine.position();
      engine.shrink(SMALL);
      try (BackupWriter writer = BackupWriter.open(backup, AccessRights.OWNER)) {
        writer.write(
            1 << 20,
            engine.memory().size(),
            (extent, copy) -> copy.copyFrom(engine.memory().slice(extent * EXTENT, EXTENT)),
            null);
      }
      assertEquals(commits, engine.position());
      assertArrayEquals(
          read(engine, START, (int) (SMALL - START)), contents(backup, storage), "the backup");
    }
    assertFiles(backup, SMALL);
  }

  private static byte[] contents(Path store, Storage storage) {
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      assertSound(engine);
      return read(engine, START, (int) (engine.memory().size() - START));
    }
  }
}
