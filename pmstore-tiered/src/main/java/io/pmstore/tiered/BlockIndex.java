package io.pmstore.tiered;

import static java.util.Objects.requireNonNull;

import io.pmstore.core.memory.HeapMemory;
import org.jspecify.annotations.Nullable;

/**
 * Maps each block to the slot of its newest image in a pool, if it has one. The index may name a
 * slot that no longer belongs to the block, because the pool was emptied; {@link Pool#holds} tells.
 *
 * <p>Changed under the lock of {@link CommitPath}. Any thread may read it, and may see an older
 * slot.
 */
final class BlockIndex {
  /** The most extents of a heap: the number of a block has 32 bits. */
  static final int EXTENTS_MAX =
      1 << (Integer.SIZE - (HeapMemory.EXTENT_SHIFT - ImageLayout.BLOCK_SHIFT));

  /** Binary logarithm of the number of blocks in an extent. */
  static final int SHIFT = HeapMemory.EXTENT_SHIFT - ImageLayout.BLOCK_SHIFT;

  // A place is slot * 2 + pool + 1. The arrays of extents without images are null.
  private final int[] @Nullable [] extents = new int[EXTENTS_MAX][];

  private static int offset(long block) {
    return (int) block & ((1 << SHIFT) - 1);
  }

  /** Returns the place of a block's newest image, or -1. */
  int place(long block) {
    int @Nullable [] extent = extents[(int) (block >>> SHIFT)];
    return extent == null ? -1 : extent[offset(block)] - 1;
  }

  /** Takes the memory that {@link #set} needs for a block. */
  void reserve(long block) {
    int index = (int) (block >>> SHIFT);
    if (extents[index] == null) {
      extents[index] = new int[1 << SHIFT];
    }
  }

  void set(long block, int place) {
    reserve(block);
    requireNonNull(extents[(int) (block >>> SHIFT)])[offset(block)] = place + 1;
  }

  /** Forgets the blocks of extents. */
  void remove(int from, int to) {
    for (int i = from; i < to; i++) {
      extents[i] = null;
    }
  }

  static int place(int pool, int slot) {
    return slot * TieredLayout.POOLS + pool;
  }

  static int pool(int place) {
    return place % TieredLayout.POOLS;
  }

  static int slot(int place) {
    return place / TieredLayout.POOLS;
  }
}
