package io.pmstore.core.space;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import java.util.function.LongUnaryOperator;

/**
 * The division of an extent into chunks, and of a chunk into slots.
 *
 * <pre>
 *  extent (16 MiB)
 *   0          8 KiB        16 KiB      32 KiB                  16 MiB
 *  +----------+------------+-----------+-----------+-----------+
 *  | engine's | chunk table| chunk 1   | chunk 2   | ...       |
 *  +----------+------------+-----------+-----------+-----------+
 *   '---- chunk 0 --------'
 *
 *  chunk table: one descriptor word a chunk
 *   63                            32 31          16 15       8 7       0
 *  +--------------------------------+--------------+----------+---------+
 *  | chunks of the run (kind RUN)   | zero         | class    | kind    |
 *  +--------------------------------+--------------+----------+---------+
 *
 *  chunk of kind SLOTS
 *   0                      128                                16 KiB
 *  +----------------------+--------+--------+--------+--------+
 *  | bitmap, bit = slot   | slot 0 | slot 1 | ...             |
 *  +----------------------+--------+--------+--------+--------+
 * </pre>
 *
 * <p>A set bit marks a slot that holds an object. A run is one object in whole chunks. Its first
 * chunk has the descriptor; the descriptors of the others stay zero, and readers of the table skip
 * them.
 */
public final class ExtentLayout {
  /** Binary logarithm of {@link #CHUNK_SIZE}. */
  public static final int CHUNK_SHIFT = 14;

  /** The size of a chunk: 16 KiB. */
  public static final int CHUNK_SIZE = 1 << CHUNK_SHIFT;

  /** The chunks of an extent, including the one with the table. */
  public static final int CHUNKS = (int) (HeapMemory.EXTENT_SIZE >> CHUNK_SHIFT);

  /** The offset of slot 0 in a chunk, in bytes. */
  public static final int SLOTS_OFFSET = 128;

  /** The chunk of extent 0 that holds the superblock. */
  public static final int SUPERBLOCK_CHUNK = 1;

  /** Descriptor kind: free. */
  public static final int KIND_FREE = 0;

  /** Descriptor kind: slots of one size class. */
  public static final int KIND_SLOTS = 1;

  /** Descriptor kind: the first chunk of a run that holds one object. */
  public static final int KIND_RUN = 2;

  private static final long TABLE_OFFSET = Engine.RESERVED;

  private ExtentLayout() {}

  /** Returns the address of the first byte of a chunk. */
  public static long chunkAddress(int extent, int chunk) {
    return ((long) extent << HeapMemory.EXTENT_SHIFT) + ((long) chunk << CHUNK_SHIFT);
  }

  /** Returns the address of the descriptor of the chunk that contains an address. */
  public static long descriptorAddress(long address) {
    long extent = address & -HeapMemory.EXTENT_SIZE;
    long chunk = (address & (HeapMemory.EXTENT_SIZE - 1)) >>> CHUNK_SHIFT;
    return extent + TABLE_OFFSET + (chunk << 3);
  }

  /**
   * Checks the descriptor of a chunk that is not free.
   *
   * @throws StoreDamagedException if its kind is unknown, or its contents do not fit the chunk's
   *     place
   */
  public static void check(long descriptor, long chunk) {
    int chunksMax = CHUNKS - (int) ((chunk & (HeapMemory.EXTENT_SIZE - 1)) >>> CHUNK_SHIFT);
    boolean good =
        switch (kind(descriptor)) {
          case KIND_SLOTS -> sizeClass(descriptor) < SizeClasses.COUNT;
          case KIND_RUN -> runChunks(descriptor) >= 1 && runChunks(descriptor) <= chunksMax;
          default -> false;
        };
    if (!good) {
      throw new StoreDamagedException(
          "the descriptor of the chunk at heap address "
              + chunk
              + " is "
              + Long.toHexString(descriptor)
              + ", which is no valid one; restore the store from a backup");
    }
  }

