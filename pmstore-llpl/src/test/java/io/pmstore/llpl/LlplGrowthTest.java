package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.medium.DurableNames;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool that grows: what it takes of the disk and when, up to where, and what if it cannot. */
class LlplGrowthTest extends EngineFixture {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;

  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected LlplEngine open(Path directory) {
    return open(directory, PmStoreOptions.defaults());
  }

  private static LlplEngine open(Path directory, PmStoreOptions options) {
    return LlplEngine.open(directory, options);
  }

  private static LlplEngine open(Path directory, long poolSize) {
    return open(directory, PmStoreOptions.defaults().llplPoolSize(poolSize));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }

  private static void fill(LlplEngine engine, int extents) {
    for (int i = 1; i <= extents; i++) {
      engine.grow(i * EXTENT);
      commit(engine, i * EXTENT - 8, i);
    }
  }

  private static void check(LlplEngine engine, int extents) {
    for (int i = 1; i <= extents; i++) {
      assertEquals(i, engine.memory().getLong(i * EXTENT - 8));
    }
  }

  private long bytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : files(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  @Test
  void aNewStoreIsSmallAndGrowsWithItsObjects() throws IOException {
    Path directory = directory("store");
    try (LlplEngine engine = open(directory)) {
      assertTrue(bytes(directory) < 40 << 20, "made with " + bytes(directory));
      fill(engine, 20);
      assertTrue(bytes(directory) > 20 * EXTENT);
      assertTrue(bytes(directory) < 30 * EXTENT, "grown to " + bytes(directory));
      long before = bytes(directory);
      engine.shrink(EXTENT);
      assertEquals(before, bytes(directory));
      fill(engine, 20);
      assertEquals(before, bytes(directory), "what was given back is used again");
      assertThrows(StoreFullException.class, () -> engine.grow(64L << 30));
    }
    try (LlplEngine engine = open(directory)) {
      check(engine, 20);
    }
  }

  /** A killed process may have made the directory, whose name a power cut can still take. */
  @Test
  void anOpeningMakesTheNameOfTheDirectoryDurable() {
    Path directory = directory("made");
    try (DurableNames names = new DurableNames(directory.getParent())) {
      open(directory).close();
      assertTrue(names.has(directory));
    }
  }

  /** A killed process may have renamed the pool, or made a part of it. */
  @Test
  void anOpeningMakesTheNamesOfTheFilesDurable() {
    Path directory = directory("store");
    open(directory).close();
    Path pool = directory.resolve("pool");
    try (DurableNames names = new DurableNames(directory, pool)) {
      open(directory).close();
      assertTrue(names.has(pool));
      assertTrue(names.has(PoolParts.file(pool, 0)));
    }
  }

  /** Its trial has to do with the room that there is. */
  @Test
  void aPoolOfAnySizeOpensAfterAKill() throws IOException {
    Path directory = directory("store");
    for (int extents = 1; extents <= 9; extents++) {
      Path copy = directory("copy" + extents);
      try (LlplEngine engine = open(directory)) {
        fill(engine, extents);
        copyAsAfterKill(directory, copy);
      }
      try (LlplEngine engine = open(copy)) {
        check(engine, extents);
      }
    }
  }

  /** The names are those that PMDK's description of a pool could not have. */
  @ParameterizedTest
  @ValueSource(strings = {"moved", "with blanks\tand # and\nlines", "größe-数"})
  void aClosedStoreIsMovedAndCopiedAndGrowsThere(String name) throws IOException {
    Path directory = directory("store");
    try (LlplEngine engine = open(directory)) {
      fill(engine, 3);
    }
    Path copy = directory("copies").resolve(name);
    Files.createDirectory(copy);
    copyAsAfterKill(directory, copy);
    try (LlplEngine engine = open(copy)) {
      check(engine, 3);
      fill(engine, 6);
    }
    Path moved = directory.resolveSibling(name);
    Files.move(directory, moved);
    assertTrue(Files.notExists(directory));
    for (int i = 6; i < 10; i += 3) {
      try (LlplEngine engine = open(moved)) {
        check(engine, 3);
        fill(engine, i);
      }
    }
    try (LlplEngine engine = open(copy)) {
      check(engine, 6);
    }
    Path made = directory("new").resolve(name);
    try (LlplEngine engine = open(made)) {
      fill(engine, 4);
    }
  }

  @Test
  void anOpenStoreThatIsMovedGrowsWhereItIs() throws IOException {
    Path directory = directory("store");
    Path moved = directory.resolveSibling("moved");
    LlplEngine engine = open(directory);
    fill(engine, 2);
    Files.move(directory, moved);
    PmStoreException e = assertThrows(PmStoreException.class, () -> engine.grow(9 * EXTENT));
    assertTrue(e.getMessage().contains("cannot grow"), e.getMessage());
    commit(engine, START, 7);
    Files.move(moved, directory);
    fill(engine, 9);
    engine.close();
    try (LlplEngine reopened = open(directory)) {
      check(reopened, 9);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {64 << 20, 150_000_000, 300 << 20, 500 << 20})
  void allThatItPromisesFitsHoweverOftenItIsOpened(long most) {
    Random random = new Random(seed());
    Path directory = directory("store");
    PoolSpace space = PoolSpace.of(PoolSpace.most(most));
    for (int extents = 1; extents < space.extentsMax(); ) {
      try (LlplEngine engine = open(directory, most)) {
        // The first thing after the opening, and some more.
        for (int i = random.nextInt(1, 4); i > 0 && extents < space.extentsMax(); i--) {
          extents = Math.min(space.extentsMax(), extents + random.nextInt(1, 5));
          fill(engine, extents);
          largest(engine, space);
        }
        assertEquals(extents * EXTENT, engine.memory().size());
      }
    }
    try (LlplEngine engine = open(directory, most)) {
      long size = engine.memory().size();
      assertThrows(StoreFullException.class, () -> engine.grow(size + 1));
      largest(engine, space);
    }
  }

  /** Commits what takes as much undo log as a transaction may. */
  private static void largest(LlplEngine engine, PoolSpace space) {
    int length = (int) Math.min(space.undoMax() - 4096, EXTENT - START - 16) & -8;
    byte[] contents = new byte[length];
    Arrays.fill(contents, (byte) -1);
    WriteSet writes = new WriteSet();
    writes.put(START + 8, contents, 0, contents.length);
    engine.commit(writes);
  }

  @Test
  void aLargeTransactionHasThePoolGrowForItsUndoLog() throws IOException {
    Path directory = directory("store");
    try (LlplEngine engine = open(directory, 1L << 30)) {
      fill(engine, 2);
      long before = bytes(directory);
      int length = 30 << 20;
      WriteSet writes = new WriteSet();
      writes.put(START + 8, new byte[length], 0, length);
      commit(engine, START + 8, 5);
      engine.commit(writes);
      assertEquals(0, engine.memory().getLong(START + 8));
      long after = bytes(directory);
      assertTrue(after >= before + length / 2, "from %d to %d".formatted(before, after));
      engine.commit(writes);
      assertEquals(after, bytes(directory));
      fill(engine, 10);
      engine.commit(writes);
      assertEquals(10, engine.memory().getLong(10 * EXTENT - 8));
    }
  }

  @Test
  void aPoolTooLargeToGrowIsAFileAndRefusedWhereItDoesNotFit() throws IOException {
    Path directory = directory("store");
    StoreFullException e = assertThrows(StoreFullException.class, () -> open(directory, 1L << 50));
    assertTrue(e.getMessage().contains("" + (1L << 50)), e.getMessage());
    assertFalse(new LlplProvider().recognizes(directory));
  }

  /** A pool that PMDK does not make larger, as when it can map no more. */
  private static final class StuckPool extends LlplPool {
    StuckPool(LlplPool pool) {
      super(pool.heap);
    }

    @Override
    boolean extend(long size) {
      return super.extend(-1);
    }
  }

  @Test
  void whatPmdkDoesNotTakeIsNotTriedAgain() throws IOException {
    Path directory = directory("store");
    PlatformThread thread = new PlatformThread("stuck");
    OpenPool stuck =
        thread.call(
            () -> {
              OpenPool real = OpenPool.open(directory, PmStoreOptions.defaults(), false);
              LlplPool pool = new StuckPool(real.pool());
              try (PoolParts parts = PoolParts.open(real.files().pool(), real.header())) {
                return new OpenPool(
                    real.files(),
                    real.header(),
                    pool,
                    real.set(),
                    new PoolGrowth(pool, real.header(), parts, real.set(), real.files()),
                    real.root(),
                    real.arena(),
                    real.lock());
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    try (LlplEngine engine = new LlplEngine(thread, stuck)) {
      commit(engine, START, 1);
      for (int i = 0; i < 3; i++) {
        StoreFullException e =
            assertThrows(StoreFullException.class, () -> engine.grow(3 * EXTENT));
        assertTrue(e.getMessage().contains("incorrect size"), e.getMessage());
        assertTrue(e.getMessage().contains("open it again"), e.getMessage());
      }
      commit(engine, START, 2);
      assertTrue(bytes(directory) < 40 << 20, "the part is not left behind");
    }
    try (LlplEngine engine = open(directory)) {
      assertEquals(2, engine.memory().getLong(START));
      fill(engine, 5);
    }
  }

  @Test
  void aFullDiskChangesNothing() {
    ChildJvm.assumeMounts();
    Path disk = directory("disk");
    new ChildJvm(FullDisk.class, disk)
        .withMounts("mount -t tmpfs -o size=110m none '%s'; exec \"$@\"".formatted(disk))
        .run();
  }

  /** The process that has a disk to itself, of 110 MiB. */
  static final class FullDisk {
    private FullDisk() {}

    public static void main(String[] args) throws IOException {
      Path disk = Path.of(args[0]);
      Path ballast = disk.resolve("ballast");
      Path directory = disk.resolve("store");
      int extents = 1;
      try (LlplEngine engine = open(directory, PmStoreOptions.defaults())) {
        StoreFullException full = null;
        while (full == null) {
          try {
            fill(engine, extents + 1);
            extents++;
          } catch (StoreFullException e) {
            full = e;
          }
        }
        assertTrue(full.getMessage().contains("free some space"), full.getMessage());
        assertTrue(extents >= 3 && extents < 6, extents + " extents");
        // To the last byte.
        try (var out = Files.newOutputStream(ballast)) {
          byte[] page = new byte[4096];
          assertThrows(
              IOException.class,
              () -> {
                while (true) {
                  out.write(page);
                }
              });
        }
        goesOn(engine, extents);
      }
      for (int i = 0; i < 2; i++) { // opened and closed without a byte to spare
        try (LlplEngine engine = open(directory, PmStoreOptions.defaults())) {
          goesOn(engine, extents);
        }
      }
      Files.delete(ballast);
      try (LlplEngine engine = open(directory, PmStoreOptions.defaults())) {
        check(engine, extents);
      }
      try (LlplEngine engine = open(disk.resolve("second"), PmStoreOptions.defaults())) {
        throw new AssertionError("there is no room for " + engine);
      } catch (StoreFullException e) {
        assertTrue(e.getMessage().contains("does not fit"), e.getMessage());
      }
    }

    private static void goesOn(LlplEngine engine, int extents) {
      check(engine, extents);
      long before = engine.memory().getLong(START + 8);
      int length = 20 << 20; // its undo log needs another part
      WriteSet large = new WriteSet();
      byte[] contents = new byte[length];
      Arrays.fill(contents, (byte) 77);
      large.put(START + 8, contents, 0, length);
      for (int i = 0; i < 3; i++) {
        assertThrows(StoreFullException.class, () -> engine.grow(20 * EXTENT));
        assertThrows(StoreFullException.class, () -> engine.commit(large));
        assertEquals(before, engine.memory().getLong(START + 8));
        commit(engine, START, i);
        byte[] small = new byte[(int) PoolSpace.UNDO_ALWAYS - 4096];
        WriteSet writes = new WriteSet();
        writes.put(EXTENT, small, 0, small.length); // room for this is always there
        engine.commit(writes);
      }
      assertEquals(extents * EXTENT, engine.memory().size());
    }
  }
}
