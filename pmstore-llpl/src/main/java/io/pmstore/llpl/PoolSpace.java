package io.pmstore.llpl;

import io.pmstore.core.memory.HeapMemory;

/**
 * The division of a pool's bytes: pmstore's extents first, and behind them room that always stays
 * free for PMDK's undo log, because PMDK cannot run a transaction in a pool without free bytes.
 *
 * <p>PMDK allocates chunks of 256 KiB, in zones of 65,528 chunks. The first 3 MiB are its lanes,
 * and each zone has a header of two chunks. An extent with the headers of PMDK and LLPL takes 65
 * chunks.
 *
 * <p>The largest size of a growing pool determines the number of its extents. Its present size is
 * always enough for its present extents, and for the undo log of the largest transaction so far.
 * Its parts end where zones end, because PMDK cannot extend a zone and begin another one in one
 * step.
 *
 * @param extentsMax how many extents fit
 * @param undoRoom the bytes left for the undo log when all extents are in use
 */
record PoolSpace(int extentsMax, long undoRoom) {
  /** What an extent's block has beside the extent: it is placed at the first multiple of this. */
  static final long EXTENT_ALIGNMENT = 4096;

  /** What files are mapped in. */
  static final long PAGE = 4096;

  /** Where the heap starts in a pool. */
  static final long HEAP_OFFSET = 0x302000;

  private static final long CHUNK = 256 << 10;
  private static final long ZONE_CHUNKS = 65_528;
  private static final long CHUNKS_PER_EXTENT = HeapMemory.EXTENT_SIZE / CHUNK + 1;
  private static final long FRONT = 4 << 20;
  private static final long ZONE_HEADER_CHUNKS = 2;
  // PMDK's root object, pmstore's root block, partly used runs.
  private static final long SMALL_CHUNKS = 8;
  private static final long UNDO_ROOM_MIN = 4 << 20;

  /** The bytes of a zone, with its header. */
  static final long ZONE_SIZE = (ZONE_CHUNKS + ZONE_HEADER_CHUNKS) * CHUNK;

  private static final long HEAP_HEADER = 1024;
  private static final long ZONE_SIZE_MIN = (1 + ZONE_HEADER_CHUNKS) * CHUNK;
  private static final long PART_MIN = 16 << 20;
  private static final long PART_MAX = 1 << 30;
  private static final long FIRST_PART = 32 << 20;

  /** The most that a growing pool can have: six zones, of which {@link ZoneMap} says why. */
  static final long GROWING_MAX = zonesEnd(6);

  // A snapshot is kept with 24 bytes before it, in whole cache lines.
  private static final long SNAPSHOT_HEADER = 24;
  private static final long CACHE_LINE = 64;

  /**
   * The bytes of snapshots that a thread's own part of the undo log holds: more makes PMDK
   * allocate.
   */
  static final long UNDO_IN_PLACE = 2048;

  /** The bytes of snapshots that there is always room for. */
  static final long UNDO_ALWAYS = UNDO_ROOM_MIN / 4 * 3;

  static PoolSpace of(long poolSize) {
    long usable = usableChunks(poolSize);
    long undo = Math.max(UNDO_ROOM_MIN, poolSize / 16) / CHUNK;
    long extents = Math.min(HeapMemory.EXTENTS_MAX, (usable - undo) / CHUNKS_PER_EXTENT);
    return new PoolSpace((int) extents, (usable - extents * CHUNKS_PER_EXTENT) * CHUNK);
  }

  private static long usableChunks(long poolSize) {
    long chunks = (poolSize - FRONT) / CHUNK;
    long zones = (chunks + ZONE_CHUNKS - 1) / ZONE_CHUNKS;
    // An extent does not cross zones, so the end of a zone before the last may stay unused.
    long unusable = zones * ZONE_HEADER_CHUNKS + (zones - 1) * CHUNKS_PER_EXTENT;
    return chunks - unusable - SMALL_CHUNKS;
  }

  /**
   * The bytes that a pool has to have.
   *
   * @param extents how many there are to be
   * @param undo the bytes of snapshots that one transaction is to have room for
   */
  static long sizeFor(int extents, long undo) {
    long undoRoom = Math.max(UNDO_ROOM_MIN, (undo + 2) / 3 * 4);
    long needed = extents * CHUNKS_PER_EXTENT + (undoRoom + CHUNK - 1) / CHUNK;
    long size = FRONT + needed * CHUNK;
    while (usableChunks(size) < needed) {
      size += (needed - usableChunks(size)) * CHUNK;
    }
    return size;
  }

  /**
   * The most bytes that a growing pool is to have: what was asked for, in whole pages, without a
   * beginning of a zone that is too small for a part.
   */
  static long most(long poolSize) {
    long size = (poolSize + PAGE - 1) & -PAGE;
    int whole = (int) ((size - HEAP_OFFSET) / ZONE_SIZE);
    return whole > 0 && size - zonesEnd(whole) < PART_MIN ? zonesEnd(whole) : size;
  }

  /** The bytes of a growing pool's first part. */
  static long first(long most) {
    return next(0, FIRST_PART, most);
  }

  /**
   * The bytes that a growing pool has when it has another part. The parts get larger with the pool,
   * so that they do not get many.
   *
   * @param size what it has
   * @param wanted what it should have at least; it takes several parts when a zone ends before
   * @param most what it can have
   */
  static long next(long size, long wanted, long most) {
    long step = Math.clamp((size / 4) & -PART_MIN, FIRST_PART, PART_MAX);
    long next = Math.max((wanted + PAGE - 1) & -PAGE, size + step);
    if (next > most - PART_MIN) {
      next = most;
    }
    int zones = zones(size);
    long end = zonesEnd(size == zonesEnd(zones) ? zones + 1 : Math.max(1, zones));
    return next > end - PART_MIN ? Math.min(end, most) : next;
  }

  /** How many zones PMDK makes of a pool. */
  static int zones(long poolSize) {
    long size = Math.max(0, poolSize - HEAP_OFFSET - HEAP_HEADER);
    return (int) (size / ZONE_SIZE) + (size % ZONE_SIZE >= ZONE_SIZE_MIN ? 1 : 0);
  }

  /** The bytes of a pool of so many whole zones. */
  private static long zonesEnd(int zones) {
    return (HEAP_OFFSET + HEAP_HEADER + zones * ZONE_SIZE + PAGE - 1) & -PAGE;
  }

  /**
   * The most bytes of snapshots that a transaction may have. PMDK cuts the log into pieces of 32
   * KiB, seven to a chunk; the rest is margin. Above 1 GiB a transaction would take seconds.
   */
  long undoMax() {
    return Math.min(undoRoom / 4 * 3, 1L << 30);
  }

  /** Where the header of the zone is in the pool that a block is in. */
  static long zoneHeader(long handle) {
    long first = HEAP_OFFSET + HEAP_HEADER;
    return first + (handle - first) / ZONE_SIZE * ZONE_SIZE;
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
