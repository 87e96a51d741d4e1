package io.pmstore.core.engine.mapped.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.ReadOnlyEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A damaged page stays detectable: no write beside the damage gives the page a matching checksum.
 */
class DamagedPagesTest extends StoreTest {
  private static final int PAGE = 4096;
  private static final int PAGES = 200;
  private static final int DAMAGED = 40;

  private static long page(int number) {
    return START + (long) number * PAGE;
  }

  /** A closed store with a word on each of its first pages. */
  private Path store(Storage storage) {
    Path store = directory("store");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(2 * HeapMemory.EXTENT_SIZE);
      WriteSet writes = new WriteSet();
      for (int i = 0; i < PAGES; i++) {
        writes.putLong(page(i) + 8 * i, i + 1);
      }
      engine.sync(engine.commit(writes));
    }
    return store;
  }

  private static TreeSet<Long> damage(Path store, Random random) throws IOException {
    TreeSet<Long> damaged = new TreeSet<>();
    while (damaged.size() < DAMAGED) {
      // Some pages that were never written are among them.
      long at = page(random.nextInt(PAGES + 50)) + random.nextInt(PAGE);
      if (damaged.add(at & -PAGE)) {
        byte old = readFrom(store.resolve(StoreLayout.HEAP), at, 1)[0];
        writeTo(store.resolve(StoreLayout.HEAP), at, (byte) (old ^ 1 << random.nextInt(8)));
      }
    }
    return damaged;
  }

  private static List<Long> faults(Engine engine) {
    List<Long> faults = new ArrayList<>();
    engine.verify((address, found, expected) -> faults.add(address));
    return faults;
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void whatIsWrittenOnDamagedPagesIsRefusedAndTheyStayFaults(Storage storage) throws IOException {
    Random random = new Random(seed());
    Path store = store(storage);
    TreeSet<Long> damaged = damage(store, random);
    int round = 0;
    for (long page : damaged) {
      Path left = store;
      try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
        int sound = sound(damaged, random);
        commit(engine, page(sound) + 2048, 17);
        long target = page + random.nextInt(PAGE / 8) * 8;
        byte[] before = read(engine, page, PAGE);
        StoreDamagedException e =
            assertThrows(StoreDamagedException.class, () -> commit(engine, target, 42));
        assertTrue(e.getMessage().contains("page at " + page + ","), e.getMessage());
        assertArrayEquals(before, read(engine, page, PAGE), "what is read goes on");
        assertEquals(17, engine.memory().getLong(page(sound) + 2048));
        assertThrows(StoreDamagedException.class, engine::checkWritable);
        assertThrows(StoreDamagedException.class, () -> commit(engine, page(sound), 42));
        if (round++ % 4 == 0) {
          left = directory("killed" + round);
          copyAsAfterKill(store, left);
        }
      }
      try (ReadOnlyEngine engine = ReadOnlyEngine.open(left)) {
        assertEquals(List.copyOf(damaged), faults(engine), "after a write to " + page);
      }
    }
  }

  private static int sound(TreeSet<Long> damaged, Random random) {
    while (true) {
      int number = random.nextInt(PAGES);
      if (!damaged.contains(page(number))) {
        return number;
      }
    }
  }

  @Test
  void oneDamagedPageOfALongRangeIsEnough() throws IOException {
    Path store = store(Storage.FILE);
    writeTo(store.resolve(StoreLayout.HEAP), page(PAGES - 1) + 5, (byte) 1);
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      WriteSet writes = new WriteSet();
      writes.put(page(3), new byte[(PAGES - 4) * PAGE + 64], 0, (PAGES - 4) * PAGE + 64);
      StoreDamagedException e =
          assertThrows(StoreDamagedException.class, () -> engine.commit(writes));
      assertTrue(e.getMessage().contains("page at " + page(PAGES - 1)), e.getMessage());
      assertEquals(4, engine.memory().getLong(page(3) + 24), "nothing was changed");
    }
  }

  @Test
  void whatIsCopiedIsCompared() throws IOException {
    Path store = store(Storage.FILE);
    long damaged = HeapMemory.EXTENT_SIZE + 5 * PAGE;
    writeTo(store.resolve(StoreLayout.HEAP), damaged + 100, (byte) 1);
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      engine.checkStored(0, HeapMemory.EXTENT_SIZE);
      assertThrows(
          StoreDamagedException.class,
          () -> engine.checkStored(HeapMemory.EXTENT_SIZE, HeapMemory.EXTENT_SIZE));
      assertThrows(StoreDamagedException.class, () -> commit(engine, page(1), 42));
    }
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
      assertThrows(StoreDamagedException.class, () -> engine.checkStored(damaged, 8));
    }
  }

  /** Threads that come to a page at the same time see it compared before any of them changes it. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void threadsThatComeToAPageTogetherFindItSound(Storage storage) throws Exception {
    int threads = 4;
    Path store = store(storage);
    PmStoreOptions options = small(storage);
    try (MappedEngine engine = MappedEngine.open(store, options)) {
      List<FutureTask<?>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        FutureTask<?> task =
            new FutureTask<>(
                () -> {
                  for (int i = 0; i < PAGES; i++) {
                    WriteSet writes = new WriteSet();
                    writes.putLong(page(i) + 2048 + 8 * thread, 42);
                    engine.commit(writes);
                  }
                  return null;
                });
        running.add(task);
        Thread.ofPlatform().start(task);
      }
      for (FutureTask<?> task : running) {
        task.get();
      }
    }
    try (MappedEngine engine = MappedEngine.open(store, options)) {
      assertEquals(List.of(), faults(engine));
    }
  }
}
