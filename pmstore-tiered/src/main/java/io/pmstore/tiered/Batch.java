package io.pmstore.tiered;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.Arrays;
import java.util.UUID;

/**
 * The images of one commit, until they are in a pool. Reused; one thread at a time uses it.
 *
 * <p>{@link #collect} finds the blocks; {@link CommitPath} gives each a slot; {@link #capture}
 * copies the blocks; {@link #write} adds the headers and writes the slots.
 */
final class Batch implements WriteSet.RangeVisitor {
  private static final int KEPT_MAX = 1 << 12; // images
  private static final int IMAGES_MAX = Integer.MAX_VALUE / ImageLayout.SLOT; // of an array

  private final ImageLayout[] layouts = new ImageLayout[TieredLayout.POOLS];
  private long[] blocks = new long[16];
  private int[] slots = new int[16];
  // What is written: slots that follow each other in one part.
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];
  private byte[] bytes = new byte[16 * ImageLayout.SLOT];
  private int count;
  private long heapSize;

  @SuppressWarnings("UnusedVariable")
  private long fetched;

  Batch(UUID store) {
    for (int i = 0; i < layouts.length; i++) {
      layouts[i] = new ImageLayout(store, i);
    }
  }

  /**
   * Finds the blocks that a write set changes.
   *
   * @param size of the heap in bytes
   * @throws IllegalArgumentException if a range is none inside the heap
   */
  void collect(WriteSet writes, long size) {
    count = 0;
    heapSize = size;
    writes.forEachRange(this);
    Arrays.sort(blocks, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || blocks[i] != blocks[i - 1]) {
        blocks[distinct++] = blocks[i];
      }
    }
    count = distinct;
  }

  @Override
  public void range(long address, byte[] source, int offset, int length) {
    if ((address & 7) != 0
        || (length & 7) != 0
        || length <= 0
        || address < 0
        || address > heapSize - length) {
      throw new IllegalArgumentException(
          "a write set is malformed: %d bytes at %d, in a heap of %d bytes"
              .formatted(length, address, heapSize));
    }
    long last = (address + length - 1) >>> ImageLayout.BLOCK_SHIFT;
    for (long block = address >>> ImageLayout.BLOCK_SHIFT; block <= last; block++) {
      if (count > 0 && blocks[count - 1] == block) {
        continue;
      }
      if (count == blocks.length) {
        blocks = Arrays.copyOf(blocks, 2 * count);
      }
      blocks[count++] = block;
    }
  }

  int count() {
    return count;
  }

  long block(int i) {
    return blocks[i];
  }

  /** Keeps what {@link CommitPath#fetch} has read, so that it is read. */
  void setFetched(long sum) {
    fetched = sum;
  }

  /**
   * Makes room for the images, before anything is changed.
   *
   * @throws TransactionTooLargeException if there are more than an array has room for
   */
  void reserve() {
    if (count > IMAGES_MAX) {
      throw new TransactionTooLargeException(
          "a transaction changes %d blocks of %d bytes; one can change %d. Split it"
              .formatted(count, ImageLayout.BLOCK, IMAGES_MAX));
    }
    if (slots.length < count) {
      slots = new int[blocks.length];
      offsets = new long[blocks.length];
      lengths = new int[blocks.length];
    }
    if (bytes.length < count * ImageLayout.SLOT) {
      bytes = new byte[count * ImageLayout.SLOT];
    }
  }

  void setSlot(int i, int slot) {
    slots[i] = slot;
  }

  /** Copies the blocks as they are now. */
  void capture(HeapMemory memory) {
    for (int i = 0; i < count; i++) {
      memory.read(
          blocks[i] << ImageLayout.BLOCK_SHIFT,
          bytes,
          i * ImageLayout.SLOT + ImageLayout.DATA,
          ImageLayout.BLOCK);
    }
  }

  /**
   * Writes the images to their slots.
   *
   * @param epoch of the pool
   * @param position of the commit
   * @param durable a durable position
   */
  void write(Pool pool, long epoch, long position, long durable, boolean relaxed)
      throws IOException {
    ImageLayout layout = layouts[pool.number()];
    for (int i = 0; i < count; i++) {
      layout.seal(
          bytes, i * ImageLayout.SLOT, slots[i], epoch, (int) blocks[i], count, position, durable);
    }
    int parts = 0;
    for (int i = 0; i < count; i++) {
      if (i > 0 && slots[i] == slots[i - 1] + 1) {
        lengths[parts - 1] += ImageLayout.SLOT;
      } else {
        offsets[parts] = PoolLayout.offset(slots[i]);
        lengths[parts++] = ImageLayout.SLOT;
      }
    }
    pool.write(offsets, lengths, parts, bytes, relaxed);
  }

  /** Returns true if this is small enough to be kept for the next commit. */
  boolean isSmall() {
    return blocks.length <= KEPT_MAX;
  }
}
