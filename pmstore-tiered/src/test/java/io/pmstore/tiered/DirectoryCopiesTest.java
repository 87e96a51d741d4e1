package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.medium.Medium;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A copy of a store's directory names the same directories of pools and files. Only one of both is
 * open at a time, and only the one that has written there last.
 */
class DirectoryCopiesTest {
  private static final int BLOCKS = 9000; // more than a pool has room for

  private Path root;
  private Path store;
  private Path copy;
  private Path pools;
  private Path spills;

  @BeforeEach
  void makeDirectories() throws IOException {
    root = Files.createTempDirectory(OpenEngines.memory(), "pmstore-copies-");
    name();
  }

  private void name() {
    store = root.resolve("store");
    copy = root.resolve("copy");
    pools = root.resolve("pools");
    spills = root.resolve("spills");
  }

  @AfterEach
  void removeDirectories() throws IOException {
    delete(root);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private static PmStoreOptions options() {
    return PmStoreOptions.defaults()
        .tieredPools(Storage.FILE)
        .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);
  }

  private PmStoreOptions apart() {
    return options().tieredPools(pools, Storage.FILE).tieredSpillDirectory(spills);
  }

  /** All ways to have something outside the store's directory. */
  private List<PmStoreOptions> layouts() {
    return List.of(
        apart(),
        options().tieredPools(pools, Storage.FILE),
        options().tieredSpillDirectory(spills),
        options().tieredPools(pools, Storage.FILE).tieredSpillDirectory(pools));
  }

  private interface Trial {
    void run(PmStoreOptions layout) throws IOException;
  }

  private void inEachLayout(Trial trial) throws IOException {
    for (PmStoreOptions layout : layouts()) {
      trial.run(layout);
      delete(root);
      Files.createDirectory(root);
    }
  }

  private static void commit(TieredEngine engine, int from, int to, long value) {
    for (int i = from; i < to; i += 1000) {
      WriteSet writes = new WriteSet();
      for (int block = i; block < i + 1000; block++) {
        writes.putLong(16384 + 64L * block, value + block);
      }
      engine.sync(engine.commit(writes));
    }
  }

  /** Changes so much that pools are emptied into files. */
  private static void fill(TieredEngine engine, long value) {
    commit(engine, 0, BLOCKS, value);
    engine.awaitIdle();
    assertTrue(engine.header().spill() > 0);
  }

  private static void fill(Path directory, PmStoreOptions options, long value) {
    try (TieredEngine engine = TieredEngine.open(directory, options)) {
      fill(engine, value);
    }
  }

  private static void assertHas(Path directory, long value) {
    try (TieredEngine engine = TieredEngine.open(directory, options())) {
      for (int block = 0; block < BLOCKS; block++) {
        assertEquals(value + block, engine.memory().getLong(16384 + 64L * block));
      }
    }
  }

  /** No way to open a store is open, and none changes anything. */
  private void assertRefused(
      Class<? extends PmStoreException> type, Path directory, String... words) throws IOException {
    assertWriterRefused(type, directory, words);
    assertReaderRefused(type, directory, words);
  }

  private void assertWriterRefused(
      Class<? extends PmStoreException> type, Path directory, String... words) throws IOException {
    assertRefused(type, () -> TieredEngine.open(directory, options()).close(), words);
  }

  private void assertReaderRefused(
      Class<? extends PmStoreException> type, Path directory, String... words) throws IOException {
    assertRefused(type, () -> TieredOpener.openReadOnly(directory, options()).close(), words);
    assertRefused(type, () -> TieredOpener.openImages(directory).close(), words);
  }

