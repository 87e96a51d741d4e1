package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A directory of pools or files belongs to one store; no other one changes anything there. */
class DirectoryOwnersTest {
  private static final int BLOCKS = 9000; // more than a pool has room for

  private Path root;
  private Path first;
  private Path second;
  private Path pools;
  private Path spills;

  @BeforeEach
  void makeDirectories() throws IOException {
    root = Files.createTempDirectory(OpenEngines.memory(), "pmstore-owners-");
    first = root.resolve("first");
    second = root.resolve("second");
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

  private static PmStoreOptions options() {
    return PmStoreOptions.defaults()
        .tieredPools(Storage.FILE)
        .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN);
  }

  private PmStoreOptions withPools(Path directory) {
    return options().tieredPools(directory, Storage.FILE);
  }

  private PmStoreOptions withSpills(Path directory) {
    return options().tieredSpillDirectory(directory);
  }

  private PmStoreOptions apart() {
    return withPools(pools).tieredSpillDirectory(spills);
  }

  /** Makes a store with spills, or changes it. */
  private static void fill(Path directory, PmStoreOptions options, long value) {
    try (TieredEngine engine = TieredEngine.open(directory, options)) {
      for (int i = 0; i < BLOCKS; i += 1000) {
        WriteSet writes = new WriteSet();
        for (int block = i; block < i + 1000; block++) {
          writes.putLong(16384 + 64L * block, value + block);
        }
        engine.sync(engine.commit(writes));
      }
      engine.awaitIdle();
      assertTrue(engine.header().spill() > 0);
    }
  }

  private static void assertHas(Path directory, PmStoreOptions options, long value) {
    try (TieredEngine engine = TieredEngine.open(directory, options)) {
      for (int block = 0; block < BLOCKS; block++) {
        assertEquals(value + block, engine.memory().getLong(16384 + 64L * block));
      }
    }
  }

