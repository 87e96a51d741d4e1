package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.DurableNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks, at every call of the medium in a store's life, that what must be durable before it is
 * durable.
 */
class WriteOrderTest extends StoreTest {
  private final Set<String> unsyncedLogs = new HashSet<>();
  private final Map<Operation, Integer> checks = new EnumMap<>(Operation.class);
  // Those that an earlier process wrote, and what each thread wrote since its last sync of any.
  private final Set<String> leftLogs = new HashSet<>();
  private final Map<Thread, Set<String>> writtenLogs = new HashMap<>();
  // Who has written what is not synced: a growth may go on beside a checkpoint in the background.
  private @Nullable Thread unsyncedPages;
  private @Nullable Thread unsyncedHeader;
  private boolean inPlace;

  private synchronized void before(Operation operation, String file) {
    boolean log = file.startsWith("log");
    checks.merge(operation, 1, Integer::sum);
    switch (operation) {
      case WRITE, WRITE_RELAXED -> {
        if (log) {
          unsyncedLogs.add(file);
          writtenLogs.computeIfAbsent(Thread.currentThread(), thread -> new HashSet<>()).add(file);
        } else {
          assertNotMine(unsyncedPages, "a header before the heap that it speaks of is durable");
          assertNull(unsyncedHeader, "one header copy before the other is durable");
          unsyncedHeader = Thread.currentThread();
        }
      }
      case SYNC -> {
        if (log) {
          unsyncedLogs.remove(file);
          leftLogs.remove(file);
          if (inPlace) { // a fence, for all that the thread has written in whatever file
            unsyncedLogs.removeAll(writtenLogs.getOrDefault(Thread.currentThread(), Set.of()));
            writtenLogs.remove(Thread.currentThread());
          }
        } else {
          unsyncedPages = null;
          unsyncedHeader = null;
        }
      }
      case STORE -> {
        if (inPlace) {
          assertEquals(Set.of(), unsyncedLogs, "stored before its record was durable");
          assertEquals(Set.of(), leftLogs, "stored before what was recovered was durable");
        }
      }
      case WRITE_BACK, WRITE_PAGES -> {
        assertNotMine(unsyncedHeader, "pages beside an unfinished header");
        unsyncedPages = Thread.currentThread();
      }
      case TRUNCATE -> {
        assertNotMine(unsyncedHeader, "cut before the header says so");
        assertNotMine(unsyncedPages, "cut before its checkpoint");
      }
      case ALLOCATE -> assertNotMine(unsyncedHeader, "growth beside an unfinished header");
      case RELEASE -> assertNotMine(unsyncedHeader, "released before the checkpoint was durable");
      default -> {}
    }
  }

  /** A killed process may have renamed a file whose name a power cut can still take. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void anOpeningSyncsTheDirectoryFirst(Storage storage) throws IOException {
    Path directory = directory("kept");
    MappedEngine.open(directory, small(storage)).close();
    List<Operation> calls = Collections.synchronizedList(new ArrayList<>());
    openHooked(directory, small(storage), (operation, file) -> calls.add(operation)).close();
    assertEquals(Operation.SYNC_DIRECTORY, calls.getFirst());
  }

  /** A killed process may have made the directory, whose name a power cut can still take. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void anOpeningMakesTheNameOfTheDirectoryDurable(Storage storage) {
    Path directory = directory("made");
    try (DurableNames names = new DurableNames(directory.getParent())) {
      MappedEngine.open(directory, small(storage)).close();
      assertTrue(names.has(directory));
    }
  }

  /**
   * Another thread may write the last record of a commit and make it durable. A fence of that
   * thread is none for the records that it has not written.
   */
  @Test
  void onPersistentMemoryTheLastRecordOfACommitFollowsTheOthersWhenTheyAreDurable()
      throws IOException {
    List<Operation> logged = new ArrayList<>();
    Thread committer = Thread.currentThread();
    try (MappedEngine engine =
        openHooked(
            directory("large"),
            small(Storage.PERSISTENT_MEMORY),
            (operation, file) -> {
              if (file.startsWith("log") && Thread.currentThread() == committer) {
                logged.add(operation);
              }
            })) {
      logged.clear();
      commit(engine, START, new long[30_000]);
      List<Operation> last = logged.subList(logged.size() - 4, logged.size());
      assertEquals(
          List.of(Operation.WRITE, Operation.SYNC, Operation.WRITE, Operation.SYNC),
          last,
          logged.toString());
    }
  }

  @Test
  void aRelaxedCommitMakesNoSystemCallAndSurvivesAKill() throws IOException {
    Path store = directory("relaxed");
    Path killed = directory("killed");
    List<Operation> logged = new ArrayList<>();
    try (MappedEngine engine =
        openHooked(
            store,
            PmStoreOptions.defaults().storage(Storage.FILE),
            (operation, file) -> {
              if (file.startsWith("log")) {
                logged.add(operation);
              }
            })) {
      logged.clear();
      WriteSet writes = new WriteSet();
      writes.putLong(START, 7);
      writes.setRelaxed();
      long position = engine.commit(writes);
      assertEquals(List.of(Operation.WRITE_RELAXED), logged);
      copyAsAfterKill(store, killed);
      engine.sync(position);
      assertEquals(List.of(Operation.WRITE_RELAXED, Operation.SYNC), logged);
      logged.clear();
      commit(engine, START + 8, 8);
      assertEquals(List.of(Operation.WRITE, Operation.SYNC), logged, "cheaper before a sync");
    }
    try (MappedEngine engine = MappedEngine.open(killed, PmStoreOptions.defaults())) {
      assertEquals(7, engine.memory().getLong(START));
    }
  }

  private static void assertNotMine(@Nullable Thread writer, String message) {
    assertNotSame(Thread.currentThread(), writer, message);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void nothingIsWrittenBeforeWhatItReliesOn(Storage storage) throws IOException {
    inPlace = storage == Storage.PERSISTENT_MEMORY;
    Workload workload = new Workload(seed(), 6000, Workload.HEAP_SIZE);
    Path store = directory("store");
    Path killed = directory("killed");
    try (MappedEngine engine = openWatched(store, storage)) {
      engine.grow(Workload.HEAP_SIZE);
      while (engine.position() < 60) {
        // Few syncs: rotations find records that are not durable.
        if (workload.commitNext(engine) % 7 == 0) {
          engine.sync(engine.position());
        }
        if (engine.position() % 20 == 0) {
          engine.grow(Workload.HEAP_SIZE + 1);
          engine.shrink(Workload.HEAP_SIZE);
        }
      }
      copyAsAfterKill(store, killed);
    }
    // What a killed process left in the page cache is not durable.
    leftLogs.addAll(Set.of(StoreLayout.log(0), StoreLayout.log(1)));
    unsyncedHeader = Thread.currentThread();
    try (MappedEngine engine = openWatched(killed, storage)) {
      workload.check(engine, 60, 60, "recovered");
      workload.run(engine, 70);
    }
    for (Operation operation :
        new Operation[] {
          Operation.WRITE,
          Operation.SYNC,
          Operation.STORE,
          inPlace ? Operation.WRITE_BACK : Operation.WRITE_PAGES
        }) {
      assertTrue(checks.getOrDefault(operation, 0) > 20, () -> operation + ": " + checks);
    }
    assertTrue(checks.getOrDefault(Operation.TRUNCATE, 0) > 4, () -> "truncated: " + checks);
  }

  private MappedEngine openWatched(Path store, Storage storage) {
    return openHooked(store, small(storage), this::before);
  }
}
