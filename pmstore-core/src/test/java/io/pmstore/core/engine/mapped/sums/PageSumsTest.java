package io.pmstore.core.engine.mapped.sums;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.Workload;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every page of a heap file has the checksum with which it was written last. */
class PageSumsTest extends StoreTest {
  private static List<Long> faults(Path store, Storage storage) {
    List<Long> faults = new ArrayList<>();
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.verify((address, found, expected) -> faults.add(address));
    }
    return faults;
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void soundPagesHaveTheirSums(Storage storage) throws IOException {
    Workload workload = new Workload(seed(), 6000, Workload.HEAP_SIZE);
    Path store = directory("store");
    Path killed = directory("killed");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, 120); // over several checkpoints
    }
    try (MappedEngine engine = MappedEngine.open(store, small(storage), NO_BACKGROUND)) {
      workload.run(engine, 130);
      copyAsAfterKill(store, killed);
    }
    assertEquals(List.of(), faults(store, storage), "closed");
    assertEquals(List.of(), faults(killed, storage), "killed");
    Storage other = storage == Storage.FILE ? Storage.PERSISTENT_MEMORY : Storage.FILE;
    assertEquals(List.of(), faults(store, other), "opened with the other storage");
  }

  /** A verification has what was recovered written first. */
  @Test
  void aWriteThatFailsInAVerificationFailsTheStoreAndLosesNothing() throws IOException {
    Workload workload = new Workload(seed(), 6000, Workload.HEAP_SIZE);
    Path store = directory("store");
    Path killed = directory("killed");
    long last;
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE), NO_BACKGROUND)) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, 10);
      last = engine.position();
      copyAsAfterKill(store, killed);
    }
    AtomicBoolean armed = new AtomicBoolean();
    MappedEngine engine =
        openHooked(
            killed,
            small(Storage.FILE),
            (operation, file) -> {
              if (operation == Operation.WRITE_PAGES && armed.compareAndSet(true, false)) {
                throw new IOException("injected");
              }
            },
            NO_BACKGROUND);
    armed.set(true);
    assertThrows(
        io.pmstore.PmStoreException.class, () -> engine.verify((at, found, expected) -> {}));
    engine.close();
    try (MappedEngine again = MappedEngine.open(killed, small(Storage.FILE))) {
      workload.check(again, last, last, "after a verification that failed");
    }
    assertEquals(List.of(), faults(killed, Storage.FILE));
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aFlippedBitAnywhereIsFound(Storage storage) throws IOException {
    Random random = new Random(seed());
    Workload workload = new Workload(random.nextLong(), 100, Workload.HEAP_SIZE);
    Path store = directory("store");
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(Workload.HEAP_SIZE);
      workload.run(engine, 20);
    }
    Path heap = store.resolve(StoreLayout.HEAP);
    long size = Files.size(heap);
    for (int i = 0; i < 30; i++) {
      // Written pages and pages that never were.
      long at = START + random.nextLong(i % 2 == 0 ? 1 << 20 : size - START);
      byte old = readFrom(heap, at, 1)[0];
      writeTo(heap, at, (byte) (old ^ 1 << random.nextInt(8)));
      assertEquals(List.of(at & -4096), faults(store, storage), "bit flipped at " + at);
      writeTo(heap, at, old);
    }
    assertEquals(List.of(), faults(store, storage));
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void sumsOfAnotherStoreAndTooFewAreRefused(Storage storage) throws IOException {
    Path store = directory("store");
    Path other = directory("other");
    MappedEngine.open(store, small(storage)).close();
    MappedEngine.open(other, small(storage)).close();
    byte[] own = Files.readAllBytes(store.resolve(StoreLayout.SUMS));
    for (byte[] wrong :
        List.of(
            Files.readAllBytes(other.resolve(StoreLayout.SUMS)),
            java.util.Arrays.copyOf(own, own.length - 4),
            new byte[0])) {
      Files.write(store.resolve(StoreLayout.SUMS), wrong);
      StoreDamagedException e =
          assertThrows(StoreDamagedException.class, () -> MappedEngine.open(store, small(storage)));
      assertTrue(e.getMessage().contains(store.resolve("sums").toString()), e.getMessage());
    }
    Files.write(store.resolve(StoreLayout.SUMS), own);
    assertEquals(List.of(), faults(store, storage));
  }
}
