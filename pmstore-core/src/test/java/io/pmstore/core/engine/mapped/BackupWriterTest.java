package io.pmstore.core.engine.mapped;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSumsLayout;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A backup is a store like any other, and there as a whole or not at all. */
class BackupWriterTest extends StoreTest {
  private static final long SEGMENT_SIZE = 1 << 20;
  private static final int EXTENTS = 2;
  private static final long HEAP_SIZE = EXTENTS * HeapMemory.EXTENT_SIZE;

  private final byte[][] extents = new byte[EXTENTS][(int) HeapMemory.EXTENT_SIZE];
  private final List<Operation> made = new ArrayList<>();

  BackupWriterTest() {
    Random random = new Random(seed());
    for (byte[] extent : extents) {
      random.nextBytes(extent);
    }
    extents[1] = new byte[extents[1].length];
    extents[1][5000] = 1; // most pages of zeros
  }

  private void copyExtent(int extent, MemorySegment copy) {
    copy.copyFrom(MemorySegment.ofArray(extents[extent]));
  }

  private void write(Path directory, HookedMedium.Hook hook) {
    try (BackupWriter writer =
        BackupWriter.open(
            directory, AccessRights.OWNER, medium -> new HookedMedium(medium, hook))) {
      writer.write(SEGMENT_SIZE, HEAP_SIZE, this::copyExtent, null);
    }
  }

  private void write(Path directory) {
    write(directory, (_, _) -> {});
  }

