package io.pmstore.tiered;

import io.pmstore.tiered.ImageLayout.Found;
import io.pmstore.tiered.ImageLayout.State;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Scans the slots of both pools. It finds the images, the position up to which they count, and the
 * newest image of each block. {@link CommitPath} explains which commits count. Reads only.
 */
final class PoolScan {
  private static final int CHUNK_SLOTS = 4096;

  private final TieredFiles files;
  private final StoreHeader header;
  private final long heapSize;
  private final BlockIndex index = new BlockIndex();
  private final Scanned[] scanned = new Scanned[TieredLayout.POOLS];
  private long durable;
  private long position;

  /** What was found in a pool, by slot. */
  private static final class Scanned {
    private final long[] positions; // 0: no image, or one that does not count
    private final int[] blocks;
    private final int[] images;
    private final Map<Integer, Found> torn = new HashMap<>();
    private int used;
    private long durable;

    Scanned(int slots) {
      positions = new long[slots];
      blocks = new int[slots];
      images = new int[slots];
    }

    long block(int slot) {
      return Integer.toUnsignedLong(blocks[slot]);
    }
  }

  /**
   * Prepares.
   *
   * @param heapSize in bytes: images of blocks behind it are void
   */
  PoolScan(TieredFiles files, long heapSize) {
    this.files = files;
    this.header = files.header().current();
    this.heapSize = heapSize;
  }

  /** Examines all slots. */
  void run(LoadTasks tasks, LoadProgress progress) throws IOException {
    for (int pool = 0; pool < scanned.length; pool++) {
      int number = pool;
      tasks.run(() -> scan(number, progress));
    }
    tasks.await();
    durable = header.floor();
    for (Scanned pool : scanned) {
      durable = Math.max(durable, pool.durable);
    }
    position = durable;
    Map<Long, Integer> missing = missingImages();
    for (Integer lacks = missing.get(position + 1);
        lacks != null && isWhole(lacks);
        lacks = missing.get(position + 1)) {
      position++;
    }
    for (int pool = 0; pool < scanned.length; pool++) {
      findNewest(pool);
    }
  }

  private void scan(int pool, LoadProgress progress) throws IOException {
    Scanned found = new Scanned(header.slots());
    scanned[pool] = found;
    ImageLayout layout = new ImageLayout(header.store(), pool);
    long epoch = header.epochs().get(pool);
    forEachSlot(
        pool,
        header.slots(),
        (slot, bytes, at) -> {
          Found image = layout.examine(bytes, at, slot, epoch);
          if (image.state() == State.EMPTY) {
            return;
          }
          found.used = slot + 1;
          if (image.state() == State.TORN) {
            found.torn.put(slot, image);
            return;
          }
          found.durable = Math.max(found.durable, image.durable());
          found.positions[slot] = image.position();
          found.blocks[slot] = (int) image.block();
          found.images[slot] = image.images();
        },
        progress);
  }

  /** Gets slots. */
  @FunctionalInterface
  interface SlotVisitor {
    /**
     * Gets a slot.
     *
     * @param at the index of its first byte
     */
    void slot(int slot, byte[] bytes, int at);
  }

  /**
   * Reads slots.
   *
   * @param count how many, from the first one on
   */
  void forEachSlot(int pool, int count, SlotVisitor visitor, LoadProgress progress)
      throws IOException {
    byte[] bytes = new byte[CHUNK_SLOTS * ImageLayout.SLOT];
    for (int first = 0; first < count; first += CHUNK_SLOTS) {
      int read = Math.min(CHUNK_SLOTS, count - first);
      files.pool(pool).read(PoolLayout.offset(first), bytes, 0, read * ImageLayout.SLOT);
      for (int i = 0; i < read; i++) {
        visitor.slot(first + i, bytes, i * ImageLayout.SLOT);
      }
      progress.add((long) read * ImageLayout.SLOT / 2); // each slot is looked at twice
    }
  }

  private static boolean isWhole(int missingImages) {
    return missingImages == 0;
  }

  /** Returns how many images each commit lacks that need not be durable. */
  private Map<Long, Integer> missingImages() {
    Map<Long, Integer> missing = new HashMap<>();
    for (Scanned pool : scanned) {
      for (int slot = 0; slot < pool.used; slot++) {
        if (pool.positions[slot] > durable) {
          int images = pool.images[slot];
          missing.merge(pool.positions[slot], images - 1, (left, all) -> left - 1);
        }
      }
    }
    return missing;
  }

  private void findNewest(int pool) {
    Scanned found = scanned[pool];
    for (int slot = 0; slot < found.used; slot++) {
      long at = found.positions[slot];
      long block = found.block(slot);
      if (at > position || (at > 0 && isVoid(block, at))) {
        continue;
      }
      if (at > 0 && at > newest(block)) {
        index.set(block, BlockIndex.place(pool, slot));
      }
    }
  }

  /** Returns true if an image of a block counts no more, because the heap was cut since. */
  boolean isVoid(long block, long at) {
    return block << ImageLayout.BLOCK_SHIFT >= heapSize || at <= header.cutAt(block);
  }

  /** Returns the position of the newest image of a block in the pools, or 0. */
  long newest(long block) {
    int place = index.place(block);
    return place < 0 ? 0 : position(BlockIndex.pool(place), BlockIndex.slot(place));
  }

  /** Returns true if a slot has the newest image of its block. */
  boolean isNewest(int pool, int slot) {
    return position(pool, slot) > 0
        && index.place(block(pool, slot)) == BlockIndex.place(pool, slot);
  }

  /** Returns the position of the last commit that counts. */
  long position() {
    return position;
  }

  BlockIndex index() {
    return index;
  }

  /** Returns one more than the number of the last slot of a pool that is not empty. */
  int used(int pool) {
    return scanned[pool].used;
  }

  /** Returns the position of the commit that wrote the image in a slot, or 0. */
  long position(int pool, int slot) {
    return scanned[pool].positions[slot];
  }

  /** Returns the block of the image in a slot. */
  long block(int pool, int slot) {
    return scanned[pool].block(slot);
  }

  /** Returns the second headers of the images in a pool that are not whole, by slot. */
  Map<Integer, Found> torn(int pool) {
    return scanned[pool].torn;
  }

  /** Returns the position of the last commit with an image in a pool, or 0. */
  long last(int pool) {
    return Arrays.stream(scanned[pool].positions, 0, scanned[pool].used)
        .filter(at -> at <= position)
        .max()
        .orElse(0);
  }
}
