package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.Transaction;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFullException;
import io.pmstore.StoreLockedException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is particular to the LLPL engine: a pool of limited size, PMDK's undo log, failures inside a
 * transaction.
 */
class LlplEngineTest extends EngineFixture {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;

  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected Engine open(Path directory) {
    return open(directory, 64 << 20);
  }

  private static LlplEngine open(Path directory, long poolSize) {
    return LlplEngine.open(directory, PmStoreOptions.defaults().llplPoolSize(poolSize));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }

  /** A write set that takes as much undo log as it can, in one range or in as many as it can. */
  private static WriteSet undoOf(long undo, boolean manyRanges, long size) {
    WriteSet writes = new WriteSet();
    if (manyRanges) {
      long gap = ((size - START) / (undo / 64)) & -8;
      for (long n = 0; n < undo / 64; n++) {
        writes.putLong(START + n * gap, -1);
      }
    } else {
      byte[] contents = new byte[((int) undo - 4096) & -8];
      Arrays.fill(contents, (byte) -1);
      writes.put(START + 8, contents, 0, contents.length);
    }
    return writes;
  }

  @Test
  void theRecorderIsToldOfGrowth() throws IOException {
    Path directory = directory("store");
    Path file = directory("recording").resolve("all.jfr");
    try (Recording recording = new Recording();
        LlplEngine engine = open(directory, 64 << 20)) {
      recording.enable("pmstore.CommitStall").withoutThreshold();
      recording.start();
      engine.grow(1);
      engine.grow(2 * EXTENT);
      recording.dump(file);
    }
    List<RecordedEvent> stalls =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.hasField("store"))
            .filter(event -> event.getString("store").equals(directory.toString()))
            .toList();
    assertEquals(1, stalls.size());
    assertEquals(Cause.HEAP_GROWTH.label(), stalls.getFirst().getString("cause"));
    assertTrue(stalls.getFirst().getDuration().isPositive());
  }

  @ParameterizedTest
  @ValueSource(longs = {32 << 20, (32 << 20) + 4711, 50_000_000, 64 << 20, 100 << 20, 200 << 20})
  void aFullPoolStillTakesTheLargestTransaction(long poolSize) {
    Path directory = directory("store");
    try (LlplEngine engine = open(directory, poolSize)) {
      PoolSpace space = PoolSpace.of((poolSize + 4095) & -4096);
      long size = space.extentsMax() * EXTENT;
      assertTrue(size > poolSize / 10 * 9 - (32 << 20), "too little of the pool is used");
      engine.grow(size);
      assertEquals(size, engine.memory().size());
      StoreFullException full = assertThrows(StoreFullException.class, () -> engine.grow(size + 1));
      assertTrue(full.getMessage().contains("llplPoolSize"), full.getMessage());
      for (int i = 0; i < 3; i++) {
        engine.commit(undoOf(space.undoMax(), true, size));
        engine.commit(undoOf(Math.min(space.undoMax(), size - START), false, size));
      }
      long position = engine.position();
      WriteSet tooLarge = undoOf(space.undoMax() + 64, true, size);
      assertThrows(TransactionTooLargeException.class, () -> engine.commit(tooLarge));
      assertEquals(position, engine.position());
      commit(engine, START, 1);
    }
    try (LlplEngine engine = open(directory, poolSize)) {
      assertEquals(1, engine.memory().getLong(START));
      assertEquals(-1, engine.memory().getLong(START + 8));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {PoolSpace.UNDO_IN_PLACE, 40_000})
  void transactionsOfManyThreadsDoNotUseUpTheUndoLog(long undo) throws Exception {
    try (LlplEngine engine = open(directory("store"), 32 << 20)) {
      // Each on a thread of its own, of which PMDK would keep 32 KiB: together more than there is.
      for (int i = 0; i < 400; i++) {
        WriteSet writes = undoOf(undo - 64, undo < 4096 || i % 2 == 0, EXTENT);
        writes.add(START + EXTENT / 2 + 8, 1);
        assertEquals(undo, new PendingCommit(writes).undo(), 4096);
        Thread thread = Thread.ofPlatform().start(() -> engine.commit(writes));
        thread.join();
      }
      assertEquals(400, engine.memory().getLong(START + EXTENT / 2 + 8));
      engine.commit(undoOf(PoolSpace.of(32 << 20).undoMax(), true, EXTENT));
    }
  }

  @Test
  void aStoreThatDoesNotFitIsNotMade() throws IOException {
    Path directory = directory("store");
    assertThrows(StoreFullException.class, () -> open(directory, 1L << 50));
    assertEquals(List.of(), files(directory));
    commit(opened(directory), START, 1);
  }

  @Test
  void theOptionsOfAnExistingStoreDoNotMatter() {
    Path directory = directory("store");
    open(directory, 32 << 20).close();
    try (LlplEngine engine = open(directory, 1 << 30)) {
      assertThrows(StoreFullException.class, () -> engine.grow(2 * EXTENT));
      commit(engine, EXTENT - 8, 1);
    }
  }

  @Test
  void aStoreIsOpenOnceWhateverItsPath() throws IOException {
    Path directory = directory("store");
    Path link = directory.resolveSibling("link");
    Files.createSymbolicLink(link, directory);
    Engine engine = opened(link);
    commit(engine, START, 1);
    assertThrows(StoreLockedException.class, () -> opened(directory));
    engine.close();
    assertEquals(1, opened(directory).memory().getLong(START));
  }

  @Test
  void aCopyIsNotOpenedBesideItsOriginal() throws IOException {
    Path directory = directory("store");
    Engine engine = opened(directory);
    commit(engine, START, 1);
    Path copy = directory("copy");
    copyAsAfterKill(directory, copy);
    StoreLockedException e = assertThrows(StoreLockedException.class, () -> opened(copy));
    assertTrue(e.getMessage().contains(directory.toString()), e.getMessage());
    engine.close();
    Engine copied = opened(copy);
    assertEquals(1, copied.memory().getLong(START));
    assertThrows(StoreLockedException.class, () -> opened(directory));
  }

  @Test
  void aTransactionOfTheCallersOwnIsLeftAlone() {
    Engine engine = opened(directory("store"));
    String path = directory("own").resolve("heap").toString();
    Heap heap = Heap.createHeap(path, 32 << 20);
    MemoryBlock block = heap.allocateMemoryBlock(64);
    Transaction.create(
        heap,
        () -> {
          block.addToTransaction(0, 8);
          block.setLong(0, 7);
          commit(engine, START, 1);
          engine.grow(2 * EXTENT);
          block.addToTransaction(8, 8);
          block.setLong(8, 8);
        });
    assertArrayEquals(new long[] {7, 8}, new long[] {block.getLong(0), block.getLong(8)});
    assertThrows(
        ArithmeticException.class,
        () ->
            Transaction.create(
                heap,
                () -> {
                  block.addToTransaction(0, 8);
                  block.setLong(0, 9);
                  commit(engine, START + 8, 2);
                  throw new ArithmeticException();
                }));
    assertEquals(7, block.getLong(0), "the caller's is rolled back");
    assertArrayEquals(bytes(1, 2), read(engine, START, 16), "pmstore's is committed");
    new LlplPool(heap).close();
  }

  @Test
  void manyVirtualThreadsThatWaitBetweenCommitsEachCommitTheirOwn() throws Exception {
    // On few carriers, one thread's transaction would be open when another's starts, if they ran
    // there.
    Engine engine = opened(directory("store"));
    int threads = 200;
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> futures = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        long address = START + 64L * t;
        futures.add(
            virtual.submit(
                () -> {
                  for (int i = 1; i <= 20; i++) {
                    commit(engine, address, i, i, i);
                    Thread.yield();
                    assertArrayEquals(bytes(i, i, i), read(engine, address, 24));
                  }
                }));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
    assertEquals(20L * threads, engine.position());
  }

  @Test
  void aRangeOutsideTheSpaceChangesNothing() {
    Engine engine = opened(directory("store"));
    long size = engine.memory().size();
    commit(engine, START, 1);
    for (long address :
        new long[] {
          0, START - 8, size - 8, size, size + EXTENT, START + 4, -8, Long.MAX_VALUE - 7
        }) {
      WriteSet aimed = new WriteSet();
      aimed.put(START, bytes(3, 4), 0, 16);
      aimed.putLong(START + 64, 5);
      // Past the checks of the write set itself.
      ByteBuffer.wrap(aimed.record())
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(LogRecordLayout.HEADER_SIZE, address);
      assertThrows(IllegalArgumentException.class, () -> engine.commit(aimed), "at " + address);
      assertArrayEquals(bytes(1, 0), read(engine, START, 16), "at " + address);
      assertEquals(0, engine.memory().getLong(START + 64), "at " + address);
      engine.checkUsable();
    }
    WriteSet delta = new WriteSet();
    delta.putLong(START, 2);
    delta.add(size + 8, 1);
    assertThrows(RuntimeException.class, () -> engine.commit(delta));
    assertEquals(1, engine.memory().getLong(START));
    commit(engine, START, 5);
  }
}
