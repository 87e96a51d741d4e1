package io.pmstore.tiered;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The layout of a slot of a pool: the image of one block between two copies of its header.
 *
 * <pre>
 *   0        4        8                16               24       28       32
 *   +--------+--------+----------------+----------------+--------+--------+
 *   | block  | images |    position    |    durable     |  crc   | header |
 *   |        |        |                |                | (data) |  crc   |
 *   +--------+--------+----------------+----------------+--------+--------+
 *   |                      256 bytes of the block                         |  32
 *   +--------+--------+----------------+----------------+--------+--------+
 *   |                      the header again, with its own crc             | 288
 *   +---------------------------------------------------------------------+ 320
 * </pre>
 *
 * <p>Little-endian. {@code block} is the address divided by 256, unsigned; {@code images} the
 * number of images of the commit; {@code position} the commit's; {@code durable} a position known
 * to be durable when the image was written. Checksums are CRC32C. A header's also covers the
 * store's id, the number and epoch of the pool, the slot and which copy it is, so that no image of
 * another place or time is taken for one of this slot.
 *
 * <p>The second copy is what tells damage from a torn write: one damaged place leaves a header that
 * says which image was there.
 */
final class ImageLayout {
  /** Binary logarithm of {@link #BLOCK}. */
  static final int BLOCK_SHIFT = 8;

  /** The bytes of a block. */
  static final int BLOCK = 1 << BLOCK_SHIFT;

  /** The bytes of a slot: five cache lines. */
  static final int SLOT = 320;

  private static final int BLOCK_NUMBER = 0;
  private static final int IMAGES = 4;
  private static final int POSITION = 8;
  private static final int DURABLE = 16;
  private static final int DATA_CRC = 24;
  private static final int HEADER_CRC = 28;
  private static final int HEADER = 32;

  /** Where the block's bytes begin. */
  static final int DATA = HEADER;

  private static final int TRAILER = DATA + BLOCK;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int SALT_EPOCH = 16;
  private static final int SALT_SLOT = 24;
  private static final int SALT_COPY = 28;

  private final CRC32C crc = new CRC32C();
  // Store id, epoch, slot, and pool and copy.
  private final byte[] salt = new byte[32];
  private final int pool;

  /** Prepares for the slots of a pool. One instance serves one thread. */
  ImageLayout(UUID store, int pool) {
    LONG.set(salt, 0, store.getMostSignificantBits());
    LONG.set(salt, 8, store.getLeastSignificantBits());
    this.pool = pool;
  }

  /** What a slot holds. */
  enum State {
    /** Nothing, or what a torn write left. */
    EMPTY,
    /** A header, but not its image. */
    TORN,
    /** An image. */
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
    INT.set(bytes, at + BLOCK_NUMBER, block);
    INT.set(bytes, at + IMAGES, images);
    LONG.set(bytes, at + POSITION, position);
    LONG.set(bytes, at + DURABLE, durable);
    INT.set(bytes, at + DATA_CRC, dataCrc(bytes, at));
    System.arraycopy(bytes, at, bytes, at + TRAILER, HEADER_CRC);
    INT.set(bytes, at + HEADER_CRC, headerCrc(bytes, at, slot, epoch, 0));
    INT.set(bytes, at + TRAILER + HEADER_CRC, headerCrc(bytes, at + TRAILER, slot, epoch, 1));
  }

  private int dataCrc(byte[] bytes, int at) {
    crc.reset();
    crc.update(bytes, at + DATA, BLOCK);
    return (int) crc.getValue();
  }

  private int headerCrc(byte[] bytes, int at, int slot, long epoch, int copy) {
    LONG.set(salt, SALT_EPOCH, epoch);
    INT.set(salt, SALT_SLOT, slot);
    INT.set(salt, SALT_COPY, pool << 1 | copy);
    crc.reset();
    crc.update(bytes, at, HEADER_CRC);
    crc.update(salt, 0, salt.length);
    return (int) crc.getValue();
  }

  /** The contents of a slot that was looked at. */
  record Found(State state, long block, int images, long position, long durable) {
    static final Found EMPTY = new Found(State.EMPTY, 0, 0, 0, 0);
  }

  /** Examines a slot. */
  Found examine(byte[] bytes, int at, int slot, long epoch) {
    boolean first = isWhole(bytes, at, slot, epoch, 0);
    boolean second = isWhole(bytes, at + TRAILER, slot, epoch, 1);
    if (!first && !second) {
      return Found.EMPTY;
    }
    int header = first ? at : at + TRAILER;
    boolean whole =
        first
            && second
            && (long) LONG.get(bytes, at + POSITION)
                == (long) LONG.get(bytes, at + TRAILER + POSITION)
            && (int) INT.get(bytes, at + DATA_CRC) == dataCrc(bytes, at);
    return new Found(
        whole ? State.WHOLE : State.TORN,
        Integer.toUnsignedLong((int) INT.get(bytes, header + BLOCK_NUMBER)),
        (int) INT.get(bytes, header + IMAGES),
        (long) LONG.get(bytes, header + POSITION),
        (long) LONG.get(bytes, header + DURABLE));
  }

  private boolean isWhole(byte[] bytes, int at, int slot, long epoch, int copy) {
    return (int) INT.get(bytes, at + HEADER_CRC) == headerCrc(bytes, at, slot, epoch, copy)
        && (int) INT.get(bytes, at + IMAGES) > 0;
  }
}
