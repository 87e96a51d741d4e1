package io.pmstore.llpl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.medium.Checksum;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The root block of a pool, with the identity of the store and the places of its extents.
 *
 * <pre>
 *   0        8    12   16                32         40         48         56   60   64            64 + 8 * extents max
 *   +--------+----+----+-----------------+----------+----------+----------+----+----+-------------+
 *   | magic  |vers|max | UUID            | pool size| undo max | extents  | 0  |CRC | handles     |
 *   +--------+----+----+-----------------+----------+----------+----------+----+----+-------------+
 *   magic: "pmsroot" 0x1A     max: how many extents can be     undo max: bytes of snapshots that one transaction may have
 *   extents: how many there are     CRC: CRC-32C of the block, with zero in this field
 * </pre>
 *
 * <p>Little-endian. A handle is the offset in the pool file of an LLPL block; its extent is at the
 * block's first multiple of 4096. Guarded by the engine's lock.
 */
final class PoolRoot {
  private static final long MAGIC = 0x1A_74_6F_6F_72_73_6D_70L;
  private static final int VERSION = 1;
  private static final int EXTENTS = 48;
  private static final int CHECKSUM = 60;
  private static final int HANDLES = 64;
  private static final long EXTENT_BLOCK = HeapMemory.EXTENT_SIZE + PoolSpace.EXTENT_ALIGNMENT;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final LlplPool pool;
  private final MemoryBlock block;
  private final Arena arena;
  private final MemorySegment bytes;
  private final int extentsMax;
  private final long undoMax;
  private final List<Extent> extents = new ArrayList<>();

  /** An extent: an LLPL block, and where in its contents the extent starts. */
  private record Extent(MemoryBlock block, long start) {}

  private PoolRoot(LlplPool pool, MemoryBlock block, Arena arena) {
    this.pool = pool;
    this.block = block;
    this.arena = arena;
    bytes = view(pool.address(block), block.size(), arena);
    extentsMax = bytes.get(INT, 12);
    undoMax = bytes.get(LONG, 40);
  }

  /**
   * Writes the root block of a new pool, with one extent.
   *
   * @param pool the pool, empty
   * @param header what it is
   */
  static void create(LlplPool pool, PoolHeader header) {
    PoolSpace space = PoolSpace.of(header.poolSize());
    try (Arena arena = Arena.ofConfined()) {
      pool.transaction(
          () -> {
            MemoryBlock block = pool.allocate(HANDLES + 8L * space.extentsMax());
            PoolRoot root = new PoolRoot(pool, block, arena);
            root.bytes.set(LONG, 0, MAGIC);
            root.bytes.set(INT, 8, VERSION);
            root.bytes.set(INT, 12, space.extentsMax());
            root.bytes.set(LONG, 16, header.uuid().getMostSignificantBits());
            root.bytes.set(LONG, 24, header.uuid().getLeastSignificantBits());
            root.bytes.set(LONG, 32, header.poolSize());
            root.bytes.set(LONG, 40, space.undoMax());
            root.allocateExtent();
            root.bytes.set(INT, CHECKSUM, root.checksum());
            pool.setRoot(block.handle());
          });
    }
  }

  /**
   * Reads and checks the root block of a pool, and finds its extents.
   *
   * @param pool the pool
   * @param header what it should be
   * @param file the pool's file, for messages
   * @param arena whose end takes all views of the pool away; to be closed before the pool
   */
  static PoolRoot open(LlplPool pool, PoolHeader header, Path file, Arena arena) {
    MemoryBlock found = block(pool, pool.root(), file, "the root block");
    if (found.size() < HANDLES) {
      throw damaged(file, "its root block has only %d bytes".formatted(found.size()), null);
    }
    PoolRoot root = new PoolRoot(pool, found, arena);
    root.check(header, file);
    long count = root.bytes.get(LONG, EXTENTS);
    for (int i = 0; i < count; i++) {
      MemoryBlock extent = block(pool, root.bytes.get(LONG, HANDLES + 8L * i), file, "extent " + i);
      if (extent.size() != EXTENT_BLOCK) {
        throw damaged(file, "extent %d has %d bytes".formatted(i, extent.size()), null);
      }
      root.extents.add(root.extent(extent));
    }
    return root;
  }

  /** Finds a block; handles come from a file and may be anything. */
  private static MemoryBlock block(LlplPool pool, long handle, Path file, String what) {
    Throwable cause = null;
    try {
      if (handle % 8 == 0) {
        return pool.block(handle);
      }
    } catch (HeapException | IllegalArgumentException e) {
      cause = e;
    }
    throw damaged(file, "%s should be at %d, where none can be".formatted(what, handle), cause);
  }

