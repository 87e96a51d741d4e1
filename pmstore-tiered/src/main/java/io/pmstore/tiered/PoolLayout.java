package io.pmstore.tiered;

import io.pmstore.core.medium.Checksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a pool's file: a header that never changes, and the {@linkplain ImageLayout slots}.
 *
 * <pre>
 *     0  magic        8      "PMSIMGS\0"
 *     8  version      4
 *    12  crc          4      CRC32C of the bytes from 16 to 48
 *    16  store       16      the store's id
 *    32  pool         4      its number
 *    36  slots        4
 *    40  zero
 *  4096  slots * 128
 * </pre>
 */
final class PoolLayout {
  static final int HEADER = TieredLayout.BEGIN;

  /** The largest number of slots, so that a place fits an {@code int}. */
  static final int SLOTS_MAX = (1 << 30) - 1;

  private static final long MAGIC = 0x0053_474D_4953_4D50L; // "PMSIMGS\0", little-endian
  private static final int END = 48;

  private PoolLayout() {}

  /** Returns the number of slots of a pool of a size in bytes. */
  static int slots(long size) {
    return (int) Math.min(SLOTS_MAX, (size - HEADER) / ImageLayout.SLOT);
  }

  static long size(int slots) {
    return (offset(slots) + HEADER - 1) & -HEADER;
  }

  static long offset(int slot) {
    return HEADER + (long) slot * ImageLayout.SLOT;
  }

  static byte[] header(UUID store, int pool, int slots) {
    ByteBuffer to = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putInt(StoreHeader.VERSION).putInt(0);
    to.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    to.putInt(pool).putInt(slots);
    return to.putInt(12, Checksum.of(to.array(), 16, END)).array();
  }

  /** Returns the store's id in a header, or null if the header is damaged. */
  static @Nullable UUID store(byte[] header) {
    ByteBuffer from = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    return from.getLong(0) == MAGIC && from.getInt(12) == Checksum.of(header, 16, END)
        ? new UUID(from.getLong(16), from.getLong(24))
        : null;
  }
}
