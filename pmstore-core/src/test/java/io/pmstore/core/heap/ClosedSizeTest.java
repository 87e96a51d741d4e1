package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.FreeChunks;
import io.pmstore.core.space.ReferenceMap;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A closed store keeps no free space at the end of its heap, and grows again when opened. */
class ClosedSizeTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int UNIT = 256 << 10;
  private static final int SMALLEST = 512 << 10;
  private static final int[] SIZES = {16, 56, 200, 5_000, 40_000, 900_000, 2 << 20};

  @TempDir Path directory;

  private Heap open(Storage storage) {
    Heap heap =
        new Heap(
            MappedEngine.open(
                directory, PmStoreOptions.defaults().storage(storage).logSegmentSize(1 << 20)),
            Durability.SYNC,
            h -> new NoObjects());
    heap.referenceMaps().add(SHAPE, new ReferenceMap(new int[0], new int[0]));
    return heap;
  }

  /** Rounds of random objects that are added and freed, the store closed after each. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void nothingBehindTheLastObjectIsKept(Storage storage) throws IOException {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, Integer> objects = new TreeMap<>(); // sizes by addresses
    for (int round = 0; round < 24; round++) {
      String at = "round " + round + ", seed " + seed;
      Heap heap = open(storage);
      check(heap, objects, at);
      for (int i = random.nextInt(20); i > 0; i--) {
        add(heap, objects, SIZES[random.nextInt(SIZES.length)], 1 + random.nextInt(20));
      }
      if (random.nextInt(3) == 0) {
        long from = random.nextLong(heap.memory().size());
        free(heap, objects, new ArrayList<>(objects.tailMap(from).keySet()));
        if (random.nextBoolean()) {
          heap.reclamation().besideNoCopy(heap.reclamation()::compact);
        }
      }
      check(heap, objects, at);
      heap.close();
      assertClosedSize(end(objects), at);
    }
  }

  private static void add(Heap heap, Map<Long, Integer> objects, int size, int count) {
    int atOnce = Math.max(1, Math.min(count, (2 << 20) / size));
    heap.transaction(
        () -> {
          for (int i = 0; i < atOnce; i++) {
            long object = heap.allocate(SHAPE, size);
            heap.putLong(object, FIELD, object);
            heap.putLong(object, size - 8, object);
            heap.directory().setRoot(Long.toString(object), object);
            objects.put(object, size);
          }
          return null;
        });
  }

  private static void free(Heap heap, Map<Long, Integer> objects, List<Long> freed) {
    freed.forEach(object -> assertTrue(heap.directory().removeRoot(Long.toString(object))));
    heap.reclamation().releaseAllEmptyChunks();
    freed.forEach(objects::remove);
  }

  private static void check(Heap heap, Map<Long, Integer> objects, String at) {
    List<String> faults = new ArrayList<>();
    heap.engine.verify((address, found, expected) -> faults.add(address + " " + found));
    assertEquals(List.of(), faults, at);
    objects.forEach(
        (object, size) -> {
          assertTrue(heap.transactions.rules().allocator().isAllocated(object), at);
          assertEquals(object, heap.getLong(object, FIELD), at);
          assertEquals(object, heap.getLong(object, size - 8), at);
        });
  }

  private static long end(TreeMap<Long, Integer> objects) {
    return objects.isEmpty()
        ? 0
        : (objects.lastKey() + objects.lastEntry().getValue() + ExtentLayout.CHUNK_SIZE - 1)
            & -ExtentLayout.CHUNK_SIZE;
  }

  /** A chunk whose last object was freed may stay in use for its size class. */
  private void assertClosedSize(long used, String at) throws IOException {
    long size = Files.size(directory.resolve("heap"));
    assertTrue(size >= used, size + " of " + used + ", " + at);
    assertEquals(0, size % UNIT, at);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aHeapOfAnExtentAndALittleTakesLittleMore(Storage storage) throws IOException {
    Heap heap = open(storage);
    TreeMap<Long, Integer> objects = new TreeMap<>();
    while (heap.memory().size() < 2 * HeapMemory.EXTENT_SIZE) {
      add(heap, objects, 40_000, 20);
    }
    heap.close();
    long used = end(objects);
    assertTrue(used < HeapMemory.EXTENT_SIZE * 3 / 2, () -> "used " + used);
    assertEquals((used + UNIT - 1) & -UNIT, Files.size(directory.resolve("heap")));

    Heap again = open(storage);
    free(again, objects, new ArrayList<>(objects.keySet()));
    again.reclamation().besideNoCopy(again.reclamation()::compact);
    assertEquals(HeapMemory.EXTENT_SIZE, again.memory().writableBytes());
    again.close();
    assertEquals(SMALLEST, Files.size(directory.resolve("heap")));
  }

  /** A growth within the last extent comes between the choice of what is cut off and the cut. */
  @Test
  void whatHasGrownMeanwhileIsNotCutOff() {
    Heap heap = open(Storage.FILE);
    TreeMap<Long, Integer> objects = new TreeMap<>();
    while (heap.memory().size() < 2 * HeapMemory.EXTENT_SIZE) {
      add(heap, objects, 40_000, 20);
    }
    heap.close();
    Heap again = open(Storage.FILE);
    free(again, objects, List.copyOf(objects.tailMap(HeapMemory.EXTENT_SIZE).keySet()));
    FreeChunks chunks = again.transactions.rules().allocator().freeChunks();
    FreeChunks.Tail tail = chunks.takeTail();
    assertEquals(HeapMemory.EXTENT_SIZE, tail.from());
    assertTrue(tail.to() < 2 * HeapMemory.EXTENT_SIZE);
    for (int i = 0; i < 5; i++) {
      add(again, objects, 40_000, 20);
    }
    assertEquals(2 * HeapMemory.EXTENT_SIZE, again.memory().writableBytes());
    chunks.cut(tail, again.engine::shrink);
    for (int i = 0; i < 50; i++) {
      add(again, objects, 40_000, 20);
    }
    check(again, objects, "grown");
    again.close();
  }

  /** What a damaged chunk table says of free space is not believed. */
  @Test
  void aDamagedChunkTableKeepsTheHeap() throws IOException {
    Heap heap = open(Storage.FILE);
    TreeMap<Long, Integer> objects = new TreeMap<>();
    while (heap.memory().size() < 2 * HeapMemory.EXTENT_SIZE) {
      add(heap, objects, 2 << 20, 1);
    }
    heap.close();
    long size = Files.size(directory.resolve("heap"));
    assertTrue(size > HeapMemory.EXTENT_SIZE);
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("heap").toFile(), "rw")) {
      file.seek(ExtentLayout.descriptorAddress(objects.lastKey()) & -4096);
      file.write(new byte[4096]);
    }
    open(Storage.FILE).close();
    assertEquals(size, Files.size(directory.resolve("heap")));
  }
}
