package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.ReadOnlyMedium;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that several processes read and none writes. */
class ReadOnlyEngineTest extends StoreTest {
  private static final int COMMITS = 40;
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  private final Workload workload = new Workload(seed(), 2000, Workload.HEAP_SIZE);

  private Path closedStore(Storage storage) {
    Path store = directory("closed");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, COMMITS);
    }
    return store;
  }

  /** What a process leaves that is killed with changes in its log only. */
  private Path killedStore(Storage storage) throws IOException {
    Path store = directory("running");
    Path killed = directory("killed");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, COMMITS);
      copyAsAfterKill(store, killed);
    }
    assertFalse(header(killed).closed());
    return killed;
  }

  /** The bytes and times of all files, and of the directory. */
  private static Map<String, Object> contents(Path store) throws IOException {
    Map<String, Object> contents = new TreeMap<>();
    try (var files = Files.walk(store)) {
      for (Path file : files.toList()) {
        Object bytes =
            Files.isDirectory(file) ? "directory" : Arrays.hashCode(Files.readAllBytes(file));
        contents.put(
            file.toString(),
            bytes + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    return contents;
  }

  private static void makeOld(Path store) throws IOException {
    try (var files = Files.walk(store)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.setLastModifiedTime(file, LONG_AGO);
      }
    }
  }

  private void check(Engine engine, String what) {
    workload.check(engine, COMMITS, COMMITS, what);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aClosedStoreIsReadAndNotWritten(Storage storage) throws IOException {
    Path store = closedStore(storage);
    makeOld(store);
    Map<String, Object> before = contents(store);
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
      assertTrue(engine.isReadOnly());
      check(engine, "read only");
      List<String> faults = new ArrayList<>();
      engine.verify((address, found, expected) -> faults.add(address + ": " + found));
      assertEquals(List.of(), faults);
    }
    assertEquals(before, contents(store));
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aStoreThatWasNotClosedIsRecoveredInMemory(Storage storage) throws IOException {
    Path store = killedStore(storage);
    makeOld(store);
    Map<String, Object> before = contents(store);
    try (ReadOnlyEngine first = ReadOnlyEngine.open(store);
        ReadOnlyEngine second = ReadOnlyEngine.open(store)) {
      assertEquals(COMMITS, first.position());
      check(first, "the first reader");
      check(second, "the second reader");
      List<String> faults = new ArrayList<>();
      first.verify((address, found, expected) -> faults.add(address + ": " + found));
      assertEquals(List.of(), faults);
    }
    assertEquals(before, contents(store));
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      check(engine, "recovered");
      workload.run(engine, engine.position() + 1);
    }
  }

  @Test
  void readersExcludeWritersAndWritersReaders() {
    Path store = closedStore(Storage.FILE);
    try (ReadOnlyEngine first = ReadOnlyEngine.open(store)) {
      ReadOnlyEngine second = ReadOnlyEngine.open(store);
      refusesToWrite(store);
      second.close();
      refusesToWrite(store);
      check(first, "after the second was closed");
    }
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      check(engine, "after all readers");
      StoreLockedException e =
          assertThrows(StoreLockedException.class, () -> ReadOnlyEngine.open(store));
      assertTrue(e.getMessage().contains("this process"), e.getMessage());
    }
    ReadOnlyEngine.open(store).close();
  }

  private static void refusesToWrite(Path store) {
    StoreLockedException e =
        assertThrows(
            StoreLockedException.class, () -> MappedEngine.open(store, small(Storage.FILE)));
    assertTrue(e.getMessage().contains("open for reading"), e.getMessage());
  }

  /** Opens a store for reading, for writing, or for both in turn; checks what the other allows. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      Path store = Path.of(args[0]);
      boolean parentReads = args[1].equals("reads");
      if (parentReads) {
        refusesToWrite(store);
        try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
          assertEquals(COMMITS, Long.parseLong(args[2]));
          assertTrue(engine.memory().size() >= Workload.HEAP_SIZE);
        }
        refusesToWrite(store);
      } else {
        StoreLockedException e =
            assertThrows(StoreLockedException.class, () -> ReadOnlyEngine.open(store));
        assertTrue(e.getMessage().contains("process id " + args[2]), e.getMessage());
      }
    }
  }

  @Test
  void otherProcessesToo() {
    Path store = closedStore(Storage.FILE);
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
      new ChildJvm(Child.class, store, "reads", COMMITS).run();
      check(engine, "beside another process");
    }
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      new ChildJvm(Child.class, store, "writes", ProcessHandle.current().pid()).run();
      check(engine, "beside one that was refused");
    }
  }

  @Test
  void whatWouldWriteIsRefused() {
    Path store = closedStore(Storage.FILE);
    ReadOnlyEngine engine = ReadOnlyEngine.open(store);
    WriteSet writes = new WriteSet();
    writes.putLong(START, 1);
    for (Runnable write :
        List.<Runnable>of(
            () -> engine.commit(writes),
            () -> engine.grow(2 * Workload.HEAP_SIZE),
            () -> engine.shrink(HeapMemory.EXTENT_SIZE),
            engine::checkWritable)) {
      StoreReadOnlyException e = assertThrows(StoreReadOnlyException.class, write::run);
      assertTrue(e.getMessage().contains(store.toString()), e.getMessage());
    }
    engine.sync(engine.position());
    check(engine, "as it was");
    HeapMemory memory = engine.memory();
    engine.close();
    engine.close();
    assertThrows(StoreClosedException.class, () -> engine.commit(writes));
    assertThrows(StoreClosedException.class, engine::memory);
    assertThrows(RuntimeException.class, () -> memory.getLong(START));
  }

  @Test
  void whereThereIsNoStoreNoneIsMade() throws IOException {
    Path empty = directory("empty");
    Path absent = empty.resolveSibling("absent");
    for (Path nowhere : List.of(empty, absent)) {
      StoreFormatException e =
          assertThrows(StoreFormatException.class, () -> ReadOnlyEngine.open(nowhere));
      assertTrue(e.getMessage().contains(nowhere.toString()), e.getMessage());
    }
    assertFalse(Files.exists(absent));
    try (var files = Files.list(empty)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void aCopyWithoutItsLockFileIsReadAndGetsNone() throws IOException {
    Path store = closedStore(Storage.FILE);
    Files.delete(store.resolve(StoreLayout.LOCK));
    Map<String, Object> before = contents(store);
    try (ReadOnlyEngine first = ReadOnlyEngine.open(store);
        ReadOnlyEngine second = ReadOnlyEngine.open(store)) {
      check(first, "without a lock file");
      check(second, "without a lock file");
      assertEquals(before, contents(store));
      refusesToWrite(store);
    }
    MappedEngine.open(store, small(Storage.FILE)).close();
  }

  /** The last process may have been killed between a write and its sync. */
  @Test
  void theLogIsDurableBeforeItIsShown() throws IOException {
    Path store = killedStore(Storage.FILE);
    Set<String> synced = new TreeSet<>();
    HookedMedium medium =
        new HookedMedium(
            new ReadOnlyMedium(store),
            (operation, file) -> {
              if (operation == HookedMedium.Operation.SYNC) {
                synced.add(file);
              }
            });
    try (ReadOnlyEngine engine =
        ReadOnlyEngine.start(StoreLock.acquireShared(store), new StoreFiles(medium))) {
      check(engine, "read only");
    }
    assertEquals(Set.of("log-0", "log-1", "log-2", "log-3"), synced);
    MediumFile log = new ReadOnlyMedium(store).open(StoreLayout.log(0));
    log.sync();
    log.close();
    assertThrows(IOException.class, log::sync, "it asks the operating system");
  }

  @Test
  void aHeapFileThatShrinksWhileOpenFailsTheStoreAndNotTheProcess() throws IOException {
    Path store = closedStore(Storage.FILE);
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
      HeapMemory memory = engine.memory();
      try (FileChannel heap = FileChannel.open(store.resolve("heap"), StandardOpenOption.WRITE)) {
        heap.truncate(8192);
      }
      InternalError fault =
          assertThrows(
              InternalError.class,
              () -> {
                // It may come at a later access than the one that met it.
                for (long at = START; at < Workload.HEAP_SIZE; at += 8) {
                  memory.getLong(at);
                }
              });
      assertEquals(StoreFailedException.class, engine.fail(fault).getClass());
      assertThrows(StoreFailedException.class, engine::memory);
      assertThrows(StoreFailedException.class, engine::checkUsable);
    }
  }

  /** In a directory that really cannot be written, by nobody. */
  static final class ReadOnlyDirectoryChild {
    private ReadOnlyDirectoryChild() {}

    public static void main(String[] args) {
      Path store = Path.of(args[0]);
      for (Path place :
          List.of(store, store.resolveSibling("empty"), store.resolveSibling("new"))) {
        PmStoreException e =
            assertThrows(
                PmStoreException.class, () -> MappedEngine.open(place, small(Storage.FILE)));
        assertTrue(e.getMessage().contains(place.toString()), e.getMessage());
        assertTrue(e.getMessage().contains("writ"), e.getMessage());
      }
      try (ReadOnlyEngine first = ReadOnlyEngine.open(store);
          ReadOnlyEngine second = ReadOnlyEngine.open(store)) {
        assertEquals(first.memory().getLong(START), second.memory().getLong(START));
        assertEquals(first.memory().size(), second.memory().size());
      }
    }
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsReadAndNotWritten() throws IOException {
    ChildJvm.assumeMounts();
    Path store = closedStore(Storage.FILE);
    directory("empty");
    Map<String, Object> before = contents(store.getParent());
    ChildJvm child = new ChildJvm(ReadOnlyDirectoryChild.class, store);
    String readOnly =
        "mount --bind '%1$s' '%1$s'; mount -o remount,ro,bind '%1$s'; exec \"$@\""
            .formatted(store.getParent());
    child.withMounts(readOnly).run();
    Files.delete(store.resolve(StoreLayout.LOCK));
    before.remove(store.resolve(StoreLayout.LOCK).toString());
    new ChildJvm(ReadOnlyDirectoryChild.class, store).withMounts(readOnly).run();
    Map<String, Object> after = contents(store.getParent());
    before.remove(store.toString()); // its lock file was taken away just now
    after.remove(store.toString());
    assertEquals(before, after);
  }
}