  private void assertRefused(
      Class<? extends PmStoreException> type, Runnable opening, String... words)
      throws IOException {
    Map<Path, byte[]> before = DirectoryOwnersTest.contents(root);
    PmStoreException e = assertThrows(type, opening::run);
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), e.getMessage());
    }
    Map<Path, byte[]> after = DirectoryOwnersTest.contents(root);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((file, bytes) -> assertArrayEquals(bytes, after.get(file), file::toString));
  }

  private Path mark(Path directory) throws IOException {
    return directory.resolve("owner-" + TieredOpener.facts(store).store());
  }

  // ---- one of both is open

  @Test
  void aCopyIsNotOpenedBesideItsOriginal() throws IOException {
    inEachLayout(
        layout -> {
          try (TieredEngine engine = TieredEngine.open(store, layout)) {
            fill(engine, 1);
            copy(store, copy);
            assertRefused(
                StoreLockedException.class,
                copy,
                "store " + copy + " is open already in this process",
                "another copy",
                layout.tieredPoolDirectory().or(layout::tieredSpillDirectory).get().toString());
            fill(engine, 2);
          }
          assertHas(store, 2);
        });
  }

  @Test
  void anOriginalIsNotOpenedBesideItsCopy() throws IOException {
    fill(store, apart(), 1);
    copy(store, copy);
    try (TieredEngine engine = TieredEngine.open(copy, options())) {
      assertRefused(StoreLockedException.class, store, "store " + store, "this process");
      fill(engine, 2);
    }
    assertHas(copy, 2);
  }

  @Test
  void readersOfCopiesShareAndExcludeAWriter() throws IOException {
    inEachLayout(
        layout -> {
          fill(store, layout, 1);
          copy(store, copy);
          ReadOnlyTieredEngine first = TieredOpener.openReadOnly(store, options());
          ReadOnlyTieredEngine second = TieredOpener.openReadOnly(copy, options());
          first.close();
          assertWriterRefused(StoreLockedException.class, store, "open for reading");
          second.close();
          assertHas(store, 1);
        });
  }

  @Test
  void aDeletedMarkAdmitsNoCopy() throws IOException {
    try (TieredEngine engine = TieredEngine.open(store, apart())) {
      fill(engine, 1);
      copy(store, copy);
      Files.delete(mark(pools));
      Files.delete(mark(spills));
      assertRefused(StoreLockedException.class, copy, "is open already");
    }
    try (ReadOnlyTieredEngine _ = TieredOpener.openReadOnly(store, options())) {
      Files.delete(store.resolve("lock"));
      assertWriterRefused(StoreLockedException.class, copy, "open for reading");
    }
    assertHas(store, 1);
  }

  /** Opens a store, says how it went, changes the store, and waits to be killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      try (TieredEngine engine = TieredEngine.open(Path.of(args[0]), options())) {
        fill(engine, Long.parseLong(args[1]));
        System.out.println("opened");
        Thread.sleep(Long.MAX_VALUE);
      } catch (PmStoreException e) {
        System.out.println(e.getClass().getSimpleName());
      }
    }
  }

  private static String line(Process process) throws IOException {
    return new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
        .readLine();
  }

  private static void assertRefusedElsewhere(Path directory) throws Exception {
    Process other = new ChildJvm(Holder.class, directory, 2).start();
    try {
      assertEquals("StoreLockedException", line(other));
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  void anotherProcessIsKeptOutAndNamed() throws Exception {
    fill(store, apart(), 1);
    copy(store, copy);
    try (TieredEngine _ = TieredEngine.open(store, options())) {
      assertRefusedElsewhere(copy);
      assertThrows(StoreLockedException.class, () -> TieredEngine.open(copy, options()));
      assertRefusedElsewhere(copy); // a refused opening here does not give the lock back
    }
    delete(copy);
    copy(store, copy);
    Process holder = new ChildJvm(Holder.class, store, 2).start();
    try {
      assertEquals("opened", line(holder));
      assertRefused(
          StoreLockedException.class,
          copy,
          "store %s is open in another process (process id %d)".formatted(copy, holder.pid()));
    } finally {
      holder.destroyForcibly().waitFor();
    }
    assertRefused(StoreDamagedException.class, copy, pools.toString());
    assertHas(store, 2);
  }

  // ---- one after the other

  @Test
  void aCopyIsNotOpenedAfterItsOriginalHasChanged() throws IOException {
    inEachLayout(
        layout -> {
          try (TieredEngine engine = TieredEngine.open(store, layout)) {
            fill(engine, 1);
            copy(store, copy);
            fill(engine, 2);
          }
          assertRefused(StoreDamagedException.class, copy, copy.toString(), "nother copy");
          assertHas(store, 2);
        });
  }

  /** No image is in another slot, so what a closed store says of its pools cannot tell. */
  @Test
  void aCopyIsNotOpenedAfterItsOriginalHasOnlyGrown() throws IOException {
    fill(store, apart(), 1);
    copy(store, copy);
    try (TieredEngine engine = TieredEngine.open(store, options())) {
      engine.grow(64 << 20);
    }
    assertRefused(StoreDamagedException.class, copy, "nother copy");
    assertHas(store, 1);
  }

  @Test
  void anOriginalIsNotOpenedAfterItsCopyHasChanged() throws IOException {
    inEachLayout(
        layout -> {
          fill(store, layout, 1);
          copy(store, copy);
          fill(copy, options(), 2);
          assertRefused(StoreDamagedException.class, store, store.toString(), "nother copy");
          assertHas(copy, 2);
        });
  }

  @Test
  void aCopyIsNotOpenedAfterItsOriginalWasKilled() throws IOException {
    inEachLayout(
        layout -> {
          Path killed = Path.of(root + "-killed");
          try (TieredEngine engine = TieredEngine.open(store, layout)) {
            fill(engine, 1);
            copy(store, copy);
            fill(engine, 2);
            copy(root, killed);
          }
          delete(root);
          Files.move(killed, root);
          assertRefused(StoreDamagedException.class, copy, copy.toString(), "nother copy");
          assertHas(store, 2);
        });
  }

  /** Nobody has written since, so the copy is as good. Then it is the one. */
  @Test
  void aCopyOfAClosedStoreMayTakeItsPlace() throws IOException {
    fill(store, apart(), 1);
    copy(store, copy);
    assertHas(copy, 1);
    assertRefused(StoreDamagedException.class, store, store.toString(), "nother copy");
    assertHas(copy, 1);
  }

  @Test
  void earlierPoolsAreNotTakenForTheStores() throws IOException {
    fill(store, apart(), 1);
    Path earlier = root.resolve("earlier");
    copy(pools, earlier);
    fill(store, options(), 2);
    delete(pools);
    Files.move(earlier, pools);
    assertRefused(StoreDamagedException.class, store, pools.toString(), "earlier");
  }

  /** A mark that is left behind says nothing of files that come back. */
  @Test
  void filesMoveAwayAndBackWithoutTheirMarks() throws IOException {
    fill(store, apart(), 1);
    Path away = Files.createDirectory(root.resolve("away"));
    for (int i = 2; i < 6; i++) {
      boolean back = i % 2 == 1;
      Path from = back ? away : pools;
      Path to = back ? pools : away;
      for (int pool = 0; pool < TieredLayout.POOLS; pool++) {
        Files.move(from.resolve(TieredLayout.pool(pool)), to.resolve(TieredLayout.pool(pool)));
      }
      fill(store, options().tieredPools(to, Storage.FILE), i);
      assertHas(store, i);
    }
  }

  @Test
  void theBeginningOfAStoreIsNotTakenForTheWhole() throws IOException {
    TieredOpener.open(
            store,
            apart(),
            real ->
                new HookedMedium(
                    real,
                    (operation, file) -> {
                      if (operation == Operation.RENAME) {
                        copy(store, copy);
                      }
                    }),
            Spiller.BASE_POOLS,
            work -> Thread.ofPlatform().daemon().unstarted(work))
        .close();
    assertTrue(Files.exists(copy.resolve(TieredLayout.HEADER_NEW)));
    try (TieredEngine engine = TieredEngine.open(store, options())) {
      fill(engine, 1);
      assertWriterRefused(StoreLockedException.class, copy, copy.toString());
    }
    assertWriterRefused(StoreFormatException.class, copy, copy.toString(), pools.toString());
    assertHas(store, 1);
  }

  // ---- marks that a crash or damage has changed

  @Test
  void aMarkWithADamagedEntryServes() throws IOException {
    fill(store, apart(), 1);
    copy(store, copy);
    for (int entry = 0; entry < 2; entry++) {
      fill(store, options(), entry);
      damage(mark(pools), entry);
      assertRefused(StoreDamagedException.class, copy, "nother copy");
      assertHas(store, entry);
    }
  }

  private static void damage(Path mark, int entry) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(mark.toFile(), "rw")) {
      file.seek(64 + 16L * entry);
      file.writeLong(-1);
    }
  }

  /** A mark from before marks had contents. */
  @Test
  void anEmptyMarkIsFilled() throws IOException {
    fill(store, apart(), 1);
    Files.write(mark(pools), new byte[0]);
    Files.write(mark(spills), new byte[0]);
    assertHas(store, 1);
    copy(store, copy);
    assertHas(store, 1);
    assertRefused(StoreDamagedException.class, copy, "nother copy");
  }

  /**
   * A process that is killed may leave a header that is not durable. If a mark named it durably
   * before, a power cut would leave a mark of a header that no longer exists.
   */
  @Test
  void theHeaderIsDurableBeforeAMarkNamesIt() throws IOException {
    fill(store, apart(), 1);
    List<String> calls = new CopyOnWriteArrayList<>();
    TieredOpener.open(
            store,
            options(),
            real -> new HookedMedium(real, (operation, file) -> calls.add(operation + " " + file)),
            Spiller.BASE_POOLS,
            work -> Thread.ofPlatform().daemon().unstarted(work))
        .close();
    int mark = calls.indexOf("WRITE " + mark(pools).getFileName());
    assertTrue(mark >= 0, calls::toString);
    assertTrue(calls.subList(0, mark).contains("SYNC " + TieredLayout.HEADER), calls::toString);
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Between header and marks too; an entry that was being written may be torn. */
  @Test
  void aStoreKilledAtAnyMomentOfAChangeOfItsHeaderIsOpened() throws IOException {
    boolean wasKilled = true;
    int moment = 0;
    for (; wasKilled; moment++) {
      fill(store, apart(), 1);
      wasKilled = killed(moment);
      try (ReadOnlyTieredEngine reader = TieredOpener.openReadOnly(store, options())) {
        assertTrue(reader.position() > 0);
      }
      // the next opening is killed as well
      boolean again = killed(moment % 5);
      assertTrue(again);
      fill(store, options(), 2);
      assertHas(store, 2);
      delete(root);
      Files.createDirectory(root);
    }
    assertTrue(moment > 30, "moments: " + moment);
  }

  /** Returns false if the session ended before the moment came. */
  private boolean killed(int moment) {
    AtomicInteger left = new AtomicInteger(moment);
    UnaryOperator<Medium> wrap =
        real ->
            new HookedMedium(
                real,
                (operation, file) -> {
                  boolean isMark = file.startsWith("owner-");
                  if ((isMark || file.equals(TieredLayout.HEADER) || left.get() < 0)
                      && left.getAndDecrement() <= 0) {
                    if (isMark && operation == Operation.SYNC && left.get() == -1) {
                      damage(real.directory().resolve(file), 0);
                    }
                    throw new Killed();
                  }
                });
    try (TieredEngine engine =
        TieredOpener.open(
            store,
            options(),
            wrap,
            Spiller.BASE_POOLS,
            work -> Thread.ofPlatform().daemon().unstarted(work))) {
      commit(engine, 0, BLOCKS, 3);
      engine.awaitIdle();
    } catch (Killed | PmStoreException | UncheckedIOException e) {
      return true;
    }
    return left.get() < 0;
  }
}
