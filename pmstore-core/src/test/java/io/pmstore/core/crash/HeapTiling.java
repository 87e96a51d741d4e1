package io.pmstore.core.crash;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.SizeClasses;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The allocated places of a heap, according to its chunk tables and bitmaps. Everything else is
 * free, so in a heap without garbage the allocated and the reachable places must be the same.
 */
public final class HeapTiling {
  private final HeapMemory memory;
  private final Map<Long, Integer> room = new TreeMap<>();

  private HeapTiling(HeapMemory memory) {
    this.memory = memory;
  }

  /**
   * Compares the allocated places with the reachable objects.
   *
   * @param memory of the heap
   * @param reachable their addresses
   * @throws AssertionError if they are not the same, or an object does not fit its place
   */
  public static void check(HeapMemory memory, Set<Long> reachable) {
    HeapTiling tiling = new HeapTiling(memory);
    int extents = (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
    for (int extent = 0; extent < extents; extent++) {
      tiling.readExtent(extent);
    }
    Set<Long> lost = new TreeSet<>(reachable);
    lost.removeAll(tiling.room.keySet());
    Set<Long> leaked = new TreeSet<>(tiling.room.keySet());
    leaked.removeAll(reachable);
    if (!lost.isEmpty() || !leaked.isEmpty()) {
      throw new AssertionError(
          "reachable but free: %s; allocated but not reachable: %s".formatted(lost, leaked));
    }
    tiling.room.forEach(
        (address, bytes) -> {
          int size = ObjectLayout.size(memory.getLong(address));
          if (size > bytes) {
            throw new AssertionError(
                "an object of %d bytes at %d has room for %d".formatted(size, address, bytes));
          }
        });
  }

  private void readExtent(int extent) {
    int chunk = extent == 0 ? ExtentLayout.SUPERBLOCK_CHUNK + 1 : 1;
    while (chunk < ExtentLayout.CHUNKS) {
      long address = ExtentLayout.chunkAddress(extent, chunk);
      long descriptor = memory.getLong(ExtentLayout.descriptorAddress(address));
      switch (ExtentLayout.kind(descriptor)) {
        case ExtentLayout.KIND_FREE -> {
          if (descriptor != 0) {
            throw new AssertionError("a free chunk has descriptor " + descriptor);
          }
          chunk++;
        }
        case ExtentLayout.KIND_SLOTS -> {
          readSlots(address, ExtentLayout.sizeClass(descriptor));
          chunk++;
        }
        case ExtentLayout.KIND_RUN -> {
          int chunks = ExtentLayout.runChunks(descriptor);
          room.put(address, chunks << ExtentLayout.CHUNK_SHIFT);
          chunk += chunks;
        }
        default -> throw new AssertionError("a chunk has descriptor " + descriptor);
      }
    }
  }

  private void readSlots(long chunk, int sizeClass) {
    int size = SizeClasses.size(sizeClass);
    for (int slot = 0; slot < SizeClasses.slots(sizeClass); slot++) {
      if ((memory.getLong(chunk + (slot >>> 6) * 8L) & 1L << slot) != 0) {
        room.put(chunk + ExtentLayout.SLOTS_OFFSET + (long) slot * size, size);
      }
    }
  }
}
