package io.pmstore.tiered;

import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;

import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The layout of a slot of a pool: the image of one block, behind its header and before a second
 * one. A slot is two cache lines.
 *
 * <pre>
 *   0        4        8                16               24
 *   +--------+--------+----------------+----------------+
 *   | block  | images |    position    |    durable     |
 *   +--------+--------+----------------+----------------+
 *   |               64 bytes of the block               |  24
 *   +--------+--------+---------------------------------+
 *   |  crc   |  zero  |                                    88
 *   +--------+--------+----------------+----------------+
 *   |              the header again                     |  96
 *   +--------+--------+---------------------------------+
 *   |  crc   |  zero  |                                   120
 *   +-----------------+                                   128
 * </pre>
 *
 * <p>Little-endian. {@code block} is the address divided by 64, unsigned; {@code images} the number
 * of images of the commit; {@code position} the commit's; {@code durable} a position known to be
 * durable when the image was written. A {@code crc} is the CRC32C of what is before it, the first
 * one's of header and data, exclusive-or a mark of the store's id, the number and epoch of the
 * pool, the slot and which copy it is, so that no image of another place or time is taken for one
 * of this slot.
 *
 * <p>The second header is what tells damage from a torn write: it says which image was there. It is
 * in another cache line than the first.
 */
final class ImageLayout {
  /** Binary logarithm of {@link #BLOCK}. */
  static final int BLOCK_SHIFT = 6;

  /** The bytes of a block. */
  static final int BLOCK = 1 << BLOCK_SHIFT;

  /** The bytes of a slot. */
  static final int SLOT = 128;

  private static final int BLOCK_NUMBER = 0;
  private static final int IMAGES = 4;
  private static final int POSITION = 8;
  private static final int DURABLE = 16;
  private static final int HEADER = 24;

  /** Where the block's bytes begin. */
  static final int DATA = HEADER;

  private static final int CRC = DATA + BLOCK;
  private static final int SECOND = CRC + 8;
  private static final int SECOND_CRC = SECOND + HEADER;

  private static final long LOWER_HALF = 0xFFFF_FFFFL;

  private final CRC32C crc = new CRC32C();
  private final long pool;

  /** Prepares for the slots of a pool. One instance serves one thread. */
  ImageLayout(UUID store, int pool) {
    this.pool = mix(store.getMostSignificantBits() + mix(store.getLeastSignificantBits() + pool));
  }

  /** What a slot holds. */
  enum State {
    /** Nothing, or what a torn write left. */
    EMPTY,
    /** A second header, but not its image. */
    TORN,
    WHOLE
  }

  /** Writes the headers of an image whose data is at its place already. */
  void seal(
      byte[] bytes,
      int at,
      int slot,
      long epoch,
      int block,
      int images,
      long position,
      long durable) {
    long mark = mark(slot, epoch);
    writeHeader(bytes, at, block, images, position, durable);
    LONG.set(bytes, at + CRC, crc(bytes, at, CRC) ^ (mark >>> 32));
    writeHeader(bytes, at + SECOND, block, images, position, durable);
    LONG.set(bytes, at + SECOND_CRC, crc(bytes, at + SECOND, HEADER) ^ (mark & LOWER_HALF));
  }

  private static void writeHeader(
      byte[] bytes, int at, int block, int images, long position, long durable) {
    INT.set(bytes, at + BLOCK_NUMBER, block);
    INT.set(bytes, at + IMAGES, images);
    LONG.set(bytes, at + POSITION, position);
    LONG.set(bytes, at + DURABLE, durable);
  }

  /** Returns a checksum, with zeros in the upper half. */
  private long crc(byte[] bytes, int at, int length) {
    crc.reset();
    crc.update(bytes, at, length);
    return crc.getValue();
  }

  /** Returns the marks of a slot: in the upper half that of the first checksum. */
  private long mark(int slot, long epoch) {
    return mix(pool + epoch * 0x9E3779B97F4A7C15L + slot);
  }

  /** The finalizer of SplitMix64, which spreads each bit over all of them. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** The contents of a slot that was looked at. */
  record Found(State state, long block, int images, long position, long durable) {
    static final Found EMPTY = new Found(State.EMPTY, 0, 0, 0, 0);
  }

  Found examine(byte[] bytes, int at, int slot, long epoch) {
    long mark = mark(slot, epoch);
    if (isWhole(bytes, at, CRC, mark >>> 32)) {
      return found(State.WHOLE, bytes, at);
    }
    return isWhole(bytes, at + SECOND, HEADER, mark & LOWER_HALF)
        ? found(State.TORN, bytes, at + SECOND)
        : Found.EMPTY;
  }

  private boolean isWhole(byte[] bytes, int at, int length, long mark) {
    return (int) INT.get(bytes, at + IMAGES) > 0
        && (long) LONG.get(bytes, at + length) == (crc(bytes, at, length) ^ mark);
  }

  private static Found found(State state, byte[] bytes, int header) {
    return new Found(
        state,
        Integer.toUnsignedLong((int) INT.get(bytes, header + BLOCK_NUMBER)),
        (int) INT.get(bytes, header + IMAGES),
        (long) LONG.get(bytes, header + POSITION),
        (long) LONG.get(bytes, header + DURABLE));
  }
}