  static long slotsDescriptor(int sizeClass) {
    return KIND_SLOTS | ((long) sizeClass << 8);
  }

  static long runDescriptor(int chunks) {
    return KIND_RUN | ((long) chunks << 32);
  }

  /** Returns the kind in a descriptor; an unknown number if the descriptor is damaged. */
  public static int kind(long descriptor) {
    return (int) descriptor & 0xff;
  }

  /**
   * Returns the size class in the descriptor of a slot chunk: 0 to 255; valid ones are below {@link
   * SizeClasses#COUNT}.
   */
  public static int sizeClass(long descriptor) {
    return (int) (descriptor >>> 8) & 0xff;
  }

  /** Returns the number of chunks in the descriptor of a run. */
  public static int runChunks(long descriptor) {
    return (int) (descriptor >>> 32);
  }

  /** Returns the number of the slot that starts at an address in a slot chunk. */
  static int slot(long address, int sizeClass) {
    return ((int) (address & (CHUNK_SIZE - 1)) - SLOTS_OFFSET) / SizeClasses.size(sizeClass);
  }

  /** Returns true if a slot starts at an address in a slot chunk. */
  static boolean isSlot(long address, int sizeClass) {
    int offset = (int) (address & (CHUNK_SIZE - 1)) - SLOTS_OFFSET;
    int size = SizeClasses.size(sizeClass);
    return offset >= 0 && offset % size == 0 && offset / size < SizeClasses.slots(sizeClass);
  }

  /**
   * Returns the address of the bitmap word of a slot in the chunk that contains {@code address}.
   */
  static long bitmapAddress(long address, int slot) {
    return (address & -CHUNK_SIZE) + ((long) (slot >>> 6) << 3);
  }

  static long bitmapBit(int slot) {
    return 1L << (slot & 63);
  }

  /** Returns the end of the last chunk in use; see {@link Engine.UsedSpace#end}. */
  static long usedEnd(long heapSize, LongUnaryOperator words) {
    long used = 0;
    long extent = (heapSize - 1) & -HeapMemory.EXTENT_SIZE;
    while (used == 0 && extent >= 0) {
      long end = Math.min(extent + HeapMemory.EXTENT_SIZE, heapSize);
      long chunk = extent + CHUNK_SIZE;
      while (chunk < end) {
        long descriptor = words.applyAsLong(descriptorAddress(chunk));
        long chunks = kind(descriptor) == KIND_RUN ? Math.max(1, runChunks(descriptor)) : 1;
        chunk += chunks << CHUNK_SHIFT;
        if (kind(descriptor) != KIND_FREE) {
          used = Math.min(chunk, end);
        }
      }
      extent -= HeapMemory.EXTENT_SIZE;
    }
    return used;
  }

  /** Reads words of the heap. */
  @FunctionalInterface
  public interface Words {
    /** Returns the word at an address inside the heap. */
    long word(long address);
  }

  /**
   * Returns true if a used slot or run starts at an address. Any number is accepted.
   *
   * @param heapSize in bytes
   * @param words reads the tables and bitmaps
   */
  public static boolean isAllocated(long address, long heapSize, Words words) {
    if (address <= 0 || address >= heapSize) {
      return false;
    }
    long chunk = address & -CHUNK_SIZE;
    if ((chunk & (HeapMemory.EXTENT_SIZE - 1)) == 0) {
      return false; // chunk 0 holds the table
    }
    long descriptor = words.word(descriptorAddress(chunk));
    int sizeClass = sizeClass(descriptor);
    return switch (kind(descriptor)) {
      case KIND_RUN -> address == chunk && runChunks(descriptor) > 0;
      case KIND_SLOTS -> {
        if (sizeClass >= SizeClasses.COUNT || !isSlot(address, sizeClass)) {
          yield false;
        }
        int slot = slot(address, sizeClass);
        yield (words.word(bitmapAddress(address, slot)) & bitmapBit(slot)) != 0;
      }
      default -> false;
    };
  }
}