  private void check(Path directory, Storage storage) {
    try (MappedEngine engine = MappedEngine.open(directory, small(storage))) {
      assertEquals(HEAP_SIZE, engine.memory().size());
      assertEquals(SEGMENT_SIZE, engine.logSegmentSize().orElseThrow());
      engine.verify(
          (address, found, expected) -> {
            throw new AssertionError("page " + address + ": " + found + ", not " + expected);
          });
      for (int i = 0; i < EXTENTS; i++) {
        byte[] found = read(engine, i * HeapMemory.EXTENT_SIZE, (int) HeapMemory.EXTENT_SIZE);
        int from = i == 0 ? (int) Engine.RESERVED : 0;
        assertArrayEquals(
            Arrays.copyOfRange(extents[i], from, found.length),
            Arrays.copyOfRange(found, from, found.length));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void itIsAClosedStoreOfItsOwn(Storage storage) throws IOException {
    Path one = directory("one");
    Path other = one.resolveSibling("other").resolve("in a new directory");
    write(one);
    write(other);
    assertTrue(header(one).closed());
    assertNotEquals(header(one).store(), header(other).store());
    try (InputStream sums = Files.newInputStream(one.resolve(StoreLayout.SUMS))) {
      sums.skipNBytes(PageSumsLayout.HEADER_SIZE);
      assertArrayEquals(new byte[2 * PageSumsLayout.SUM_SIZE], sums.readNBytes(8), "header copies");
    }
    check(one, storage);
    try (MappedEngine engine = MappedEngine.open(one, small(storage))) {
      commit(engine, START, 7);
      engine.grow(HEAP_SIZE + 1);
      commit(engine, HEAP_SIZE, 8);
    }
    try (MappedEngine engine = MappedEngine.open(one, small(Storage.AUTO))) {
      assertEquals(7, engine.memory().getLong(START));
      assertEquals(8, engine.memory().getLong(HEAP_SIZE));
    }
  }

  @Test
  void itGetsItsNameWhenAllOfItIsDurable() {
    Set<String> undurable = new HashSet<>();
    boolean[] named = new boolean[1];
    boolean[] begun = new boolean[1];
    Path store = directory("store");
    write(
        store,
        (operation, file) -> {
          // What a kill at this moment leaves is no store, no damaged one, and no empty directory.
          if (begun[0] && !named[0]) {
            checkBeingWritten(store, operation + " of " + file);
          } else if (!begun[0]) {
            assertFalse(StoreOpener.holdsStore(store), operation + " of " + file);
          }
          switch (operation) {
            case CREATE -> {
              begun[0] = true;
              undurable.add(file);
              undurable.add(".");
            }
            case WRITE, WRITE_PAGES -> undurable.add(file);
            case SYNC -> undurable.remove(file);
            case SYNC_DIRECTORY -> undurable.remove(".");
            case RENAME -> {
              assertEquals(Set.of(), undurable);
              undurable.add(".");
              named[0] = true;
            }
            default -> {}
          }
        });
    assertTrue(named[0]);
    assertEquals(Set.of(), undurable, "the name itself");
  }

  private static void checkBeingWritten(Path directory, String when) {
    checkRefused(directory, when);
    assertThrows(
        StoreLockedException.class,
        () -> MappedEngine.open(directory, small(Storage.FILE)).close(),
        when);
  }

  private static void checkUnfinished(Path directory, String when) {
    checkRefused(directory, when);
    assertSays(directory, when, () -> MappedEngine.open(directory, small(Storage.FILE)).close());
  }

  private static void checkRefused(Path directory, String when) {
    for (Executable use :
        List.<Executable>of(
            () -> StoreOpener.holdsStore(directory),
            () -> ReadOnlyEngine.open(directory).close(),
            () -> StoreRepair.open(directory).close())) {
      assertSays(directory, when, use);
    }
    assertTrue(new MappedProvider().recognizes(directory), when);
  }

  private static void assertSays(Path directory, String when, Executable use) {
    String message = assertThrows(StoreFormatException.class, use, when).getMessage();
    assertTrue(message.contains("an unfinished backup"), message);
    assertTrue(message.contains(directory.toString()), message);
  }

  @Test
  void whereAnOperationFailsNoStoreIsLeft() throws IOException {
    write(directory("counted"), (operation, _) -> made.add(operation));
    int total = made.size();
    Path store = directory("store");
    for (int failAt = 0; failAt < total; failAt++) {
      int at = failAt;
      int errno = at % 2 == 0 ? NativeCalls.EIO : NativeCalls.ENOSPC;
      made.clear();
      PmStoreException refused =
          assertThrows(
              PmStoreException.class,
              () ->
                  write(
                      store,
                      (operation, file) -> {
                        made.add(operation);
                        if (made.size() - 1 == at) {
                          throw new MediumException("injected: " + operation + " " + file, errno);
                        }
                      }),
              "operation " + at);
      assertTrue(refused.getMessage().contains(store.toString()), refused.getMessage());
      assertEquals(errno == NativeCalls.ENOSPC, refused instanceof StoreFullException);
      assertEquals(List.of(), files(store), "after " + made.get(at));
    }
    write(store); // in the same directory
    check(store, Storage.FILE);
  }

  @Test
  void whatTheSourceThrowsIsPassedOnAndNoStoreIsLeft() throws IOException {
    Path store = directory("store");
    IllegalStateException mine = new IllegalStateException("mine");
    try (BackupWriter writer = BackupWriter.open(store, AccessRights.OWNER)) {
      assertEquals(
          mine,
          assertThrows(
              IllegalStateException.class,
              () ->
                  writer.write(
                      SEGMENT_SIZE,
                      HEAP_SIZE,
                      (extent, copy) -> {
                        if (extent == 1) {
                          throw mine;
                        }
                      },
                      null)));
      assertEquals(List.of(), files(store));
    }
  }

  @Test
  void aDirectoryInUseIsRefusedAndLeftAsItIs() throws IOException {
    Path store = directory("store");
    write(store);
    Path files = directory("files");
    Files.writeString(files.resolve("shopping"), "bread, milk\n");
    for (Path inUse : List.of(store, files, files.resolve("shopping"))) {
      StoreFormatException refused =
          assertThrows(
              StoreFormatException.class, () -> BackupWriter.open(inUse, AccessRights.OWNER));
      assertTrue(refused.getMessage().contains(inUse.toString()), refused.getMessage());
    }
    assertEquals("bread, milk\n", Files.readString(files.resolve("shopping")));
    check(store, Storage.FILE);
    Path busy = directory("busy");
    try (BackupWriter first = BackupWriter.open(busy, AccessRights.OWNER)) {
      assertThrows(StoreLockedException.class, () -> BackupWriter.open(busy, AccessRights.OWNER));
      assertThrows(StoreLockedException.class, () -> opened(busy));
      first.write(SEGMENT_SIZE, HEAP_SIZE, this::copyExtent, null);
    }
    check(busy, Storage.FILE);
  }

  @ParameterizedTest
  @ValueSource(strings = {StoreLayout.HEAP_BACKUP, StoreLayout.HEAP_NEW})
  void whatAnInterruptedBackupOrCreationLeftIsNoObstacle(String heap) throws IOException {
    Path whole = directory("whole");
    write(whole);
    Path half = directory("half");
    for (String name : List.of(StoreLayout.LOCK, StoreLayout.SUMS, StoreLayout.log(0))) {
      Files.copy(whole.resolve(name), half.resolve(name));
    }
    Files.write(half.resolve(heap), new byte[100_000]);
    write(half);
    check(half, Storage.FILE);
    assertEquals(names(whole), names(half));
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(toSet());
    }
  }

  @Test
  void whatAKilledBackupLeftIsRefusedAndReplacedByAnotherBackup() throws IOException {
    Path store = directory("store");
    Path killed = directory("killed");
    write(
        store,
        (operation, _) -> {
          if (operation == Operation.RENAME) {
            copyAsAfterKill(store, killed); // all of it is there but the name
          }
        });
    checkUnfinished(killed, "before the rename");
    write(killed);
    check(killed, Storage.FILE);
  }

  /** The first moments of a backup, and what is left where somebody has deleted the lock. */
  @Test
  void littleOfABackupIsEnoughToRefuseIt() throws IOException {
    Path half = directory("half");
    Files.write(half.resolve(StoreLayout.HEAP_BACKUP), new byte[100_000]);
    checkUnfinished(half, "without a lock");
    Files.createFile(half.resolve(StoreLayout.SUMS));
    checkUnfinished(half, "without a lock");
    Files.createFile(half.resolve(StoreLayout.LOCK));
    checkUnfinished(half, "with a lock");
    assertEquals(100_000, Files.size(half.resolve(StoreLayout.HEAP_BACKUP)));
    write(half);
    check(half, Storage.FILE);
  }

  @Test
  void anUnfinishedBackupBesideOtherFilesIsLeftAsItIs() throws IOException {
    Path half = directory("half");
    Files.createFile(half.resolve(StoreLayout.HEAP_BACKUP));
    Files.writeString(half.resolve("shopping"), "bread, milk\n");
    assertThrows(StoreFormatException.class, () -> BackupWriter.open(half, AccessRights.OWNER));
    assertThrows(StoreFormatException.class, () -> opened(half));
    assertEquals(Set.of(StoreLayout.HEAP_BACKUP, "shopping"), names(half));
  }
}