  /** Returns what all files below a directory hold, locks apart. */
  static Map<Path, byte[]> contents(Path root) throws IOException {
    Map<Path, byte[]> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("lock")) {
          contents.put(file, Files.readAllBytes(file));
        }
      }
    }
    return contents;
  }

  /** An opening or a creation is refused, and changes nothing. */
  private void assertRefused(
      Class<? extends PmStoreException> type, Path store, PmStoreOptions options, String... words)
      throws IOException {
    Map<Path, byte[]> before = contents(root);
    PmStoreException e =
        assertThrows(type, () -> TieredEngine.open(store, options).close(), store::toString);
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), e.getMessage());
    }
    Map<Path, byte[]> after = contents(root);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((file, bytes) -> assertArrayEquals(bytes, after.get(file), file::toString));
  }

  private static String id(Path store) throws IOException {
    return TieredOpener.facts(store).store().toString();
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  // ---- two stores

  @Test
  void aNewStoreRefusesTheFilesDirectoryOfAnother() throws IOException {
    fill(first, withSpills(spills), 1);
    assertRefused(
        StoreFormatException.class,
        second,
        withSpills(spills),
        spills.toString(),
        id(first),
        "tieredSpillDirectory");
    assertHas(first, options(), 1);
  }

  @Test
  void aNewStoreRefusesThePoolsDirectoryOfAnother() throws IOException {
    fill(first, withPools(pools), 1);
    assertRefused(
        StoreFormatException.class,
        second,
        withPools(pools),
        pools.toString(),
        id(first),
        "tieredPools");
    // Files beside pools are refused too.
    assertRefused(StoreFormatException.class, second, withSpills(pools), id(first));
    assertHas(first, options(), 1);
  }

  @Test
  void anExistingStoreRefusesTheDirectoriesOfAnother() throws IOException {
    fill(first, apart(), 1);
    TieredEngine.open(second, options()).close();
    assertRefused(StoreFormatException.class, second, withSpills(spills), id(first), id(second));
    assertRefused(StoreFormatException.class, second, withPools(pools), id(first), id(second));
    assertThrows(
        StoreFormatException.class, () -> TieredOpener.openReadOnly(second, withSpills(spills)));
    assertHas(first, options(), 1);
  }

  @Test
  void theDirectoryOfAStoreIsNoPlaceForAnotherOnesPoolsOrFiles() throws IOException {
    fill(first, options(), 1);
    assertRefused(StoreFormatException.class, second, withSpills(first), first.toString());
    assertRefused(StoreFormatException.class, second, withPools(first), first.toString());
    TieredEngine.open(second, options()).close();
    assertRefused(StoreFormatException.class, second, withSpills(first), first.toString());
    assertRefused(StoreFormatException.class, second, withPools(first), first.toString());
    assertHas(first, options(), 1);
  }

  @Test
  void noStoreIsMadeInADirectoryOfPoolsOrFiles() throws IOException {
    fill(first, apart(), 1);
    assertRefused(StoreFormatException.class, pools, options(), id(first));
    assertRefused(StoreFormatException.class, spills, options(), id(first));
    assertHas(first, options(), 1);
  }

  /** Another store's files without a mark: of a copy, or from before there were marks. */
  @Test
  void filesOfAnotherStoreAreRefusedWithoutItsMark() throws IOException {
    fill(first, apart(), 1);
    for (Path directory : List.of(pools, spills)) {
      Files.delete(directory.resolve("owner-" + id(first)));
    }
    TieredEngine.open(second, options()).close();
    assertRefused(StoreFormatException.class, second, withSpills(spills), spills.toString());
    assertRefused(StoreFormatException.class, second, withPools(pools), pools.toString());
    Path third = root.resolve("third");
    assertRefused(StoreFormatException.class, third, withSpills(spills), spills.toString());
    assertRefused(StoreFormatException.class, third, withPools(pools), pools.toString());
  }

  /** Each makes its mark before it looks for the other's. */
  @Test
  void ofTwoStoresThatClaimADirectoryAtTheSameTimeAtMostOneGetsIt() throws IOException {
    for (HookedMedium.Operation moment :
        List.of(HookedMedium.Operation.CREATE, HookedMedium.Operation.SYNC_DIRECTORY)) {
      AtomicInteger refused = new AtomicInteger();
      boolean[] isMarking = {false};
      boolean[] done = {false};
      StoreFormatException[] other = {null};
      HookedMedium.Hook hook =
          (operation, file) -> {
            isMarking[0] |= file.startsWith("owner-");
            if (isMarking[0] && operation == moment && !done[0]) {
              done[0] = true;
              try {
                TieredEngine.open(first, withSpills(spills)).close();
              } catch (StoreFormatException e) {
                other[0] = e;
                refused.incrementAndGet();
              }
            }
          };
      try {
        TieredOpener.open(
                second,
                withSpills(spills),
                real -> new HookedMedium(real, hook),
                Spiller.BASE_POOLS,
                work -> Thread.ofPlatform().daemon().unstarted(work))
            .close();
      } catch (StoreFormatException e) {
        refused.incrementAndGet();
      }
      assertTrue(done[0]);
      assertEquals(1, refused.get(), () -> moment + ": " + other[0]);
      assertEquals(1, names(spills).size(), () -> "marks at " + moment);
      for (Path directory : List.of(first, second, spills)) {
        delete(directory);
      }
    }
  }

  // ---- one store

  @Test
  void oneDirectoryTakesPoolsAndFilesOfOneStore() throws IOException {
    PmStoreOptions together = withPools(pools).tieredSpillDirectory(pools);
    fill(first, together, 1);
    assertHas(first, options(), 1);
  }

  @Test
  void theStoresOwnDirectoryCanBeNamed() throws IOException {
    PmStoreOptions own = withPools(first).tieredSpillDirectory(first);
    fill(first, own, 1);
    assertHas(first, own, 1);
    Path moved = root.resolve("moved");
    Files.move(first, moved);
    assertHas(moved, options(), 1);
  }

  @Test
  void aDirectoryThatIsNotMountedIsRefused() throws IOException {
    TieredEngine.open(first, apart()).close();
    for (Path directory : List.of(pools, spills)) {
      Path away = root.resolve("away");
      Files.move(directory, away);
      Files.createDirectory(directory);
      assertRefused(StoreDamagedException.class, first, options(), directory.toString(), "device");
      Files.delete(directory);
      Files.move(away, directory);
    }
    TieredEngine.open(first, options()).close();
  }

  @Test
  void filesThatMoveIntoAnotherDirectoryAreFoundThere() throws IOException {
    fill(first, options(), 1);
    Files.createDirectory(pools);
    Files.createDirectory(spills);
    for (String name : names(first)) {
      if (name.startsWith("images-")) {
        Files.move(first.resolve(name), pools.resolve(name));
      } else if (TieredLayout.isSpill(name)) {
        Files.move(first.resolve(name), spills.resolve(name));
      }
    }
    assertHas(first, apart(), 1);
    assertTrue(names(pools).contains("owner-" + id(first)));
    assertTrue(names(spills).contains("owner-" + id(first)));
    assertHas(first, options(), 1);
  }

  @Test
  void otherFilesMayLieBesidePoolsAndFiles() throws IOException {
    Files.createDirectory(pools);
    Files.createDirectory(pools.resolve("lost+found"));
    fill(first, withPools(pools).tieredSpillDirectory(pools), 1);
    assertTrue(Files.exists(pools.resolve("lost+found")));
  }

  // ---- creations that are killed

  /** Whatever a killed creation has left is recognised, and nothing of it stays. */
  @Test
  void aCreationKilledAtAnyMomentIsRepeated() throws IOException {
    int moments = creationsKilled(this::apart);
    assertTrue(moments > 20, "moments: " + moments);
  }

  @Test
  void aCreationKilledAtAnyMomentIsRepeatedWithOtherDirectories() throws IOException {
    int moments = creationsKilled(() -> withPools(root.resolve("other")));
    assertTrue(moments > 20, "moments: " + moments);
    assertFalse(Files.exists(root.resolve("left")));
  }

  private int creationsKilled(Supplier<PmStoreOptions> again) throws IOException {
    for (int moment = 0; ; moment++) {
      boolean wasKilled = killDuringOpening(moment);
      boolean isMade = Files.exists(first.resolve(TieredLayout.HEADER));
      PmStoreOptions repeated = isMade ? options() : again.get();
      fill(first, repeated, moment);
      assertHas(first, options(), moment);
      if (!isMade && !repeated.tieredPoolDirectory().equals(apart().tieredPoolDirectory())) {
        for (Path directory : List.of(pools, spills)) {
          assertEquals(List.of(), Files.exists(directory) ? names(directory) : List.of());
        }
      }
      delete(root);
      Files.createDirectory(root);
      if (!wasKilled) {
        return moment;
      }
    }
  }

  /** Returns false if the store was opened before the moment came. */
  private boolean killDuringOpening(int moment) {
    AtomicInteger left = new AtomicInteger(moment);
    TieredEngine engine;
    try {
      engine =
          TieredOpener.open(
              first,
              apart(),
              real -> new HookedMedium(real, (operation, file) -> killAtEnd(left)),
              Spiller.BASE_POOLS,
              work -> Thread.ofPlatform().daemon().unstarted(work));
    } catch (Killed e) {
      return true;
    }
    left.set(Integer.MAX_VALUE);
    engine.close();
    return false;
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static void killAtEnd(AtomicInteger left) {
    if (left.getAndDecrement() <= 0) {
      throw new Killed();
    }
  }

  /** What is in the directory of an unfinished store need not be its own. */
  @Test
  void aRepeatedCreationDeletesNothingOfAnotherStore() throws IOException {
    AtomicInteger left = new AtomicInteger(6);
    assertThrows(
        Killed.class,
        () ->
            TieredOpener.open(
                first,
                options(),
                real -> new HookedMedium(real, (operation, file) -> killAtEnd(left)),
                Spiller.BASE_POOLS,
                work -> Thread.ofPlatform().daemon().unstarted(work)));
    assertTrue(Files.exists(first.resolve(TieredLayout.HEADER_NEW)));
    assertRefused(StoreFormatException.class, second, withPools(first), first.toString());
    assertRefused(StoreFormatException.class, second, withSpills(first), first.toString());
  }

  // ---- the format

  @Test
  void anOlderFormatIsRefusedByItsVersion() throws IOException {
    TieredEngine.open(first, options()).close();
    changeHeader(bytes -> bytes.putInt(8, StoreHeader.VERSION - 1));
    assertRefused(
        StoreFormatException.class,
        first,
        options(),
        "format version " + (StoreHeader.VERSION - 1),
        "version " + StoreHeader.VERSION);
  }

  private void changeHeader(Consumer<ByteBuffer> change) throws IOException {
    byte[] all = Files.readAllBytes(first.resolve(TieredLayout.HEADER));
    for (int at = 0; at < all.length; at += StoreHeader.SIZE) {
      byte[] copy = Arrays.copyOfRange(all, at, at + StoreHeader.SIZE);
      ByteBuffer bytes = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
      change.accept(bytes);
      bytes.putInt(12, 0);
      CRC32C crc = new CRC32C();
      crc.update(copy);
      bytes.putInt(12, (int) crc.getValue());
      System.arraycopy(copy, 0, all, at, copy.length);
    }
    Files.write(first.resolve(TieredLayout.HEADER), all);
  }
}
