package io.pmstore.tiered;

import io.pmstore.core.medium.Checksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a spill or a base.
 *
 * <pre>
 *      0  the begin marker:
 *         magic     8      "PMSSPIL\0"
 *         version   4
 *         crc       4      CRC32C of the bytes from 16 to 48
 *         store    16      the store's id
 *         number    8
 *         kind      4      1 spill, 2 base
 *   4096  chunks:
 *         images    4
 *         crc       4      CRC32C of store, number, kind, index of the chunk, images, and what follows
 *         blocks    4 * images    their numbers
 *         data     64 * images
 *         the end marker:
 *         -1        4
 *         crc       4      as of a chunk
 *         images    8      in all chunks
 *         position  8      what is here is of commits up to this one, and all of them are durable
 * </pre>
 *
 * <p>The file ends with its end marker. The header names a file only when all of it is durable.
 */
final class SpillLayout {
  static final int BEGIN = TieredLayout.BEGIN;
  static final int CHUNK_HEADER = 8;
  static final int END = 24;
  static final int CHUNK_IMAGES = 4096;
  static final int CHUNK_MAX = CHUNK_HEADER + CHUNK_IMAGES * (4 + ImageLayout.BLOCK);

  private static final long MAGIC = 0x004C_4950_5353_4D50L; // "PMSSPIL\0", little-endian
  private static final int BEGIN_END = 48;

  private SpillLayout() {}

  static byte[] begin(UUID store, long number, boolean base) {
    ByteBuffer to = ByteBuffer.allocate(BEGIN).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putInt(StoreHeader.VERSION).putInt(0);
    to.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    to.putLong(number).putInt(base ? 2 : 1);
    return to.putInt(12, Checksum.of(to.array(), 16, BEGIN_END)).array();
  }

  /** Returns the store's id in a begin marker, or null if the marker is damaged. */
  static @Nullable UUID store(byte[] begin) {
    ByteBuffer from = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN);
    return from.getLong(0) == MAGIC && from.getInt(12) == Checksum.of(begin, 16, BEGIN_END)
        ? new UUID(from.getLong(16), from.getLong(24))
        : null;
  }

  /** Returns what is wrong with a begin marker, or null. */
  static @Nullable String beginFault(byte[] found, UUID store, long number, boolean base) {
    @Nullable UUID owner = store(found);
    if (owner == null) {
      return "its begin marker is damaged";
    }
    if (!store.equals(owner)) {
      return "it belongs to the store %s, not %s".formatted(owner, store);
    }
    ByteBuffer from = ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN);
    return from.getLong(32) == number && from.getInt(40) == (base ? 2 : 1)
        ? null
        : "it is number %d".formatted(from.getLong(32));
  }

  /**
   * Returns the checksum of a chunk or of the end marker.
   *
   * @param bytes with the chunk at 0
   */
  static int crc(byte[] bytes, int length, UUID store, long number, boolean base, long chunk) {
    ByteBuffer salt = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    salt.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    salt.putLong(number).putLong(base ? 2 : 1).putLong(chunk);
    CRC32C crc = new CRC32C();
    crc.update(salt.array());
    crc.update(bytes, 0, 4);
    crc.update(bytes, CHUNK_HEADER, length - CHUNK_HEADER);
    return (int) crc.getValue();
  }
}
