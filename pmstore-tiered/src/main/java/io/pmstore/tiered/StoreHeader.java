package io.pmstore.tiered;

import io.pmstore.Storage;
import io.pmstore.core.medium.Checksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The header of a store, which names the parts of the store. Immutable; {@link StoreHeaderFile}
 * makes a new header durable.
 *
 * <pre>
 *     0  magic             8      "PMSTIER\0"
 *     8  format version    4
 *    12  crc               4      CRC32C of the copy, with zeros here
 *    16  sequence          8      of the header; the larger one of two is in force
 *    24  store            16      the store's id
 *    40  slots             4      of each pool
 *    44  medium            4      of the pools: 0 ordinary files, 1 persistent memory
 *    48  extents           4      of the heap
 *    52  closed            4      1 if the store was closed since the last commit
 *    56  epochs        2 * 8      of the pools: an image of another epoch does not exist
 *    72  floor             8      a durable position: no commit up to it has to be whole
 *    80  base              8      the spill up to which the base goes, 0 if there is none
 *    88  spill             8      the last spill
 *    96  contents      4 * 8      of each pool when it was closed: images, hash
 *   128  cuts              4      the number of cuts
 *   132  pool directory    4      bytes of its path, 0 for the store's directory
 *   136  spill directory   4      bytes of its path, 0 for the store's directory
 *   140  the paths in UTF-8, then the cuts: first extent 4, position 8
 * </pre>
 *
 * @param sequence grows with each header that is written
 * @param closed true if the pools' contents are as recorded
 * @param epochs of the two pools
 * @param floor a position known to be durable
 * @param base the last spill that the base replaces, or 0
 * @param spill the last spill, or 0
 * @param contents images and hash of each pool, meaningful if closed
 * @param poolPath the pools', if it is not the store's
 * @param spillPath the files', if it is not the store's
 * @param cuts the ends of the heap that were given back
 */
