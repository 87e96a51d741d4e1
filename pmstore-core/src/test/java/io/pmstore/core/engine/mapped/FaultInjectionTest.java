package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Makes each operation of a small workload fail, one at a time; a second process then finds what
 * was acknowledged.
 */
class FaultInjectionTest extends StoreTest {
  private static final int COMMITS = 6;
  private static final long SPAN = 8 << 20;

  private final List<Operation> made = new ArrayList<>();
  private Workload workload = new Workload(0, 1, SPAN);
  private final List<Operation> afterFailure = new ArrayList<>();
  private boolean failed;
  private int failAt = -1;
  private int errno;
  private long acknowledged;
  private long begun;

  private synchronized void before(Operation operation, String file) throws IOException {
    if (!operation.canFail()) {
      return;
    }
    made.add(operation);
    if (failed && !Thread.currentThread().getName().equals("pmstore-background")) {
      afterFailure.add(operation); // the background thread may finish what it is in the middle of
    }
    if (made.size() - 1 == failAt) {
      throw new MediumException("injected: " + operation + " of " + file, errno);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FILE, 5",
    "FILE, 28",
    "PERSISTENT_MEMORY, 5",
    "PERSISTENT_MEMORY, 28",
  })
  void eachOperationFailsOnce(Storage storage, int withErrno) throws IOException {
    workload = new Workload(seed(), 12_000, SPAN);
    errno = withErrno;
    failAt = -1;
    made.clear();
    run(storage, directory("whole"));
    int total = made.size();
    Set<Operation> kinds = EnumSet.copyOf(made);
    if (storage == Storage.FILE) {
      assertTrue(kinds.contains(Operation.WRITE_PAGES), () -> "the workload makes only " + kinds);
    }
    assertTrue(
        kinds.containsAll(
            List.of(
                Operation.CREATE,
                Operation.RENAME,
                Operation.SYNC_DIRECTORY,
                Operation.WRITE,
                Operation.SYNC,
                Operation.ALLOCATE,
                Operation.TRUNCATE,
                Operation.MAP)),
        () -> "the workload makes only " + kinds);
    for (failAt = 0; failAt < total; failAt++) {
      Path store = directory("failed" + failAt);
      made.clear();
      afterFailure.clear();
      failed = false;
      acknowledged = 0;
      begun = 0;
      run(storage, store);
      if (made.size() <= failAt) {
        break; // the background thread had less to do this time
      }
      Operation operation = made.get(failAt);
      String what = "%s as number %d, errno %d".formatted(operation, failAt, errno);
      try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
        workload.check(engine, acknowledged, begun, what);
        engine.grow(Workload.HEAP_SIZE);
        workload.run(engine, engine.position() + 1);
      }
      remove(store);
    }
  }

  /**
   * Creates a store, commits past a rotation of the log, closes; stops where the store says that it
   * failed.
   */
  private void run(Storage storage, Path store) throws IOException {
    for (int last = COMMITS / 2; last <= COMMITS; last += COMMITS / 2) {
      MappedEngine engine;
      try {
        engine = openHooked(store, small(storage), this::before);
      } catch (PmStoreException e) {
        assertTrue(e.getMessage().contains("injected"), e.getMessage());
        assertTrue(e.getMessage().contains(store.toString()), e.getMessage());
        return;
      }
      HeapMemory memory = engine.memory();
      try {
        grow(engine, Workload.HEAP_SIZE);
        while (engine.position() < last) {
          begun = engine.position() + 1;
          long position = workload.commitNext(engine);
          engine.sync(position);
          acknowledged = position;
        }
        grow(engine, Workload.HEAP_SIZE + HeapMemory.EXTENT_SIZE);
        engine.shrink(Workload.HEAP_SIZE);
      } catch (StoreFailedException e) {
        checkFailed(engine, memory, e);
        return;
      }
      try {
        engine.close();
      } catch (StoreFailedException e) {
        assertTrue(e.getMessage().contains("injected"), e.getMessage());
        return;
      }
    }
  }

  private void grow(Engine engine, long size) {
    long before = engine.memory().size();
    try {
      engine.grow(size);
    } catch (StoreFullException e) {
      assertTrue(e.getMessage().contains("injected"), e.getMessage());
      assertEquals(before, engine.memory().size(), "as it was");
      engine.grow(size); // there is room again, and the store goes on
    }
    assertTrue(engine.memory().size() >= size);
  }

  private void checkFailed(MappedEngine engine, HeapMemory memory, StoreFailedException thrown) {
    failed = true;
    MediumException cause = null;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      cause = t instanceof MediumException medium ? medium : cause;
    }
    assertInstanceOf(MediumException.class, cause, () -> "cause of " + thrown);
    assertTrue(thrown.getMessage().contains("injected"), thrown.getMessage());
    checkRefusesAll(engine, memory);
    engine.close();
    engine.close();
    assertEquals(List.of(), afterFailure, "no retry, no checkpoint on close");
  }

  private static boolean isReadable(HeapMemory memory) {
    try {
      memory.getLong(Engine.RESERVED);
      return true;
    } catch (RuntimeException expected) {
      return false;
    }
  }

  private void checkRefusesAll(MappedEngine engine, HeapMemory memory) {
    WriteSet writes = new WriteSet();
    writes.putLong(Engine.RESERVED, 1);
    assertThrows(StoreFailedException.class, () -> engine.commit(writes));
    assertThrows(StoreFailedException.class, () -> engine.sync(0));
    assertThrows(StoreFailedException.class, () -> engine.grow(1L << 30));
    assertThrows(StoreFailedException.class, () -> engine.shrink(HeapMemory.EXTENT_SIZE));
    assertThrows(StoreFailedException.class, engine::memory);
    assertThrows(StoreFailedException.class, engine::position);
    assertThrows(StoreFailedException.class, engine::checkUsable);
    while (isReadable(memory)) {
      Thread.onSpinWait(); // the background thread, if it failed, is about to take it away
    }
  }

  @ParameterizedTest
  @CsvSource({"5", "28"})
  void growingFailsOnlyForWantOfRoom(int withErrno) throws IOException {
    errno = withErrno;
    MappedEngine engine = openHooked(directory("store"), small(Storage.FILE), this::before);
    try (engine) {
      failAt = made.size();
      if (errno == NativeCalls.ENOSPC) {
        assertThrows(StoreFullException.class, () -> engine.grow(Workload.HEAP_SIZE));
        engine.checkUsable();
        assertEquals(HeapMemory.EXTENT_SIZE, engine.memory().size());
        engine.grow(Workload.HEAP_SIZE);
      } else {
        assertThrows(StoreFailedException.class, () -> engine.grow(Workload.HEAP_SIZE));
        assertThrows(StoreFailedException.class, engine::checkUsable);
      }
      if (made.get(failAt) != Operation.ALLOCATE) {
        fail("growing starts with " + made.get(failAt));
      }
      assertFalse(made.isEmpty());
    }
  }
}
