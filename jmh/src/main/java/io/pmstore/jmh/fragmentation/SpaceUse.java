package io.pmstore.jmh.fragmentation;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.SizeClasses;

/**
 * What the bytes of a heap's chunks are used for.
 *
 * @param objects how many objects there are
 * @param live the bytes of all objects, headers included
 * @param rounding the bytes of slots and runs beyond their objects' ends
 * @param unusedSlots the bytes of slots without an object
 * @param chunkOverhead the bytes of chunks that are in no slot: bitmaps, and the rest at the end
 * @param tables the bytes of chunks that no object can be in: the chunk tables, the superblock
 * @param free the bytes of chunks that are not in use
 */
record SpaceUse(
    long objects,
    long live,
    long rounding,
    long unusedSlots,
    long chunkOverhead,
    long tables,
    long free) {

  /** The bytes of chunks in use. */
  long inUse() {
    return live + rounding + unusedSlots + chunkOverhead;
  }

  /** Adds up what is in a heap that nobody changes meanwhile. */
  static SpaceUse of(HeapMemory memory) {
    Sum sum = new Sum(memory);
    int extents = (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
    for (int extent = 0; extent < extents; extent++) {
      int first = extent == 0 ? ExtentLayout.SUPERBLOCK_CHUNK + 1 : 1;
      sum.tables += (long) first << ExtentLayout.CHUNK_SHIFT;
      for (int chunk = first; chunk < ExtentLayout.CHUNKS; ) {
        chunk += sum.add(ExtentLayout.chunkAddress(extent, chunk));
      }
    }
    SpaceUse use =
        new SpaceUse(
            sum.objects,
            sum.live,
            sum.rounding,
            sum.unusedSlots,
            sum.chunkOverhead,
            sum.tables,
            sum.free);
    if (use.inUse() + use.tables + use.free != memory.size()) {
      throw new IllegalStateException(use + " does not add up to " + memory.size());
    }
    return use;
  }

  /** The sum so far. */
  private static final class Sum {
    private final HeapMemory memory;
    private long objects;
    private long live;
    private long rounding;
    private long unusedSlots;
    private long chunkOverhead;
    private long tables;
    private long free;

    Sum(HeapMemory memory) {
      this.memory = memory;
    }

    /** Adds what is at a chunk; returns how many chunks that was. */
    int add(long chunk) {
      long descriptor = memory.getLong(ExtentLayout.descriptorAddress(chunk));
      return switch (ExtentLayout.kind(descriptor)) {
        case ExtentLayout.KIND_FREE -> {
          free += ExtentLayout.CHUNK_SIZE;
          yield 1;
        }
        case ExtentLayout.KIND_SLOTS -> {
          addSlots(chunk, ExtentLayout.sizeClass(descriptor));
          yield 1;
        }
        case ExtentLayout.KIND_RUN -> {
          int chunks = ExtentLayout.runChunks(descriptor);
          addObject(chunk, (long) chunks << ExtentLayout.CHUNK_SHIFT);
          yield chunks;
        }
        default ->
            throw new IllegalStateException(
                "the chunk at " + chunk + " has the descriptor " + Long.toHexString(descriptor));
      };
    }

    private void addSlots(long chunk, int sizeClass) {
      int slots = SizeClasses.slots(sizeClass);
      int size = SizeClasses.size(sizeClass);
      chunkOverhead += ExtentLayout.CHUNK_SIZE - (long) slots * size;
      for (int slot = 0; slot < slots; slot++) {
        long bits = memory.getLong(chunk + ((long) (slot >>> 6) << 3));
        if ((bits >>> (slot & 63) & 1) == 0) {
          unusedSlots += size;
        } else {
          addObject(chunk + ExtentLayout.SLOTS_OFFSET + (long) slot * size, size);
        }
      }
    }

    private void addObject(long address, long room) {
      int size = ObjectLayout.size(memory.getLong(address));
      if (size < ObjectLayout.HEADER || size > room) {
        throw new IllegalStateException(
            "the object at " + address + " has " + size + " bytes in room of " + room);
      }
      objects++;
      live += size;
      rounding += room - size;
    }
  }
}
