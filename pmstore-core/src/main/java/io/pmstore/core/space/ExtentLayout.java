package io.pmstore.core.space;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;

/**
 * How an extent is cut into chunks, and a chunk into slots.
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
 * <p>A set bit is a slot that holds an object. A run is one object in whole chunks: its first chunk
 * has the descriptor, the descriptors of the others stay zero and are skipped by whoever walks the
 * table.
 */
public final class ExtentLayout {
  /** Binary logarithm of the size of a chunk. */
  public static final int CHUNK_SHIFT = 14;

  /** The size of a chunk, in bytes: 16 KiB. */
  public static final int CHUNK_SIZE = 1 << CHUNK_SHIFT;

  /** How many chunks an extent has, the one with the table included. */
  public static final int CHUNKS = (int) (HeapMemory.EXTENT_SIZE >> CHUNK_SHIFT);

  /** Where slot 0 starts in a chunk, in bytes. */
  public static final int SLOTS_OFFSET = 128;

  /** The chunk of extent 0 that holds the superblock. */
  public static final int SUPERBLOCK_CHUNK = 1;

  /** Descriptor kind: nothing in the chunk. */
  public static final int KIND_FREE = 0;

  /** Descriptor kind: slots of one size class. */
  public static final int KIND_SLOTS = 1;

  /** Descriptor kind: the first chunk of a run that holds one object. */
  public static final int KIND_RUN = 2;

  private static final long TABLE_OFFSET = Engine.RESERVED;

  private ExtentLayout() {}

  /**
   * The address of a chunk.
   *
   * @param extent its extent's number
   * @param chunk its number in the extent
   * @return the address of its first byte
   */
  public static long chunkAddress(int extent, int chunk) {
    return ((long) extent << HeapMemory.EXTENT_SHIFT) + ((long) chunk << CHUNK_SHIFT);
  }

  /**
   * The address of a chunk's descriptor.
   *
   * @param address any address in the chunk
   * @return the address of the descriptor word
   */
  public static long descriptorAddress(long address) {
    long extent = address & -HeapMemory.EXTENT_SIZE;
    long chunk = (address & (HeapMemory.EXTENT_SIZE - 1)) >>> CHUNK_SHIFT;
    return extent + TABLE_OFFSET + (chunk << 3);
  }

  /**
   * Says that the descriptor of a chunk which is not free is a possible one, by returning.
   *
   * @param descriptor the descriptor word
   * @param chunk the address of the chunk
   * @throws StoreDamagedException if it is of no kind, or does not fit the chunk's place
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

  /**
   * The kind in a chunk's descriptor.
   *
   * @param descriptor the descriptor word
   * @return one of the kinds, or another number if the descriptor is damaged
   */
  public static int kind(long descriptor) {
    return (int) descriptor & 0xff;
  }

  /**
   * The size class in the descriptor of a chunk of slots.
   *
   * @param descriptor the descriptor word
   * @return 0 to 255; valid ones are below {@link SizeClasses#COUNT}
   */
  public static int sizeClass(long descriptor) {
    return (int) (descriptor >>> 8) & 0xff;
  }

  /**
   * The length in the descriptor of a run.
   *
   * @param descriptor the descriptor word
   * @return its chunks
   */
  public static int runChunks(long descriptor) {
    return (int) (descriptor >>> 32);
  }

  /** The number of the slot that starts at an address in a chunk of slots. */
  static int slot(long address, int sizeClass) {
    return ((int) (address & (CHUNK_SIZE - 1)) - SLOTS_OFFSET) / SizeClasses.size(sizeClass);
  }

  /** Whether a slot starts at an address in a chunk of slots. */
  static boolean isSlot(long address, int sizeClass) {
    int offset = (int) (address & (CHUNK_SIZE - 1)) - SLOTS_OFFSET;
    int size = SizeClasses.size(sizeClass);
    return offset >= 0 && offset % size == 0 && offset / size < SizeClasses.slots(sizeClass);
  }

  /**
   * The address of the bitmap word of a slot.
   *
   * @param address any address in the chunk
   */
  static long bitmapAddress(long address, int slot) {
    return (address & -CHUNK_SIZE) + ((long) (slot >>> 6) << 3);
  }

  /** The bit of a slot in its bitmap word. */
  static long bitmapBit(int slot) {
    return 1L << (slot & 63);
  }

  /** Reads a word of the heap. */
  @FunctionalInterface
  public interface Words {
    /**
     * Reads a word.
     *
     * @param address its address, inside the heap
     * @return the word
     */
    long word(long address);
  }

  /**
   * Says whether tables and bitmaps have an object at an address.
   *
   * @param address any number
   * @param heapSize in bytes
   * @param words how the tables and bitmaps are read
   * @return true if a used slot or run starts there
   */
  public static boolean isAllocated(long address, long heapSize, Words words) {
    if (address <= 0 || address >= heapSize) {
      return false;
    }
    long chunk = address & -CHUNK_SIZE;
    if ((chunk & (HeapMemory.EXTENT_SIZE - 1)) == 0) {
      return false; // the table
    }
    long descriptor = words.word(descriptorAddress(chunk));
    int sizeClass = sizeClass(descriptor);
    return switch (kind(descriptor)) {
      case KIND_RUN -> address == chunk;
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
