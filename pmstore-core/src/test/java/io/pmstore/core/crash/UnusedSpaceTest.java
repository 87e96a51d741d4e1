package io.pmstore.core.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.BackupWriter;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapSnapshot;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.space.ReferenceMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No code relies on the contents of unused space, such as bytes of objects that were never
 * committed.
 */
class UnusedSpaceTest {
  private static final int SHAPE = 3;
  private static final int FREED_SHAPE = 4;
  private static final int LARGE = 3 << 20;

  /** Any bits at all may be where a bitmap will be. */
  private static final long GARBAGE = 0xA5A5_A5A5_A5A5_A5A5L;

  /** As an engine may be killed that takes no snapshot of unused space: with that written only. */
  private static final class KilledEngine extends EngineWrapper {
    private boolean dies;

    KilledEngine(Engine engine) {
      super(engine);
    }

    @Override
    public long commit(WriteSet writes) {
      if (dies) {
        writes.forEachRange((address, source, offset, length) -> {}, memory()::write);
        throw new StoreFailedException("killed", null);
      }
      return super.commit(writes);
    }
  }

  private static Heap heap(Engine engine) {
    return new Heap(engine, Durability.SYNC, _ -> new NoObjects());
  }

  /** Makes an object of many chunks, all of whose bytes could be bits of bitmaps. */
  private static long large(Heap heap) {
    return heap.transaction(
        () -> {
          long object = heap.allocate(SHAPE, LARGE);
          dirty(heap, object);
          return object;
        });
  }

  private static void dirty(Heap heap, long large) {
    heap.transaction(
        () -> {
          for (int at = 8; at < LARGE; at += 8) {
            heap.putLong(large, at, GARBAGE);
          }
          return null;
        });
  }

  /** Makes objects to be freed; only those of their shape are collected. */
  private static long[] garbage(Heap heap, int count, int size) {
    long[] objects = new long[count];
    heap.transaction(
        () -> {
          Arrays.setAll(objects, i -> heap.allocate(FREED_SHAPE, size));
          return null;
        });
    return objects;
  }

  private static void free(Heap heap, long[] objects) {
    heap.referenceMaps().add(FREED_SHAPE, new ReferenceMap(new int[0], new int[0]));
    Reclamation reclamation = heap.reclamation();
    assertTrue(reclamation.freeUnreached(objects, objects.length, reclamation.position()));
  }

  /** Fills chunks of several size classes; returns what can be reached, the roots included. */
  private static Set<Long> fill(Heap heap) {
    Set<Long> reachable = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int size = 16 << (i % 9);
      reachable.add(heap.transaction(() -> heap.allocate(SHAPE, size)));
    }
    BankState.addRoots(heap, reachable);
    return reachable;
  }

  @Test
  void aKillInTheCommitOfALargeObjectLeavesTheSpaceSound() {
    MemoryEngine.Image image = new MemoryEngine.Image();
    KilledEngine killed = new KilledEngine(new MemoryEngine(image, Long.MAX_VALUE));
    Heap before = heap(killed);
    Set<Long> reachable = fill(before);
    killed.dies = true;
    assertThrows(StoreFailedException.class, () -> large(before));
    try (Engine engine = new MemoryEngine(image.copy(), Long.MAX_VALUE)) {
      Heap after = heap(engine);
      HeapTiling.check(after.memory(), reachable);
      reachable.addAll(fill(after));
      HeapTiling.check(after.memory(), reachable);
    }
  }

  @Test
  void freedRunsBecomeChunksOfSlots() {
    try (Engine engine = new MemoryEngine()) {
      Heap heap = heap(engine);
      long[] runs = garbage(heap, 3, LARGE);
      for (long run : runs) {
        dirty(heap, run);
      }
      free(heap, runs);
      HeapTiling.check(heap.memory(), fill(heap));
    }
  }

  /** A backup copies free space as it is; the bytes of an object that is not in it among it. */
  @Test
  void aBackupHasNoBitmapsOfObjectsThatCameLater(@TempDir Path directory) {
    try (Engine engine = new MemoryEngine()) {
      Heap heap = heap(engine);
      Set<Long> reachable = fill(heap);
      backUpAndCheck(heap, reachable, directory, () -> large(heap));
    }
  }

  /** The chunks were ones of slots at the time of the backup, all of them free. */
  @Test
  void aBackupHasTheBitmapsOfChunksThatWereGivenBackLater(@TempDir Path directory) {
    try (Engine engine = new MemoryEngine()) {
      Heap heap = heap(engine);
      Set<Long> reachable = fill(heap);
      free(heap, garbage(heap, 128, 2000));
      backUpAndCheck(
          heap,
          reachable,
          directory,
          () -> {
            heap.reclamation().compact();
            return large(heap);
          });
    }
  }

  private interface Change {
    long make();
  }

  private static void backUpAndCheck(
      Heap heap, Set<Long> reachable, Path directory, Change meanwhile) {
    try (BackupWriter writer = BackupWriter.open(directory.resolve("backup"), AccessRights.OWNER);
        HeapSnapshot snapshot = heap.openSnapshot()) {
      assertTrue(meanwhile.make() > CoreLayout.SUPERBLOCK);
      writer.write(1 << 20, snapshot.size(), snapshot::copyExtent, null);
    }
    try (Engine engine =
        MappedEngine.open(directory.resolve("backup"), PmStoreOptions.defaults())) {
      Heap backup = heap(engine);
      HeapTiling.check(backup.memory(), reachable);
      Set<Long> filled = new HashSet<>(reachable);
      filled.addAll(fill(backup));
      HeapTiling.check(backup.memory(), filled);
      assertEquals(reachable.size() + 100, filled.size());
    }
  }
}
