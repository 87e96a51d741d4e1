package io.pmstore.core.engine.mapped.growth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.medium.MediumException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The log becomes as large as it needs to be, and no larger. */
@Timeout(120)
class LogSizeTest extends StoreTest {
  private static final long NORMAL = 4 << 20;
  private static final int ENOSPC = 28;
  private static final int LARGE = 30 << 20; // more than twelve segments of the normal size

  private static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults().storage(storage).logSegmentSize(NORMAL);
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static long smallestLog(Path directory) {
    return logs(directory).stream().mapToLong(log -> log.toFile().length()).min().orElseThrow();
  }

  private static long largestLog(Path directory) {
    return logs(directory).stream().mapToLong(log -> log.toFile().length()).max().orElseThrow();
  }

  /** Returns the mappings of files of a store that have no name any more. */
  private static List<String> deletedFilesInMemory(Path store) throws IOException {
    try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
      return mapped.filter(m -> m.contains(store + "/") && m.endsWith("(deleted)")).toList();
    }
  }

  private static void commitLarge(MappedEngine engine, byte[] contents) {
    WriteSet writes = new WriteSet();
    writes.put(START, contents, 0, contents.length);
    engine.sync(engine.commit(writes));
  }

  private byte[] random(int size) {
    byte[] contents = new byte[size];
    new Random(seed()).nextBytes(contents);
    return contents;
  }

  @Test
  void aNewStoreTakesLessThanAMegabyte() throws IOException {
    Path store = directory("store");
    try (MappedEngine engine = MappedEngine.open(store, PmStoreOptions.defaults())) {
      commit(engine, START, 1);
      assertTrue(bytes(store) <= 1 << 20, () -> "bytes: " + store.toFile().length());
    }
    assertTrue(bytes(store) <= 1 << 20);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void commitsThatFillTheLogQuicklyMakeItLarger(Storage storage) throws IOException {
    Path store = directory("store");
    long last = 0;
    try (MappedEngine engine = MappedEngine.open(store, options(storage))) {
      engine.grow(1 << 20);
      while (smallestLog(store) < NORMAL) {
        last++;
        commit(engine, START, last);
        commit(engine, START + 8, new long[1000]);
      }
      assertEquals(NORMAL, largestLog(store));
      copyAsAfterKill(store, store.resolveSibling("killed"));
    }
    for (Path closedOrKilled : new Path[] {store, store.resolveSibling("killed")}) {
      try (MappedEngine engine = MappedEngine.open(closedOrKilled, options(storage))) {
        assertEquals(last, engine.memory().getLong(START));
        assertEquals(NORMAL, smallestLog(closedOrKilled), "it keeps its size");
      }
    }
  }

  /** A kill leaves the one that was acknowledged while the log grew for the other. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void theLogGrowsForATransactionInTheMidstOfAnother(Storage storage) throws Exception {
    Path store = directory("store");
    Path killed = directory("killed");
    CountDownLatch inTheMidst = new CountDownLatch(1);
    CountDownLatch headers = new CountDownLatch(3); // the second checkpoint's first
    CountDownLatch acknowledged = new CountDownLatch(1);
    AtomicReference<Thread> first = new AtomicReference<>();
    Thread second = Thread.currentThread();
    AtomicInteger records = new AtomicInteger();
    byte[] contents = random(170_000); // a new store has segments of 64 KiB, and three are room
    byte[] larger = random(1_000_000);
    try (MappedEngine engine =
            openHooked(
                store,
                options(storage),
                (operation, file) -> {
                  if (operation == Operation.WRITE && first.get() == Thread.currentThread()) {
                    if (records.incrementAndGet() == 5) {
                      inTheMidst.countDown();
                      await(headers);
                    }
                  } else if (operation == Operation.WRITE
                      && file.equals("heap")
                      && second == Thread.currentThread()
                      && inTheMidst.getCount() == 0) {
                    headers.countDown();
                    if (headers.getCount() == 0) {
                      await(acknowledged);
                    }
                  }
                });
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      engine.grow(START + (4 << 20));
      Future<?> one =
          threads.submit(
              () -> {
                first.set(Thread.currentThread());
                try {
                  commitLarge(engine, contents);
                  copyAsAfterKill(store, killed);
                } finally {
                  acknowledged.countDown();
                }
                return null;
              });
      inTheMidst.await();
      WriteSet writes = new WriteSet();
      writes.put(START + (2 << 20), larger, 0, larger.length);
      engine.sync(engine.commit(writes));
      one.get();
    }
    try (MappedEngine engine = MappedEngine.open(killed, options(storage))) {
      assertArrayEquals(contents, read(engine, START, contents.length));
    }
    try (MappedEngine engine = MappedEngine.open(store, options(storage))) {
      assertArrayEquals(contents, read(engine, START, contents.length));
      assertArrayEquals(larger, read(engine, START + (2 << 20), larger.length));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void manyTransactionsThatAreLargerThanANewLogMakeItLargerOnce(Storage storage)
      throws IOException {
    Path store = directory("store");
    AtomicInteger made = new AtomicInteger();
    byte[] contents = random(300_000); // a new store has segments of 64 KiB
    try (MappedEngine engine =
        openHooked(
            store,
            options(storage),
            (operation, file) -> {
              if (operation == Operation.ALLOCATE && file.startsWith("log-")) {
                made.incrementAndGet();
              }
            })) {
      engine.grow(START + contents.length);
      made.set(0);
      for (int i = 0; i < 100; i++) {
        commitLarge(engine, contents);
      }
      assertTrue(made.get() <= 4 * 5, () -> made + " segments were made"); // four each time
      // The background thread may be replacing one more segment: then its mapping is about to go.
      long giveUpAt = System.nanoTime() + 30_000_000_000L;
      List<String> deleted = deletedFilesInMemory(store);
      while (!deleted.isEmpty() && System.nanoTime() < giveUpAt) {
        Thread.onSpinWait();
        deleted = deletedFilesInMemory(store);
      }
      assertEquals(List.of(), deleted, "what was replaced takes no space");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void commitsThatAreFasterThanTheDiskMakesSegmentsGetALargerLogToo(Storage storage)
      throws IOException {
    Path store = directory("store");
    Thread committer = Thread.currentThread();
    AtomicInteger made = new AtomicInteger();
    byte[] contents = random(40_000); // a new store has segments of 64 KiB
    try (MappedEngine engine =
        openHooked(
            store,
            options(storage),
            (operation, file) -> {
              if (operation == Operation.ALLOCATE && file.endsWith(".new")) {
                made.incrementAndGet();
                // Long enough for commits to use all segments that are free: then they wait.
                long goOnAt = System.nanoTime() + 20_000_000;
                while (Thread.currentThread() != committer && System.nanoTime() < goOnAt) {
                  Thread.onSpinWait();
                }
              }
            })) {
      engine.grow(START + contents.length);
      for (int i = 0; i < 5_000 && smallestLog(store) < NORMAL; i++) {
        commitLarge(engine, contents);
      }
      assertEquals(NORMAL, smallestLog(store), () -> made + " segments were made");
      assertTrue(made.get() <= 4 * 5, () -> made + " segments were made"); // four each time
    }
    try (MappedEngine engine = MappedEngine.open(store, options(storage))) {
      assertArrayEquals(contents, read(engine, START, contents.length));
      assertEquals(NORMAL, smallestLog(store));
    }
    assertNothingIsLeftOver(store);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aTransactionThatIsLargerThanTheLogHasRoom(Storage storage) throws IOException {
    Path store = directory("store");
    byte[] contents = random(LARGE);
    Path killed = store.resolveSibling("killed");
    AtomicBoolean committed = new AtomicBoolean();
    try (MappedEngine engine =
        openHooked(
            store,
            options(storage),
            (operation, file) -> {
              // The log becomes small again, by the one thread that changes files now.
              if (operation == Operation.ALLOCATE && committed.getAndSet(false)) {
                copyAsAfterKill(store, killed);
              }
            })) {
      engine.grow(START + LARGE);
      commit(engine, START, 1);
      commitLarge(engine, contents);
      committed.set(true);
      while (committed.get() || largestLog(store) > NORMAL) {
        Thread.onSpinWait();
      }
    }
    for (Path closedOrKilled : new Path[] {store, killed}) {
      try (MappedEngine engine = MappedEngine.open(closedOrKilled, options(storage))) {
        assertArrayEquals(contents, read(engine, START, LARGE));
      }
    }
  }

  @Test
  void withoutRoomForALargerLogALargeTransactionIsRefusedAndTheStoreGoesOn() throws IOException {
    Path store = directory("store");
    AtomicBoolean full = new AtomicBoolean();
    try (MappedEngine engine =
        openHooked(
            store,
            options(Storage.FILE),
            (operation, file) -> {
              if (full.get() && operation == Operation.ALLOCATE && file.startsWith("log-")) {
                throw new MediumException("allocating " + file, ENOSPC);
              }
            })) {
      engine.grow(START + LARGE);
      full.set(true);
      for (int i = 0; i < 3; i++) {
        StoreFullException e =
            assertThrows(StoreFullException.class, () -> commitLarge(engine, new byte[LARGE]));
        assertTrue(e.getMessage().contains("the log cannot grow to segments of"), e.getMessage());
      }
      for (long n = 1; n <= 1000; n++) {
        commit(engine, START, n);
        commit(engine, START + 8, new long[100]);
      }
      full.set(false);
      commitLarge(engine, random(LARGE));
      commit(engine, START, 7);
    }
    assertNothingIsLeftOver(store);
    try (MappedEngine engine = MappedEngine.open(store, options(Storage.FILE))) {
      assertEquals(7, engine.memory().getLong(START));
    }
  }

  /**
   * A full disk leaves one segment larger than the others, and a transaction makes all as large as
   * that one. Then commits write records that recovery does not accept in smaller segments.
   * Background work may make that one segment small again before, so there are several rounds.
   */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void segmentsStayLargeEnoughForTheRecordsOfCommits(Storage storage) throws IOException {
    for (int round = 0; round < 10; round++) {
      growInPartAndThenWhole(directory("store" + round), storage);
    }
  }

  private void growInPartAndThenWhole(Path store, Storage storage) throws IOException {
    AtomicInteger room = new AtomicInteger(Integer.MAX_VALUE); // for so many segments
    AtomicBoolean refused = new AtomicBoolean();
    AtomicLong least = new AtomicLong(); // so large were all segments once
    try (MappedEngine engine =
        openHooked(
            store,
            options(storage),
            (operation, file) -> {
              if (operation == Operation.ALLOCATE && file.startsWith("log-")) {
                least.accumulateAndGet(smallestLog(store), Math::max); // one thread makes segments
                if (room.getAndDecrement() <= 0) {
                  refused.set(true);
                  throw new MediumException("allocating " + file, ENOSPC);
                }
              }
            })) {
      engine.grow(1 << 20);
      room.set(1);
      while (!refused.get()) {
        commit(engine, START, new long[100]);
      }
      room.set(Integer.MAX_VALUE);
      commitLarge(engine, random(200_000));
      long[] words = new long[2500]; // more than an eighth of a segment of half the size
      for (int n = 1; n <= 300; n++) {
        commit(engine, START, words);
        long expected = least.get();
        assertTrue(smallestLog(store) >= expected, () -> expected + " > " + smallestLog(store));
      }
    }
  }

  private static void assertNothingIsLeftOver(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      assertFalse(files.anyMatch(file -> file.toString().endsWith(".new")));
    }
  }
}
