package io.pmstore.tiered;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.tiered.ImageLayout.Found;
import java.io.IOException;
import java.util.Arrays;

/**
 * Loads the heap: the base, the spills in their order, and then the newest image of each block in
 * the pools. An image in a pool is never older than the contents of the same block in a file,
 * because a pool is emptied only when its spill is durable, and a base omits blocks that are in a
 * pool.
 *
 * <p>Reads only; {@link #discard} then removes the images of commits that do not count. {@link
 * CommitPath} explains which commits count.
 */
final class Recovery {
  private static final byte[] ZEROS = new byte[ImageLayout.SLOT];

  private final TieredFiles files;
  private final StoreHeader header;
  private final HeapMemory memory;
  private final PoolScan scan;

  /**
   * Prepares.
   *
   * @param heap has all extents, zero
   */
  Recovery(TieredFiles files, HeapMemory heap) {
    this.files = files;
    this.header = files.header().current();
    this.memory = heap;
    this.scan = new PoolScan(files, heap.size());
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
    scan.run(tasks, progress);
    for (int pool = 0; pool < TieredLayout.POOLS; pool++) {
      checkTorn(pool);
      checkContents(pool);
    }
    for (int pool = 0; pool < TieredLayout.POOLS; pool++) {
      int number = pool;
      tasks.run(() -> load(number, progress));
    }
    tasks.await();
  }

  private SpillReader.Images images(LoadProgress progress) {
    return new SpillReader.Images() {
      @Override
      public void image(long block, long end, byte[] bytes, int at) {
        if (!scan.isVoid(block, end)) {
          memory.write(block << ImageLayout.BLOCK_SHIFT, bytes, at, ImageLayout.BLOCK);
        }
      }

      @Override
      public void loaded(long bytes) {
        progress.add(bytes);
      }
    };
  }

  /** A slot that was being written when the power failed held an image that was superseded. */
  private void checkTorn(int pool) {
    scan.torn(pool)
        .forEach(
            (slot, image) -> {
              long at = image.position();
              if (at <= scan.position()
                  && !scan.isVoid(image.block(), at)
                  && scan.newest(image.block()) <= at) {
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
    for (int slot = 0; slot < scan.used(pool); slot++) {
      if (scan.isNewest(pool, slot)) {
        hash.add(scan.block(pool, slot), slot);
      }
    }
    return hash.contents();
  }

  private void load(int pool, LoadProgress progress) throws IOException {
    scan.forEachSlot(
        pool,
        scan.used(pool),
        (slot, bytes, at) -> {
          if (scan.isNewest(pool, slot)) {
            memory.write(
                scan.block(pool, slot) << ImageLayout.BLOCK_SHIFT,
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
    for (int pool = 0; pool < TieredLayout.POOLS; pool++) {
      for (int slot = 0; slot < scan.used(pool); slot++) {
        Found torn = scan.torn(pool).get(slot);
        if (scan.position(pool, slot) > scan.position()
            || (torn != null && torn.position() > scan.position())) {
          files.pool(pool).write(PoolLayout.offset(slot), ZEROS, 0, ZEROS.length);
        }
      }
      files.pool(pool).sync();
    }
  }

  /** Returns the position of the last commit. */
  long position() {
    return scan.position();
  }

  BlockIndex index() {
    return scan.index();
  }

  /** Returns the pools as they were found. */
  Pool[] pools() {
    Pool[] pools = new Pool[TieredLayout.POOLS];
    Arrays.setAll(
        pools,
        i -> {
          Pool pool = new Pool(i, files.pool(i), header.slots(), header.epochs().get(i));
          pool.recovered(
              scan.used(i),
              slot -> scan.isNewest(i, slot) ? scan.block(i, slot) : -1,
              scan.position());
          return pool;
        });
    return pools;
  }

  /** Returns the number of the pool with the last images; the other is older, or empty. */
  int primary() {
    return scan.last(1) > scan.last(0) ? 1 : 0;
  }
}
