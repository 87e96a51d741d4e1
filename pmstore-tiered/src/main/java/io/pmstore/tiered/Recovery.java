package io.pmstore.tiered;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.tiered.ImageLayout.Found;
import io.pmstore.tiered.ImageLayout.State;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Loads the heap: the base, the spills in their order, and then the newest image of each block in
 * the pools. What is in a pool is never older than what a file has of the same block, because a
 * pool is emptied only when its spill is durable, and a base leaves out what is in a pool.
 *
 * <p>Reads only; {@link #discard} then removes what was not committed. Which commits those are is
 * explained at {@link CommitPath}.
 */
final class Recovery {
  private static final int CHUNK_SLOTS = 4096;
  private static final byte[] ZEROS = new byte[ImageLayout.SLOT];

  private final TieredFiles files;
  private final StoreHeader header;
  private final HeapMemory memory;
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
   * @param heap has all extents, zero
   */
  Recovery(TieredFiles files, HeapMemory heap) {
    this.files = files;
    this.header = files.header().current();
    this.memory = heap;
  }

  /** Loads everything, on several threads if it is much. Changes no file. */
  void run() throws IOException {
    long bytes = files.loadedBytes();
    LoadProgress progress = new LoadProgress(files.directory(), bytes);
    try (LoadTasks tasks = new LoadTasks(bytes)) {
      run(tasks, progress);
    }
    progress.done();
  }

  private void run(LoadTasks tasks, LoadProgress progress) throws IOException {
    for (String name : files.spills()) { // the newer ones over the older ones
      files.read(name, tasks, images(progress));
    }
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
    for (int pool = 0; pool < scanned.length; pool++) {
      checkTorn(pool);
      checkContents(pool);
    }
    for (int pool = 0; pool < scanned.length; pool++) {
      int number = pool;
      tasks.run(() -> load(number, progress));
    }
    tasks.await();
  }

  private SpillReader.Images images(LoadProgress progress) {
    return new SpillReader.Images() {
      @Override
      public void image(long block, long end, byte[] bytes, int at) {
        if (isInside(block) && end > header.cutAt(block)) {
          memory.write(block << ImageLayout.BLOCK_SHIFT, bytes, at, ImageLayout.BLOCK);
        }
      }

      @Override
      public void loaded(long bytes) {
        progress.add(bytes);
      }
    };
  }

  private boolean isInside(long block) {
    return block << ImageLayout.BLOCK_SHIFT < memory.size();
  }

  private void scan(int pool, LoadProgress progress) throws IOException {
    Scanned found = new Scanned(header.slots());
    scanned[pool] = found;
    ImageLayout layout = new ImageLayout(header.store(), pool);
    long epoch = header.epochs().get(pool);
    forEachSlot(
        pool,
        0,
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

  @FunctionalInterface
  private interface SlotVisitor {
    void slot(int slot, byte[] bytes, int at);
  }

  private void forEachSlot(int pool, int from, int to, SlotVisitor visitor, LoadProgress progress)
      throws IOException {
    byte[] bytes = new byte[CHUNK_SLOTS * ImageLayout.SLOT];
    for (int first = from; first < to; first += CHUNK_SLOTS) {
      int count = Math.min(CHUNK_SLOTS, to - first);
      files.pool(pool).read(PoolLayout.offset(first), bytes, 0, count * ImageLayout.SLOT);
      for (int i = 0; i < count; i++) {
        visitor.slot(first + i, bytes, i * ImageLayout.SLOT);
      }
      progress.add((long) count * ImageLayout.SLOT / 2); // each slot is looked at twice
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

  private boolean isVoid(long block, long at) {
    return !isInside(block) || at <= header.cutAt(block);
  }

  /** Returns the position of the newest image of a block in the pools, or 0. */
  private long newest(long block) {
    int place = index.place(block);
    return place < 0 ? 0 : scanned[BlockIndex.pool(place)].positions[BlockIndex.slot(place)];
  }

  /** A slot that was being written when the power failed held an image that was superseded. */
  private void checkTorn(int pool) {
    scanned[pool].torn.forEach(
        (slot, image) -> {
          long at = image.position();
          if (at <= position && !isVoid(image.block(), at) && newest(image.block()) <= at) {
            throw new StoreDamagedException(
                "%s is damaged: the image at %d, of the bytes from %d and commit %d, is not as it was written. Look for errors of the device, and restore the store from a backup"
                    .formatted(
                        files.poolPath(pool),
                        PoolLayout.offset(slot),
                        image.block() << ImageLayout.BLOCK_SHIFT,
                        at));
          }
        });
  }

  private void checkContents(int pool) {
    if (!header.closed()) {
      return;
    }
    StoreHeader.Contents found = contents(pool);
    StoreHeader.Contents expected = header.contents().get(pool);
    if (!found.equals(expected)) {
      throw new StoreDamagedException(
          "%s is damaged: it has %d images with the hash %016x, and had %d with %016x when the store was closed. Look for errors of the device, and restore the store from a backup"
              .formatted(
                  files.poolPath(pool),
                  found.images(),
                  found.hash(),
                  expected.images(),
                  expected.hash()));
    }
  }

  private StoreHeader.Contents contents(int pool) {
    ContentsHash hash = new ContentsHash();
    for (int slot = 0; slot < scanned[pool].used; slot++) {
      if (isNewest(pool, slot)) {
        hash.add(scanned[pool].block(slot), slot);
      }
    }
    return hash.contents();
  }

  private boolean isNewest(int pool, int slot) {
    return scanned[pool].positions[slot] > 0
        && index.place(scanned[pool].block(slot)) == BlockIndex.place(pool, slot);
  }

  private void load(int pool, LoadProgress progress) throws IOException {
    forEachSlot(
        pool,
        0,
        scanned[pool].used,
        (slot, bytes, at) -> {
          if (isNewest(pool, slot)) {
            memory.write(
                scanned[pool].block(slot) << ImageLayout.BLOCK_SHIFT,
                bytes,
                at + ImageLayout.DATA,
                ImageLayout.BLOCK);
          }
        },
        progress);
  }

  /**
   * Overwrites the images of commits that were not whole, so that none is taken for one of a later
   * commit with the same position. Then everything that counts is durable.
   */
  void discard() throws IOException {
    for (int pool = 0; pool < scanned.length; pool++) {
      Scanned found = scanned[pool];
      for (int slot = 0; slot < found.used; slot++) {
        Found torn = found.torn.get(slot);
        if (found.positions[slot] > position || (torn != null && torn.position() > position)) {
          files.pool(pool).write(PoolLayout.offset(slot), ZEROS, 0, ZEROS.length);
        }
      }
      files.pool(pool).sync();
    }
  }

  /** Returns the position of the last commit. */
  long position() {
    return position;
  }

  BlockIndex index() {
    return index;
  }

  /** Returns the pools as they were found. */
  Pool[] pools() {
    Pool[] pools = new Pool[scanned.length];
    Arrays.setAll(
        pools,
        i -> {
          Pool pool = new Pool(i, files.pool(i), header.slots(), header.epochs().get(i));
          pool.recovered(
              scanned[i].used, slot -> isNewest(i, slot) ? scanned[i].block(slot) : -1, position);
          return pool;
        });
    return pools;
  }

  /** Returns the number of the pool with the last images; the other is older, or empty. */
  int primary() {
    return lastPosition(1) > lastPosition(0) ? 1 : 0;
  }

  private long lastPosition(int pool) {
    return Arrays.stream(scanned[pool].positions, 0, scanned[pool].used)
        .filter(at -> at <= position)
        .max()
        .orElse(0);
  }
}
