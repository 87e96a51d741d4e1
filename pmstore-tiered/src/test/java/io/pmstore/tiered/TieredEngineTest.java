package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.FailureBesideSync;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.medium.DurableNames;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the engine does that the contract of engines does not name. */
class TieredEngineTest extends EngineFixture {
  private static final int BLOCK = ImageLayout.BLOCK;
  private static final int SLOTS = PoolLayout.slots(PmStoreOptions.TIERED_POOL_SIZE_MIN);

  /** Three times as many blocks nearly fill a pool. */
  private static final int MANY = SLOTS * 10 / 33;

  private final PmStoreOptions options =
      PmStoreOptions.defaults()
          .tieredPools(Storage.FILE)
          .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);

  @Override
  protected TieredEngine open(Path directory) {
    return TieredEngine.open(directory, options);
  }

  /** Power cuts are other tests' matter: these would wait for a disk thousands of times. */
  @Override
  protected Path parent() {
    return OpenEngines.memory();
  }

  private TieredEngine engine(Path directory) {
    return (TieredEngine) opened(directory);
  }

  private TieredEngine openHooked(Path directory, HookedMedium.Hook hook) {
    return TieredOpener.open(
        directory,
        options,
        medium -> new HookedMedium(medium, hook),
        Spiller.BASE_POOLS,
        work -> new Thread(() -> {}));
  }

  /** Changes so many blocks, from one on. */
  private static void change(TieredEngine engine, int first, int blocks, long value) {
    WriteSet writes = new WriteSet();
    for (int i = first; i < first + blocks; i++) {
      writes.putLong(START + (long) i * BLOCK, value + i);
    }
    engine.sync(engine.commit(writes));
  }

  private static void assertHas(TieredEngine engine, int first, int blocks, long value) {
    for (int i = first; i < first + blocks; i++) {
      assertEquals(value + i, engine.memory().getLong(START + (long) i * BLOCK), "block " + i);
    }
  }

  @Test
  void blocksThatAreChangedAgainTakeNoMoreOfThePool() {
    TieredEngine engine = engine(directory("store"));
    for (int i = 0; i < 3 * SLOTS; i++) {
      change(engine, i % 10, 10, i);
    }
    engine.awaitIdle();
    assertEquals(0, engine.header().spill());
  }

  @Test
  void aStoreIsMadeInTheRootDirectoryOfAFileSystem() throws IOException {
    Path directory = directory("root");
    Files.createDirectories(directory.resolve("lost+found"));
    change(engine(directory), 0, 10, 3);
    assertTrue(Files.isDirectory(directory.resolve("lost+found")));
  }

  /** A killed process may have renamed a file whose name a power cut can still take. */
  @Test
  void anOpeningSyncsTheDirectoryFirst() throws IOException {
    Path directory = directory("kept");
    engine(directory).close();
    List<HookedMedium.Operation> calls = Collections.synchronizedList(new ArrayList<>());
    openHooked(directory, (operation, file) -> calls.add(operation)).close();
    assertEquals(HookedMedium.Operation.SYNC_DIRECTORY, calls.getFirst());
  }

  /** A killed process may have made the directory, whose name a power cut can still take. */
  @Test
  void anOpeningMakesTheNameOfTheDirectoryDurable() {
    Path directory = directory("made");
    try (DurableNames names = new DurableNames(directory.getParent())) {
      engine(directory).close();
      assertTrue(names.has(directory));
    }
  }

  @Test
  void aFullPoolIsSpilledAndReadAgain() {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    for (int i = 0; i < 30; i++) {
      change(engine, i * MANY, MANY, 7);
    }
    change(engine, 5, 10, 100);
    engine.awaitIdle();
    assertTrue(engine.header().spill() > 3, "spills: " + engine.header().spill());
    engine.close();
    TieredEngine again = engine(directory);
    assertHas(again, 5, 10, 100);
    assertHas(again, 15, 30 * MANY - 15, 7);
  }

  @Test
  void aBaseReplacesTheSpills() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < 10; i++) {
        change(engine, i * MANY, MANY, round);
        engine.awaitIdle();
      }
    }
    assertTrue(engine.header().base() > 0);
    long bytes = 0;
    for (Path file : files(directory)) {
      bytes += Files.size(file);
    }
    // Two pools, a base of the heap, and the spills that make the next base due.
    assertTrue(bytes < 12 << 20, "bytes: " + bytes);
    engine.close();
    assertHas(engine(directory), 0, 10 * MANY, 5);
  }

  @Test
  void blocksThatBecomeZeroStayZero() {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    change(engine, 0, 3 * MANY, 1);
    WriteSet writes = new WriteSet();
    for (int i = 0; i < 3 * MANY; i++) {
      writes.putLong(START + (long) i * BLOCK, 0);
    }
    engine.commit(writes);
    for (int i = 0; i < 40; i++) {
      change(engine, 4 * MANY + i % 2 * 3 * MANY, 3 * MANY, i);
      engine.awaitIdle();
    }
    assertTrue(engine.header().base() > 0);
    engine.close();
    assertArrayEquals(new byte[3 * MANY * BLOCK], read(engine(directory), START, 3 * MANY * BLOCK));
  }

  @Test
  void commitsThatWaitForASpillAreCounted() {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    for (int i = 0; i < 100 && engine.commitWaits() == 0; i++) {
      WriteSet writes = new WriteSet();
      for (int block = 0; block < SLOTS; block++) {
        writes.putLong(START + (long) block * BLOCK, i);
      }
      engine.commit(writes);
    }
    assertTrue(engine.commitWaits() > 0);
  }

  @Test
  void manyCutsLeaveNothingOfTheEnd() {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    // Each boundary above the one before, so that all cuts are needed.
    for (int i = 1; i < 40; i++) {
      engine.grow((i + 2) * HeapMemory.EXTENT_SIZE);
      commit(engine, (i + 1) * HeapMemory.EXTENT_SIZE + 8, i);
      engine.shrink((i + 1) * HeapMemory.EXTENT_SIZE);
    }
    engine.grow(50 * HeapMemory.EXTENT_SIZE);
    engine.close();
    TieredEngine again = engine(directory);
    for (int i = 1; i < 49; i++) {
      assertEquals(0, again.memory().getLong(i * HeapMemory.EXTENT_SIZE + 8));
    }
  }

  /** So much that several threads load it. */
  @Test
  void aLargeStoreIsLoadedWhole() throws IOException {
    Path directory = directory("store");
    PmStoreOptions large = options.tieredPoolSize(LoadTasks.PARALLEL_MIN / 2);
    int many = PoolLayout.slots(LoadTasks.PARALLEL_MIN / 2) / 2;
    try (TieredEngine engine = TieredEngine.open(directory, large)) {
      engine.grow(3 * HeapMemory.EXTENT_SIZE);
      for (int i = 0; i < 10; i++) {
        change(engine, i * many / 2, many, i); // each block twice, in one spill or in two
      }
      engine.awaitIdle();
      assertTrue(engine.header().spill() > 1, "spills: " + engine.header().spill());
    }
    try (TieredEngine engine = TieredEngine.open(directory, large)) {
      for (int i = 0; i < 10; i++) {
        assertHas(engine, i * many / 2, i < 9 ? many / 2 : many, i);
      }
    }
    flip(directory.resolve("spill-1"), Files.size(directory.resolve("spill-1")) / 2, 1);
    assertRefused(StoreDamagedException.class, directory, "spill-1");
  }

  // ---- directories

  @Test
  void poolsAndFilesInOtherDirectoriesAreFoundAndMayMove() throws IOException {
    Path directory = directory("store");
    Path pools = directory("elsewhere").resolve("pools");
    Path spills = directory("disk").resolve("spills");
    PmStoreOptions apart = options.tieredPools(pools, Storage.FILE).tieredSpillDirectory(spills);
    try (TieredEngine engine = TieredEngine.open(directory, apart)) {
      for (int i = 0; i < 10; i++) {
        change(engine, i * MANY, MANY, 3);
      }
      engine.awaitIdle();
    }
    assertTrue(names(pools).containsAll(List.of("images-0", "images-1")));
    assertTrue(names(spills).contains("spill-1"));
    try (TieredEngine engine = open(directory)) {
      assertHas(engine, 0, 10 * MANY, 3);
    }
    Path moved = pools.resolveSibling("moved");
    Files.move(pools, moved);
    assertRefused(StoreDamagedException.class, directory, pools.toString(), "tieredPools");
    try (TieredEngine engine =
        TieredEngine.open(directory, options.tieredPools(moved, Storage.FILE))) {
      assertHas(engine, 0, 10 * MANY, 3);
    }
    open(directory).close(); // which is recorded now
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aPoolOfAnotherStoreInTheStoresDirectoryIsRefused() throws IOException {
    Path first = directory("first");
    Path second = directory("second");
    open(first).close();
    open(second).close();
    Path pool = second.resolve("images-1");
    Files.copy(first.resolve("images-1"), pool, StandardCopyOption.REPLACE_EXISTING);
    assertRefused(StoreDamagedException.class, second, pool.toString(), "a pool of the store");
  }

  @Test
  void missingFilesAreNamed() throws IOException {
    Path directory = directory("store");
    try (TieredEngine engine = open(directory)) {
      for (int i = 0; i < 10; i++) {
        change(engine, i * MANY, MANY, 3);
      }
      engine.awaitIdle();
    }
    for (Path file : files(directory)) {
      Path away = file.resolveSibling("../away");
      Files.move(file, away);
      assertRefused(StoreDamagedException.class, directory, file.getFileName().toString());
      Files.move(away, file);
    }
    try (TieredEngine engine = open(directory)) {
      assertHas(engine, 0, 10 * MANY, 3);
    }
  }

  private void assertRefused(
      Class<? extends PmStoreException> type, Path directory, String... words) {
    PmStoreException e = assertThrows(type, () -> open(directory));
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), e.getMessage());
    }
  }

  // ---- damage

  /** Each bit that is not zero belongs to something that is checked. */
  @Test
  void damageIsReportedOrChangesNothing() throws IOException {
    Random random = new Random(seed());
    Path directory = directory("store");
    try (TieredEngine engine = open(directory)) {
      for (int i = 0; i < 10; i++) {
        change(engine, i * MANY, MANY, 3);
      }
      engine.awaitIdle();
    }
    int refused = 0;
    for (Path file : files(directory)) {
      for (int i = 0; i < 12; i++) {
        Path copy = directory(file.getFileName() + "-" + i);
        copyAsAfterKill(directory, copy);
        long at = (long) (random.nextDouble() * Files.size(file));
        flip(copy.resolve(file.getFileName()), at, 1 << random.nextInt(8));
        try (TieredEngine engine = open(copy)) {
          assertHas(engine, 0, 10 * MANY, 3);
        } catch (StoreDamagedException e) {
          refused++;
          assertTrue(e.getMessage().contains(file.getFileName().toString()), e.getMessage());
        }
      }
    }
    assertTrue(refused > 20, "refused: " + refused);
  }

  private static void flip(Path file, long at, int bits) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.seek(at);
      int old = opened.read();
      opened.seek(at);
      opened.write(old ^ bits);
    }
  }

  /** Of a store that was killed, too: one damaged place leaves a header of the image. */
  @Test
  void aDamagedImageOfAKilledStoreIsReported() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    change(engine, 0, 100, 1);
    change(engine, 100, 1, 1); // says that the first commit is durable
    for (int offset : new int[] {0, 9, 24, 40, 87, 88, 91}) {
      Path copy = directory("copy" + offset);
      copyAsAfterKill(directory, copy);
      flip(copy.resolve("images-0"), PoolLayout.offset(50) + offset, 4);
      assertRefused(StoreDamagedException.class, copy, "images-0", "" + PoolLayout.offset(50));
    }
  }

  /** The second header is of use only where the image is damaged. */
  @Test
  void aDamagedSecondHeaderHarmsNothing() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    change(engine, 0, 100, 1);
    for (int offset : new int[] {96, 119, 120}) {
      Path copy = directory("copy" + offset);
      copyAsAfterKill(directory, copy);
      flip(copy.resolve("images-0"), PoolLayout.offset(50) + offset, 4);
      assertHas(engine(copy), 0, 100, 1);
    }
  }

  @Test
  void aTornSlotThatCountsNotIsNoDamage() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    change(engine, 0, 100, 1);
    change(engine, 0, 100, 2);
    Path copy = directory("copy");
    copyAsAfterKill(directory, copy);
    flip(copy.resolve("images-0"), PoolLayout.offset(50) + 40, 4); // superseded by slot 150
    assertHas(engine(copy), 0, 100, 2);
  }

  // ---- no room

  @Test
  void aFullDiskRefusesCommitsUntilThereIsRoom() throws IOException {
    Path directory = directory("store");
    FullMedium.Faults faults = new FullMedium.Faults();
    TieredEngine engine =
        TieredOpener.open(
            directory,
            options,
            real -> new FullMedium(real, faults),
            Spiller.BASE_POOLS,
            Thread.ofPlatform().daemon().factory());
    try {
      change(engine, 0, 3 * MANY, 1);
      faults.isFull = true;
      change(engine, 3 * MANY, 3 * MANY, 1); // the other pool
      long position = engine.position();
      for (int i = 0; i < 2; i++) {
        StoreFullException e =
            assertThrows(StoreFullException.class, () -> change(engine, 6 * MANY, 3 * MANY, 1));
        assertTrue(e.getMessage().contains("there is no room for a spill"), e.getMessage());
        assertTrue(e.getCause() instanceof StoreFullException);
      }
      assertEquals(position, engine.position());
      assertArrayEquals(new byte[8], read(engine, START + 6L * MANY * BLOCK, 8));
      faults.isFull = false;
      change(engine, 6 * MANY, 3 * MANY, 1);
    } finally {
      engine.close();
    }
    assertHas(engine(directory), 0, 9 * MANY, 1);
  }

  @Test
  void aHeapThatDoesNotFitIntoMemoryIsRefused() {
    TieredEngine engine = engine(directory("store"));
    long size = engine.memory().size();
    StoreFullException e =
        assertThrows(
            StoreFullException.class,
            () -> engine.grow(HeapMemory.EXTENTS_MAX * HeapMemory.EXTENT_SIZE));
    assertTrue(e.getMessage().contains("memory"), e.getMessage());
    assertEquals(size, engine.memory().size());
    change(engine, 0, 10, 1);
  }

  @Test
  void aFailedWriteOfAPoolFailsTheStoreAndLosesNothing() throws IOException {
    Path directory = directory("store");
    FullMedium.Faults faults = new FullMedium.Faults();
    TieredEngine engine =
        TieredOpener.open(
            directory,
            options,
            real -> new FullMedium(real, faults),
            Spiller.BASE_POOLS,
            Thread.ofPlatform().daemon().factory());
    change(engine, 0, 10, 1);
    faults.failure = new MediumException("writing images-0", 5);
    PmStoreException e = assertThrows(PmStoreException.class, () -> change(engine, 0, 10, 2));
    assertTrue(e.getMessage().contains("refuses everything further"), e.getMessage());
    faults.failure = null;
    assertThrows(PmStoreException.class, () -> change(engine, 0, 10, 2));
    engine.close();
    assertHas(engine(directory), 0, 10, 1);
  }

  /** The copy in force may be in the page cache only, and the other one is overwritten first. */
  @Test
  void theHeaderOfAKilledStoreIsSyncedBeforeItIsWritten() throws IOException {
    Path directory = directory("store");
    change(engine(directory), 0, 10, 1);
    Path copy = directory("copy");
    copyAsAfterKill(directory, copy);
    FullMedium.Faults faults = new FullMedium.Faults();
    TieredOpener.open(
            copy,
            options,
            real -> new FullMedium(real, faults),
            Spiller.BASE_POOLS,
            Thread.ofPlatform().daemon().factory())
        .close();
    List<String> calls = faults.calls.stream().filter(c -> c.endsWith(" tiered")).toList();
    assertEquals("sync tiered", calls.getFirst());
    assertTrue(calls.contains("write tiered"));
  }

  /** A power cut between the two may tear the copy that is being written, so the other is whole. */
  @Test
  void closingSyncsEachCopyOfTheHeaderBeforeItWritesTheOther() {
    FullMedium.Faults faults = new FullMedium.Faults();
    TieredEngine engine =
        TieredOpener.open(
            directory("store"),
            options,
            real -> new FullMedium(real, faults),
            Spiller.BASE_POOLS,
            Thread.ofPlatform().daemon().factory());
    change(engine, 0, 10, 1);
    int before = faults.calls.size();
    engine.close();
    assertEquals(
        List.of("write tiered", "sync tiered", "write tiered", "sync tiered"),
        faults.calls.stream().skip(before).filter(call -> call.endsWith(" tiered")).toList());
  }

  @Test
  void readersShareAStoreThatWasKilledAndChangeNothing() throws IOException {
    Path directory = directory("store");
    TieredEngine engine = engine(directory);
    for (int i = 0; i < 10; i++) {
      change(engine, i * MANY, MANY, 3);
    }
    engine.awaitIdle();
    Path copy = directory("copy");
    copyAsAfterKill(directory, copy);
    Path kept = directory("kept");
    copyAsAfterKill(copy, kept);
    try (ReadOnlyTieredEngine first = TieredOpener.openReadOnly(copy, options);
        ReadOnlyTieredEngine second = TieredOpener.openReadOnly(copy, options)) {
      assertEquals(3, first.memory().getLong(START));
      assertEquals(engine.position(), second.position());
      assertThrows(PmStoreException.class, () -> first.grow(1));
    }
    for (Path file : files(kept)) {
      assertEquals(-1, Files.mismatch(file, copy.resolve(file.getFileName())), file.toString());
    }
  }

  @Test
  void aFailureWakesWhoWaitsThoughTheBarrierThrows() throws Exception {
    Path store = directory("store");
    FailureBesideSync.check(hook -> openHooked(store, hook));
  }
}