  private void check(PoolHeader header, Path file) {
    if (bytes.get(LONG, 0) != MAGIC) {
      throw damaged(
          file,
          "its root block starts with %016x, not %016x".formatted(bytes.get(LONG, 0), MAGIC),
          null);
    }
    // Before the checksum, which reads all of it.
    if (extentsMax < 1
        || extentsMax > HeapMemory.EXTENTS_MAX
        || block.size() != HANDLES + 8L * extentsMax) {
      throw damaged(
          file,
          "its root block has %d bytes and is for %d extents".formatted(block.size(), extentsMax),
          null);
    }
    if (bytes.get(INT, CHECKSUM) != checksum()) {
      throw damaged(
          file,
          "its root block has checksum %08x, its contents %08x"
              .formatted(bytes.get(INT, CHECKSUM), checksum()),
          null);
    }
    checkContents(header, file);
  }

  private void checkContents(PoolHeader header, Path file) {
    UUID uuid = new UUID(bytes.get(LONG, 16), bytes.get(LONG, 24));
    long count = bytes.get(LONG, EXTENTS);
    if (bytes.get(INT, 8) != VERSION
        || !uuid.equals(header.uuid())
        || bytes.get(LONG, 32) != header.poolSize()
        || count < 1
        || count > extentsMax) {
      throw damaged(
          file,
          "it is version %d of store %s with %d bytes and %d of %d extents, not version %d of store %s with %d bytes, as its header file says"
              .formatted(
                  bytes.get(INT, 8),
                  uuid,
                  bytes.get(LONG, 32),
                  count,
                  extentsMax,
                  VERSION,
                  header.uuid(),
                  header.poolSize()),
          null);
    }
  }

  private static StoreDamagedException damaged(Path file, String what, @Nullable Throwable cause) {
    return new StoreDamagedException(
        "%s is damaged or not from this store: %s; restore it from a backup".formatted(file, what),
        cause);
  }

  /** How many extents the pool can hold. */
  int extentsMax() {
    return extentsMax;
  }

  /** The most bytes of snapshots that a transaction may have. */
  long undoMax() {
    return undoMax;
  }

  /** Where the block of an extent is in the pool. */
  long handle(int index) {
    return extents.get(index).block.handle();
  }

  /** How many extents there are. */
  int extentCount() {
    return extents.size();
  }

  /**
   * Adds extents of zeros, all or none.
   *
   * @param wanted how many there are to be then, at most {@link #extentsMax}
   */
  void addExtents(int wanted) {
    int before = extents.size();
    if (wanted <= before) {
      return;
    }
    try {
      pool.transaction(
          () -> {
            pool.addToTransaction(block, EXTENTS, HANDLES - EXTENTS);
            pool.addToTransaction(block, HANDLES + 8L * before, 8L * (wanted - before));
            while (extents.size() < wanted) {
              allocateExtent();
            }
            bytes.set(INT, CHECKSUM, checksum());
          });
    } catch (Throwable e) {
      extents.subList(before, extents.size()).clear();
      throw e;
    }
  }

  /**
   * Gives the last extents back, all or none.
   *
   * @param wanted how many there are to be then, from 1 to {@link #extentCount}
   */
  void removeExtents(int wanted) {
    int before = extents.size();
    if (wanted == before) {
      return;
    }
    pool.transaction(
        () -> {
          long handles = HANDLES + 8L * wanted;
          long length = 8L * (before - wanted);
          pool.addToTransaction(block, EXTENTS, HANDLES - EXTENTS);
          pool.addToTransaction(block, handles, length);
          bytes.asSlice(handles, length).fill((byte) 0);
          bytes.set(LONG, EXTENTS, wanted);
          bytes.set(INT, CHECKSUM, checksum());
          for (Extent extent : extents.subList(wanted, before)) {
            pool.free(extent.block);
          }
        });
    extents.subList(wanted, before).clear();
  }

  /** In a transaction that has a snapshot of the counter and the handles. */
  private void allocateExtent() {
    MemoryBlock extent = pool.allocate(EXTENT_BLOCK);
    bytes.set(LONG, HANDLES + 8L * extents.size(), extent.handle());
    extents.add(extent(extent));
    bytes.set(LONG, EXTENTS, extents.size());
  }

  private Extent extent(MemoryBlock extent) {
    long start = -pool.address(extent) & (PoolSpace.EXTENT_ALIGNMENT - 1);
    return new Extent(extent, start);
  }

  /**
   * Shows an extent as memory.
   *
   * @param index of the extent
   * @return its bytes, until the arena is closed
   */
  MemorySegment extent(int index) {
    Extent extent = extents.get(index);
    return view(pool.address(extent.block) + extent.start, HeapMemory.EXTENT_SIZE, arena);
  }

  /** Takes the snapshot of a part of an extent that the running transaction is about to change. */
  void addToTransaction(int index, long offset, long length) {
    Extent extent = extents.get(index);
    pool.addToTransaction(extent.block, extent.start + offset, length);
  }

  /** Makes a part of an extent durable that is in no snapshot. */
  void flush(int index, long offset, long length) {
    Extent extent = extents.get(index);
    pool.flush(extent.block, extent.start + offset, length);
  }

  @SuppressWarnings("restricted") // the addresses are LLPL's own
  private static MemorySegment view(long address, long size, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(size, arena, null);
  }

  private int checksum() {
    byte[] copy = bytes.toArray(JAVA_BYTE); // mapped memory is no place for an intrinsic to fault
    return Checksum.around(copy, CHECKSUM);
  }
}
