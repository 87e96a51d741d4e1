package io.pmstore.gc.verify;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.SizeClasses;

/**
 * The kind of each chunk of a heap, read from the chunk tables once and checked: one byte for a
 * chunk, 1/16384 of the heap. Also knows which addresses are allocated.
 */
final class SpaceMap {
  private static final byte FREE = 0;
  // From 1 on: slots of the size class that is one less.
  private static final byte RUN = 124;
  private static final byte RUN_INSIDE = 125;
  private static final byte RESERVED = 126;
  private static final byte DAMAGED = 127;

  static {
    assert SizeClasses.COUNT < RUN;
  }

  private final HeapMemory memory;
  private final byte[] chunks;

  SpaceMap(HeapMemory memory, FaultLog faults) {
    this.memory = memory;
    this.chunks = new byte[(int) (memory.size() >>> ExtentLayout.CHUNK_SHIFT)];
    for (int first = 0; first < chunks.length; first += ExtentLayout.CHUNKS) {
      readTable(first, faults);
    }
  }

  private void readTable(int first, FaultLog faults) {
    int end = first + ExtentLayout.CHUNKS;
    int chunk = first;
    chunks[chunk++] = RESERVED;
    if (first == 0) {
      chunks[ExtentLayout.SUPERBLOCK_CHUNK] = RESERVED;
      chunk = ExtentLayout.SUPERBLOCK_CHUNK + 1;
    }
    int runEnd = chunk;
    for (; chunk < end; chunk++) {
      long descriptor = descriptor(chunk);
      if (chunk < runEnd) {
        chunks[chunk] = RUN_INSIDE;
        if (descriptor != 0) {
          fault(faults, chunk, descriptor, "zero: the chunk is inside the run before it");
        }
        continue;
      }
      chunks[chunk] = kind(descriptor, end - chunk);
      if (chunks[chunk] == DAMAGED) {
        fault(faults, chunk, descriptor, "a free chunk, slots of a size class, or a run that fits");
      } else if (chunks[chunk] == RUN) {
        runEnd = chunk + ExtentLayout.runChunks(descriptor);
      }
    }
  }

  private static byte kind(long descriptor, int chunksMax) {
    int sizeClass = ExtentLayout.sizeClass(descriptor);
    int length = ExtentLayout.runChunks(descriptor);
    return switch (ExtentLayout.kind(descriptor)) {
      case ExtentLayout.KIND_FREE -> descriptor == 0 ? FREE : DAMAGED;
      case ExtentLayout.KIND_SLOTS ->
          sizeClass < SizeClasses.COUNT && length == 0 ? (byte) (1 + sizeClass) : DAMAGED;
      case ExtentLayout.KIND_RUN -> length >= 1 && length <= chunksMax ? RUN : DAMAGED;
      default -> DAMAGED;
    };
  }

  private static void fault(FaultLog faults, int chunk, long descriptor, String expected) {
    String path =
        "chunk table of extent %d, chunk %d at heap address %d"
            .formatted(chunk / ExtentLayout.CHUNKS, chunk % ExtentLayout.CHUNKS, startOf(chunk));
    faults.add(path, "descriptor 0x" + Long.toHexString(descriptor), expected);
  }

  /**
   * Returns the bytes of the allocated slot or run that starts at an address, or 0 if none does.
   * Any number is accepted.
   */
  int room(long address) {
    long chunk = address >>> ExtentLayout.CHUNK_SHIFT; // beyond all chunks for a negative address
    if (chunk >= chunks.length) {
      return 0;
    }
    int offset = (int) address & (ExtentLayout.CHUNK_SIZE - 1);
    byte kind = chunks[(int) chunk];
    if (isSlots(kind)) {
      int size = SizeClasses.size(kind - 1);
      int slot = (offset - ExtentLayout.SLOTS_OFFSET) / size;
      boolean starts =
          offset == ExtentLayout.SLOTS_OFFSET + slot * size
              && slot >= 0
              && slot < SizeClasses.slots(kind - 1);
      return starts && isAllocated((int) chunk, slot) ? size : 0;
    }
    return kind == RUN && offset == 0 ? runBytes((int) chunk) : 0;
  }

  private boolean isAllocated(int chunk, int slot) {
    return (bitmapWord(chunk, slot >>> 6) & (1L << slot)) != 0;
  }

  /** Describes an address at which nothing is allocated. */
  String describe(long address) {
    String start = "heap address " + address + ", which is ";
    long number = address >>> ExtentLayout.CHUNK_SHIFT;
    if (number >= chunks.length) {
      return start + "outside the heap of " + memory.size() + " bytes";
    }
    int chunk = (int) number;
    byte kind = chunks[chunk];
    if (isSlots(kind)) {
      return start + describeSlot(chunk, kind - 1, address);
    }
    return start
        + switch (kind) {
          case FREE -> "in a free chunk";
          case RUN, RUN_INSIDE -> {
            int run = chunk;
            while (chunks[run] == RUN_INSIDE) {
              run--;
            }
            yield (address - startOf(run))
                + " bytes into the object of "
                + runBytes(run)
                + " bytes at "
                + startOf(run);
          }
          case RESERVED -> "in a part of the heap that holds no objects";
          default -> "in a chunk whose descriptor is damaged";
        };
  }

  private String describeSlot(int chunk, int sizeClass, long address) {
    long slots = startOf(chunk) + ExtentLayout.SLOTS_OFFSET;
    int size = SizeClasses.size(sizeClass);
    long slot = (address - slots) / size;
    if (address < slots || slot >= SizeClasses.slots(sizeClass)) {
      return "in the chunk at " + startOf(chunk) + ", but in none of its slots";
    }
    boolean allocated = isAllocated(chunk, (int) slot);
    long into = address - slots - slot * size;
    String which = (allocated ? "an allocated" : "a free") + " slot of " + size + " bytes";
    return into == 0 ? which : into + " bytes into " + which + " at " + (address - into);
  }

  // ---- chunk by chunk, for the account

  int chunkCount() {
    return chunks.length;
  }

  /** Returns the bytes of all chunks that are not free. */
  long usedBytes() {
    long used = 0;
    for (byte kind : chunks) {
      used += kind == FREE ? 0 : ExtentLayout.CHUNK_SIZE;
    }
    return used;
  }

  boolean isFree(int chunk) {
    return chunks[chunk] == FREE;
  }

  boolean isRun(int chunk) {
    return chunks[chunk] == RUN;
  }

  boolean isRunInside(int chunk) {
    return chunks[chunk] == RUN_INSIDE;
  }

  /** Returns the size class of a slot chunk, or -1. */
  int sizeClass(int chunk) {
    return isSlots(chunks[chunk]) ? chunks[chunk] - 1 : -1;
  }

  int runBytes(int chunk) {
    return ExtentLayout.runChunks(descriptor(chunk)) << ExtentLayout.CHUNK_SHIFT;
  }

  /** Returns a word of the bitmap of a slot chunk: bit i of word w is slot 64 w + i. */
  long bitmapWord(int chunk, int word) {
    return memory.getLong(startOf(chunk) + ((long) word << 3));
  }

  static long startOf(int chunk) {
    return (long) chunk << ExtentLayout.CHUNK_SHIFT;
  }

  private long descriptor(int chunk) {
    return memory.getLong(ExtentLayout.descriptorAddress(startOf(chunk)));
  }

  private static boolean isSlots(byte kind) {
    return kind > FREE && kind < RUN;
  }
}