record StoreHeader(
    UUID store,
    long sequence,
    int slots,
    Storage medium,
    int extents,
    boolean closed,
    List<Long> epochs,
    long floor,
    long base,
    long spill,
    List<Contents> contents,
    @Nullable String poolPath,
    @Nullable String spillPath,
    List<Cut> cuts) {

  /** The contents of a pool that was closed. */
  record Contents(long images, long hash) {
    static final Contents NONE = new Contents(0, 0);
  }

  /**
   * An end of the heap that was given back: images of it up to a position are void.
   *
   * @param extent the first one that was removed
   * @param position the last commit before
   */
  record Cut(int extent, long position) {}

  /** The bytes of a copy. */
  static final int SIZE = 8192;

  static final int VERSION = 2;
  static final long MAGIC = 0x0052_4549_5453_4D50L; // "PMSTIER\0", little-endian

  /** The most bytes of a path. */
  static final int PATH_MAX = 1024;

  private static final int CRC = 12;
  private static final int SEQUENCE = 16;
  private static final int STORE = 24;
  private static final int EXTENTS = 48;
  private static final int TEXTS = 140;
  private static final int CUT = 12;

  /** The most cuts that a header has room for. */
  static final int CUTS_MAX = (SIZE - TEXTS - 2 * PATH_MAX) / CUT;

  StoreHeader withSequence(long next) {
    return new StoreHeader(
        store, next, slots, medium, extents, closed, epochs, floor, base, spill, contents, poolPath,
        spillPath, cuts);
  }

  /** The store is open, and everything up to a position is durable. */
  StoreHeader opened(long position, @Nullable String pools, @Nullable String spills) {
    return new StoreHeader(
        store, sequence, slots, medium, extents, false, epochs, position, base, spill, contents,
        pools, spills, cuts);
  }

  StoreHeader closed(long position, List<Contents> found) {
    return new StoreHeader(
        store, sequence, slots, medium, extents, true, epochs, position, base, spill, found,
        poolPath, spillPath, cuts);
  }

  StoreHeader withExtents(int count) {
    return new StoreHeader(
        store, sequence, slots, medium, count, closed, epochs, floor, base, spill, contents,
        poolPath, spillPath, cuts);
  }

  /** The heap was cut. An earlier cut of the same end is no longer needed. */
  StoreHeader cut(int first, long position) {
    List<Cut> kept = new ArrayList<>(cuts);
    kept.removeIf(cut -> cut.extent >= first);
    kept.add(new Cut(first, position));
    List<Cut> next = List.copyOf(kept);
    return new StoreHeader(
        store, sequence, slots, medium, first, closed, epochs, floor, base, spill, contents,
        poolPath, spillPath, next);
  }

  /** A pool was emptied, because everything in it is in a spill. */
  StoreHeader spilled(int pool, long number, long position) {
    List<Long> next = new ArrayList<>(epochs);
    next.set(pool, epochs.get(pool) + 1);
    List<Long> emptied = List.copyOf(next);
    return new StoreHeader(
        store, sequence, slots, medium, extents, closed, emptied, position, base, number, contents,
        poolPath, spillPath, cuts);
  }

  /**
   * A base replaces the spills up to a number. Cuts before it are no longer needed if no image is
   * as old as they are.
   *
   * @param oldest a position before that of every image and every later spill
   */
  StoreHeader based(long number, long oldest) {
    List<Cut> kept = new ArrayList<>(cuts);
    kept.removeIf(cut -> cut.position <= oldest);
    List<Cut> next = List.copyOf(kept);
    return new StoreHeader(
        store, sequence, slots, medium, extents, closed, epochs, floor, number, spill, contents,
        poolPath, spillPath, next);
  }

  /** Returns the position up to which images of a block are void, or -1. */
  long cutAt(long block) {
    long extent = block >>> BlockIndex.SHIFT;
    long position = -1;
    for (Cut cut : cuts) {
      if (extent >= cut.extent && cut.position > position) {
        position = cut.position;
      }
    }
    return position;
  }

  /** Returns a checksum of all but the sequence. */
  int fingerprint() {
    return Checksum.around(withSequence(0).encode(), CRC);
  }

  byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(sequence);
    to.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    to.putInt(slots).putInt(medium == Storage.PERSISTENT_MEMORY ? 1 : 0);
    to.putInt(extents).putInt(closed ? 1 : 0);
    epochs.forEach(to::putLong);
    to.putLong(floor).putLong(base).putLong(spill);
    for (Contents pool : contents) {
      to.putLong(pool.images).putLong(pool.hash);
    }
    byte[] pools = bytes(poolPath);
    byte[] spills = bytes(spillPath);
    to.putInt(cuts.size()).putInt(pools.length).putInt(spills.length).put(pools).put(spills);
    for (Cut cut : cuts) {
      to.putInt(cut.extent).putLong(cut.position);
    }
    return to.putInt(CRC, Checksum.around(to.array(), CRC)).array();
  }

  private static byte[] bytes(@Nullable String path) {
    return path == null ? new byte[0] : path.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns what is wrong with a copy, or null. */
  static @Nullable String fault(byte[] copy) {
    ByteBuffer from = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    long magic = from.getLong(0);
    if (magic != MAGIC) {
      return "it starts with %016x, not %016x"
          .formatted(Long.reverseBytes(magic), Long.reverseBytes(MAGIC));
    }
    if (from.getInt(CRC) != Checksum.around(copy, CRC)) {
      return "its checksum is %08x, not %08x"
          .formatted(from.getInt(CRC), Checksum.around(copy, CRC));
    }
    return null;
  }

  /**
   * Returns true if a copy with a fault may be one that a crash kept from being written completely,
   * beside this header in the other copy. Then its sequence is of the header before this one or of
   * the one after it, and what no header changes is unchanged.
   */
  boolean mayHaveInterrupted(byte[] copy) {
    long found = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).getLong(SEQUENCE);
    byte[] whole = encode();
    return Math.abs(found - sequence) == 1
        && Arrays.equals(whole, 0, CRC, copy, 0, CRC)
        && Arrays.equals(whole, STORE, EXTENTS, copy, STORE, EXTENTS);
  }

  /** Returns the format version of a copy without fault. */
  static int version(byte[] copy) {
    return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
  }

  /** Decodes a copy without fault, of this version. */
  static StoreHeader decode(byte[] copy) {
    ByteBuffer from = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).position(16);
    long sequence = from.getLong();
    UUID store = new UUID(from.getLong(), from.getLong());
    int slots = from.getInt();
    Storage medium = from.getInt() == 1 ? Storage.PERSISTENT_MEMORY : Storage.FILE;
    int extents = from.getInt();
    boolean closed = from.getInt() == 1;
    List<Long> epochs = List.of(from.getLong(), from.getLong());
    long floor = from.getLong();
    long base = from.getLong();
    long spill = from.getLong();
    List<Contents> contents =
        List.of(
            new Contents(from.getLong(), from.getLong()),
            new Contents(from.getLong(), from.getLong()));
    int cutCount = from.getInt();
    byte[] pools = new byte[from.getInt()];
    byte[] spills = new byte[from.getInt()];
    from.get(pools).get(spills);
    List<Cut> cuts = new ArrayList<>();
    for (int i = 0; i < cutCount; i++) {
      cuts.add(new Cut(from.getInt(), from.getLong()));
    }
    return new StoreHeader(
        store,
        sequence,
        slots,
        medium,
        extents,
        closed,
        epochs,
        floor,
        base,
        spill,
        contents,
        path(pools),
        path(spills),
        List.copyOf(cuts));
  }

  private static @Nullable String path(byte[] bytes) {
    return bytes.length == 0 ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
