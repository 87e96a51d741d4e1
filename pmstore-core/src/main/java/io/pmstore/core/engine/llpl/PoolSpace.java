package io.pmstore.core.engine.llpl;

import io.pmstore.core.memory.HeapMemory;

/**
 * How the bytes of a pool are shared out: pmstore's extents first, and behind them room that always
 * stays free for PMDK's undo log, because a pool that is full to the last byte can no longer run a
 * transaction.
 *
 * <p>PMDK gives out chunks of 256 KiB, in zones of 65,528; 3 MiB at the front are its lanes, each
 * zone has a header of two chunks. An extent with PMDK's and LLPL's headers takes 65 chunks.
 *
 * @param extentsMax how many extents fit
 * @param undoRoom the bytes left for the undo log when all extents are taken
 */
record PoolSpace(int extentsMax, long undoRoom) {
  /** What an extent's block has beside the extent: it is placed at the first multiple of this. */
  static final long EXTENT_ALIGNMENT = 4096;

  private static final long CHUNK = 256 << 10;
  private static final long ZONE_CHUNKS = 65_528;
  private static final long CHUNKS_PER_EXTENT = HeapMemory.EXTENT_SIZE / CHUNK + 1;
  private static final long FRONT = 4 << 20;
  private static final long ZONE_HEADER_CHUNKS = 2;
  // PMDK's root object, pmstore's root block, partly used runs.
  private static final long SMALL_CHUNKS = 8;
  private static final long UNDO_ROOM_MIN = 4 << 20;

  // A snapshot is kept with 24 bytes before it, in whole cache lines.
  private static final long SNAPSHOT_HEADER = 24;
  private static final long CACHE_LINE = 64;

  /**
   * The bytes of snapshots that a thread's own part of the undo log holds: more makes PMDK
   * allocate.
   */
  static final long UNDO_IN_PLACE = 2048;

  static PoolSpace of(long poolSize) {
    long chunks = (poolSize - FRONT) / CHUNK;
    long zones = (chunks + ZONE_CHUNKS - 1) / ZONE_CHUNKS;
    // An extent does not cross zones, so the end of a zone before the last may stay unused.
    long unusable = zones * ZONE_HEADER_CHUNKS + (zones - 1) * CHUNKS_PER_EXTENT;
    long usable = chunks - unusable - SMALL_CHUNKS;
    long undo = Math.max(UNDO_ROOM_MIN, poolSize / 16) / CHUNK;
    long extents = Math.min(HeapMemory.EXTENTS_MAX, (usable - undo) / CHUNKS_PER_EXTENT);
    return new PoolSpace((int) extents, (usable - extents * CHUNKS_PER_EXTENT) * CHUNK);
  }

  /**
   * The most bytes of snapshots that a transaction may have. PMDK cuts the log into pieces of 32
   * KiB, seven to a chunk; the rest is margin. Above 1 GiB a transaction would take seconds.
   */
  long undoMax() {
    return Math.min(undoRoom / 4 * 3, 1L << 30);
  }

  /** The most bytes that the snapshots of a range take, which is cut at the ends of extents. */
  static long snapshotSizeAt(long address, long length) {
    long cuts =
        ((address + length - 1) >>> HeapMemory.EXTENT_SHIFT)
            - (address >>> HeapMemory.EXTENT_SHIFT);
    return snapshotSize(length) + cuts * 2 * CACHE_LINE;
  }

  /** The bytes that the snapshot of so many bytes takes in the undo log. */
  static long snapshotSize(long length) {
    return (SNAPSHOT_HEADER + length + CACHE_LINE - 1) & -CACHE_LINE;
  }
}
