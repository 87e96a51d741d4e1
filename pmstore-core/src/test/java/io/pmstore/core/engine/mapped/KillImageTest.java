package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderLayout;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.log.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills of the process at any moment. The next process opens the files as they are then: they hold
 * exactly the writes that had returned. The test takes an image before calls of the medium, and
 * hits each kind of call and each phase.
 */
class KillImageTest extends StoreTest {
  private static final int COMMITS = 60;
  private static final int IMAGES = 50;

  private final Set<Operation> hit = EnumSet.noneOf(Operation.class);
  private volatile long operations;
  private volatile long acknowledged;
  private volatile long begun;
  private int images;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aKillAtAnyMomentLosesNothingAcknowledged(Storage storage) throws IOException {
    Random random = new Random(seed());
    Workload workload = new Workload(random.nextLong(), 8000, Workload.HEAP_SIZE);
    PmStoreOptions options = small(storage);
    long total = run(options, workload, directory("counted"), () -> {});
    operations = 0;
    double rate = (double) IMAGES / total;
    run(
        options,
        workload,
        directory("store"),
        () -> {
          // Operations of other kinds than before are always of interest.
          if (random.nextDouble() < rate || images < 12) {
            checkImage(options, workload);
          }
        });
    assertTrue(images > IMAGES / 3, images + " images");
    Set<Operation> expected = EnumSet.allOf(Operation.class);
    expected.remove(Operation.DELETE);
    expected.remove(Operation.MAP);
    expected.removeAll(
        storage == Storage.FILE ? Set.of(Operation.WRITE_BACK) : Set.of(Operation.WRITE_PAGES));
    expected.remove(Operation.RELEASE); // needs a checkpoint while commits run, which need not come
    assertTrue(hit.containsAll(expected), () -> "operations made: " + hit);
  }

  @FunctionalInterface
  private interface Image {
    void take() throws IOException;
  }

  private Path source = Path.of("");

  /** Creates a store, commits, reopens it in between; returns how many operations that took. */
  private long run(PmStoreOptions options, Workload workload, Path directory, Image image)
      throws IOException {
    source = directory;
    acknowledged = 0;
    begun = 0;
    HookedMedium.Hook hook =
        (operation, file) -> {
          synchronized (this) { // no other operation begins while an image is taken
            hit.add(operation);
            operations++;
            image.take();
          }
        };
    for (int last = COMMITS / 2; last <= COMMITS; last += COMMITS / 2) {
      try (MappedEngine engine = openHooked(directory, options, hook)) {
        engine.grow(Workload.HEAP_SIZE);
        while (engine.position() < last) {
          begun = engine.position() + 1;
          long position = workload.commitNext(engine);
          acknowledged = position; // a kill takes nothing that commit returned for
          engine.sync(position);
        }
        engine.grow(Workload.HEAP_SIZE + 1);
        engine.shrink(Workload.HEAP_SIZE);
      }
    }
    return operations;
  }

  private void checkImage(PmStoreOptions options, Workload workload) throws IOException {
    images++;
    String what = "image " + images + " before operation " + operations;
    Path image = directory("image" + images);
    long least = acknowledged;
    copyAsAfterKill(source, image);
    long most = begun;
    long last;
    try (MappedEngine engine = MappedEngine.open(image, options)) {
      workload.check(engine, least, most, what);
      engine.grow(Workload.HEAP_SIZE);
      last = engine.position() + 3;
      workload.run(engine, last);
    }
    try (MappedEngine engine = MappedEngine.open(image, options)) {
      workload.check(engine, last, last, what + ", reopened");
    }
    remove(image);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aStoreOfEitherStorageIsRecoveredByTheOther(Storage storage) throws IOException {
    Workload workload = new Workload(seed(), 100, Workload.HEAP_SIZE);
    Path store = directory("store");
    Storage other = storage == Storage.FILE ? Storage.PERSISTENT_MEMORY : Storage.FILE;
    Path image = directory("image");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, 10);
      copyAsAfterKill(store, image);
    }
    for (Path copy : new Path[] {store, image}) {
      try (MappedEngine engine = MappedEngine.open(copy, small(other))) {
        workload.check(engine, 10, 10, "opened by the other");
        workload.run(engine, 20);
      }
      try (MappedEngine engine = MappedEngine.open(copy, small(Storage.AUTO))) {
        workload.check(engine, 20, 20, "and back");
        assertEquals(storage, engineStorage(copy), "AUTO keeps what the store was created with");
      }
    }
  }

  /** Each process is killed before its first checkpoint: the log holds ever more epochs. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void manyKillsWithoutACheckpointInBetween(Storage storage) throws IOException {
    Workload workload = new Workload(seed(), 100, Workload.HEAP_SIZE);
    Path store = directory("store0");
    int kills = HeapHeaderLayout.PAST_EPOCHS_MAX * 2 + 3;
    int most = 0;
    for (int kill = 0; kill < kills; kill++) {
      Path killed = directory("store" + (kill + 1));
      try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
        workload.check(engine, 2L * kill, 2L * kill, "after kill " + kill);
        engine.grow(Workload.HEAP_SIZE);
        workload.run(engine, 2L * kill + 2);
        copyAsAfterKill(store, killed);
      }
      remove(store);
      most = Math.max(most, header(killed).past().size());
      store = killed;
    }
    assertEquals(HeapHeaderLayout.PAST_EPOCHS_MAX, most, "epochs in one log");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      workload.check(engine, 2L * kills, 2L * kills, "after the last kill");
      List<Long> faults = new ArrayList<>();
      engine.verify((address, found, expected) -> faults.add(address));
      assertEquals(List.of(), faults);
      assertEquals(List.of(), header(store).past(), "a checkpoint ends the old epochs");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aLogThatEndsBeforeItsEpochDidIsDamaged(Storage storage) throws IOException {
    Workload workload = new Workload(seed(), 100, Workload.HEAP_SIZE);
    Path first = directory("first");
    Path second = directory("second");
    Path third = directory("third");
    try (MappedEngine engine = MappedEngine.open(first, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, 5);
      copyAsAfterKill(first, second);
    }
    try (MappedEngine engine = MappedEngine.open(second, small(storage))) {
      workload.run(engine, 8);
      copyAsAfterKill(second, third);
    }
    HeapHeader header = header(third);
    assertEquals(1, header.past().size());
    LogPosition end = header.past().getFirst().end();
    // The last byte of the first epoch's last record.
    Path log = third.resolve(StoreLayout.log(end.segment()));
    writeTo(log, end.offset() - 1, (byte) ~readFrom(log, end.offset() - 1, 1)[0]);
    StoreDamagedException e =
        assertThrows(StoreDamagedException.class, () -> MappedEngine.open(third, small(storage)));
    assertTrue(e.getMessage().contains(log.toString()), e.getMessage());
  }
}
