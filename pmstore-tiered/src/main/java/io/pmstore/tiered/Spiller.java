package io.pmstore.tiered;

import io.pmstore.StoreFullException;
import io.pmstore.core.engine.CheckpointCount;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.medium.IoAction;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Empties full pools into spills, and replaces many spills by one base.
 *
 * <p>A spill has the blocks whose newest image is in the full pool. A block that has changed since
 * then has its newest image in the other pool. Both a spill and a base copy blocks from the heap,
 * not from a pool. So they may hold changes that are not durable, and even a part of a commit that
 * is being stored. A file gets its end marker only when every commit that was placed before the end
 * of the copying is durable. All images of such a commit are then in a pool that is emptied later,
 * and recovery applies the pools last.
 *
 * <p>A lock, which {@link #alone} also takes, lets one of these tasks run at a time.
 */
final class Spiller {
  /**
   * How many times the size of the last base the spills become before the next one is made. Each
   * byte of a spill is then written one and a half times in the end.
   */
  private static final int BASE_TIMES = 2;

  /** How many pools' bytes of spills make a base due, unless the last base is larger. */
  static final int BASE_POOLS = 4;

  private static final int STEP_BLOCKS = 1 << BlockIndex.SHIFT;
  private static final int PART_BLOCKS = 64; // read at once
  private static final byte[] ZEROS = new byte[PART_BLOCKS * ImageLayout.BLOCK];

  private final TieredFiles files;
  private final HeapMemory memory;
  private final CommitPath path;
  private final int basePools;
  private final BooleanSupplier stopping;
  private final Mutex lock = new Mutex();
  private long cuts; // how often the heap was cut
  private long spilledBytes; // since the last base
  private long baseBytes;
  private final CheckpointCount count = new CheckpointCount();

  /**
   * Creates it.
   *
   * @param basePools {@link #BASE_POOLS}, or fewer in tests
   * @param stopping true when a base is given up because the store is closing
   */
  Spiller(
      TieredFiles files,
      HeapMemory memory,
      CommitPath path,
      int basePools,
      BooleanSupplier stopping)
      throws IOException {
    this.files = files;
    this.memory = memory;
    this.path = path;
    this.basePools = basePools;
    this.stopping = stopping;
    Medium medium = files.places().spills();
    for (String name : files.spills()) {
      try (var file = medium.open(name)) {
        if (name.startsWith(TieredLayout.BASE)) {
          baseBytes = file.size();
        } else {
          spilledBytes += file.size();
        }
      }
    }
  }

  /** Runs an operation that changes the size of the heap while nothing is spilled. */
  void alone(IoAction operation) throws IOException {
    try (var _ = lock.hold()) {
      cuts++;
      operation.run();
    }
  }

  /** Spills what is due, and makes a base if that is due. */
  void run() throws IOException {
    spillFull();
    if (baseIsDue() && !stopping.getAsBoolean()) {
      makeBase();
    }
  }

  private void spillFull() throws IOException {
    try (var _ = lock.hold()) {
      @Nullable Pool pool = path.spilling(false);
      if (pool != null) {
        spill(pool);
      }
    }
  }

  /**
   * Spills both pools and makes a base, so that no image is older than now. No commit runs.
   *
   * @throws StoreFullException if there is no room for them
   */
  void drain() throws IOException {
    try (var _ = lock.hold()) {
      cuts++; // a base that is being made is given up
      for (Pool pool = path.spilling(true); pool != null; pool = path.spilling(true)) {
        if (!spill(pool)) {
          throw noRoom("a spill");
        }
      }
      makeBase();
      if (files.header().current().cuts().size() >= StoreHeader.CUTS_MAX) {
        throw noRoom("a base, which has to replace the spills before the heap shrinks again");
      }
    }
  }

  private StoreFullException noRoom(String what) {
    return new StoreFullException(
        "there is no room in %s for %s; free some space"
            .formatted(files.places().spills().directory(), what));
  }

  /** Returns false if there was no room. */
  private boolean spill(Pool pool) throws IOException {
    long began = System.nanoTime();
    Medium medium = files.places().spills();
    StoreHeader header = files.header().current();
    long number = header.spill() + 1;
    try (SpillWriter writer = SpillWriter.create(medium, header.store(), number, false)) {
      long[] blocks = newestBlocks(pool);
      writer.add(memory, blocks, blocks.length);
      long position = end(writer);
      name(h -> h.spilled(pool.number(), number, position));
      path.spilled();
      spilledBytes += writer.size();
      count.ended(began, writer.size());
      return true;
    } catch (MediumException e) {
      if (!e.noRoom() || files.header().current().spill() == number) {
        throw e;
      }
      medium.deleteIfThere(TieredLayout.spill(number));
      path.refuse(
          new StoreFullException(
              "both pools of the store in %s are full, and there is no room for a spill in %s: %s; free some space"
                  .formatted(files.directory(), medium.directory(), e.getMessage()),
              e));
      return false;
    }
  }

  /**
   * Names a new file in the header. A want of room is an error like any other here: one of the two
   * copies may name the file already, so it must stay.
   */
  private void name(UnaryOperator<StoreHeader> change) throws IOException {
    try {
      files.header().update(change);
    } catch (MediumException e) {
      throw new IOException(
          "the header names a file in one of its copies only: " + e.getMessage(), e);
    }
  }

  private long[] newestBlocks(Pool pool) {
    long[] blocks = new long[pool.used()];
    int count = 0;
    for (int slot = 0; slot < blocks.length; slot++) {
      if (path.isNewest(pool, slot)) {
        blocks[count++] = pool.block(slot);
      }
    }
    blocks = Arrays.copyOf(blocks, count);
    Arrays.sort(blocks); // in the order of the heap
    return blocks;
  }

  /** Ends a file. Returns the position up to which everything in it is durable. */
  private long end(SpillWriter writer) throws IOException {
    path.checkHeapWhole(); // so what was copied is what the commits wrote
    long position = path.placed();
    path.sync(position);
    writer.end(position);
    writer.sync();
    files.places().spills().syncDirectory();
    return position;
  }

  private boolean baseIsDue() {
    try (var _ = lock.hold()) {
      StoreHeader header = files.header().current();
      return spilledBytes
              > Math.max(BASE_TIMES * baseBytes, basePools * PoolLayout.size(header.slots()))
          || header.cuts().size() > StoreHeader.CUTS_MAX / 2;
    }
  }

  /**
   * Replaces the files by one with all blocks that are not zero and not in a pool. A block that
   * leaves a pool meanwhile is in a spill with a larger number than those that are replaced.
   */
  private void makeBase() throws IOException {
    long number = files.header().current().spill();
    try (@Nullable SpillWriter writer = createBase(number)) {
      if (writer == null) {
        return;
      }
      if (writeBase(writer, number)) {
        deleteOthers();
      } else {
        deleteUnlessNamed(number);
      }
    } catch (MediumException e) {
      if (!e.noRoom()) {
        throw e;
      }
      deleteUnlessNamed(number); // the next spill tries again
    }
  }

  /** Creates the file of a base; returns null if the header names that one, or a later one. */
  private @Nullable SpillWriter createBase(long number) throws IOException {
    // Else another thread might name the base before its file is replaced.
    try (var _ = lock.hold()) {
      StoreHeader header = files.header().current();
      return header.base() >= number
          ? null
          : SpillWriter.create(files.places().spills(), header.store(), number, true);
    }
  }

  private void deleteOthers() throws IOException {
    try (var _ = lock.hold()) { // a spill that is named meanwhile is needed
      files.deleteOthers();
    }
  }

  /** Deletes an unfinished base, unless another thread has made one with the same number. */
  private void deleteUnlessNamed(long number) throws IOException {
    try (var _ = lock.hold()) {
      if (files.header().current().base() != number) {
        files.places().spills().deleteIfThere(TieredLayout.base(number));
      }
    }
  }

  /** Returns false if the base was given up. */
  private boolean writeBase(SpillWriter writer, long number) throws IOException {
    long began = System.nanoTime();
    long cutsBefore = cuts();
    for (int extent = 0; (long) extent << HeapMemory.EXTENT_SHIFT < memory.size(); extent++) {
      spillFull();
      try (var _ = lock.hold()) {
        if (stopping.getAsBoolean() || cuts != cutsBefore) {
          return false;
        }
        addExtent(writer, extent);
      }
    }
    try (var _ = lock.hold()) {
      boolean isOutdated = files.header().current().base() >= number;
      if (cuts != cutsBefore || isOutdated) {
        return false;
      }
      long position = end(writer);
      long oldest = Math.min(position, path.firstPlaced()) - 1;
      name(h -> h.based(number, oldest));
      baseBytes = writer.size();
      spilledBytes = 0;
      for (String name : files.spills()) {
        if (!name.startsWith(TieredLayout.BASE)) {
          try (var file = files.places().spills().open(name)) {
            spilledBytes += file.size();
          }
        }
      }
      count.ended(began, writer.size());
      return true;
    }
  }

  private long cuts() {
    try (var _ = lock.hold()) {
      return cuts;
    }
  }

  private void addExtent(SpillWriter writer, int extent) throws IOException {
    long first = (long) extent << BlockIndex.SHIFT;
    long[] blocks = new long[STEP_BLOCKS];
    int count = 0;
    byte[] contents = new byte[PART_BLOCKS * ImageLayout.BLOCK];
    for (long part = first; part < first + STEP_BLOCKS; part += PART_BLOCKS) {
      memory.read(part << ImageLayout.BLOCK_SHIFT, contents, 0, contents.length);
      if (Arrays.mismatch(contents, ZEROS) < 0) {
        continue; // space that is not used
      }
      for (int i = 0; i < PART_BLOCKS; i++) {
        int at = i * ImageLayout.BLOCK;
        boolean isZero =
            Arrays.equals(contents, at, at + ImageLayout.BLOCK, ZEROS, 0, ImageLayout.BLOCK);
        if (!isZero && !path.isInPool(part + i)) {
          blocks[count++] = part + i;
        }
      }
    }
    writer.add(memory, blocks, count);
  }

  /** Returns the count of spills and bases. */
  CheckpointCount count() {
    return count;
  }
}
