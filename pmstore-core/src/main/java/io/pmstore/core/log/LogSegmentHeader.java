package io.pmstore.core.log;

import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.core.medium.Checksum;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The header of a log segment. With it recovery tells a foreign log, or a file that is no log, from
 * an empty log.
 *
 * @param store the UUID of the store
 * @param segment the number of the segment
 * @param size of the segment in bytes
 */
public record LogSegmentHeader(UUID store, int segment, long size) {
  /** The size of a header in bytes; the first record follows it. */
  public static final int SIZE = LogSegmentLayout.HEADER_SIZE;

  /** Returns the {@link #SIZE} bytes at the start of the segment. */
  public byte[] encode() {
    byte[] bytes = new byte[LogSegmentLayout.HEADER_SIZE];
    LONG.set(bytes, LogSegmentLayout.MAGIC, LogSegmentLayout.MAGIC_VALUE);
    INT.set(bytes, LogSegmentLayout.VERSION, LogSegmentLayout.VERSION_VALUE);
    INT.set(bytes, LogSegmentLayout.SEGMENT, segment);
    LONG.set(bytes, LogSegmentLayout.UUID_HIGH, store.getMostSignificantBits());
    LONG.set(bytes, LogSegmentLayout.UUID_LOW, store.getLeastSignificantBits());
    LONG.set(bytes, LogSegmentLayout.SIZE, size);
    INT.set(bytes, LogSegmentLayout.CHECKSUM, checksum(bytes));
    return bytes;
  }

  /**
   * Compares this header with the one that a segment has.
   *
   * @param found the first {@link #SIZE} bytes of the segment
   * @return what is wrong with them, or null
   */
  public @Nullable String findFault(byte[] found) {
    if (Arrays.equals(found, encode())) {
      return null;
    }
    long magic = (long) LONG.get(found, LogSegmentLayout.MAGIC);
    if (magic != LogSegmentLayout.MAGIC_VALUE) {
      return "it starts with the bytes %016x, a log with %016x"
          .formatted(Long.reverseBytes(magic), Long.reverseBytes(LogSegmentLayout.MAGIC_VALUE));
    }
    int checksum = (int) INT.get(found, LogSegmentLayout.CHECKSUM);
    if (checksum != checksum(found)) {
      return "its header's checksum is %08x, its bytes give %08x"
          .formatted(checksum, checksum(found));
    }
    return "it is segment %d of %d bytes of store %s, not segment %d of %d bytes of store %s"
        .formatted(
            (int) INT.get(found, LogSegmentLayout.SEGMENT),
            (long) LONG.get(found, LogSegmentLayout.SIZE),
            new UUID(
                (long) LONG.get(found, LogSegmentLayout.UUID_HIGH),
                (long) LONG.get(found, LogSegmentLayout.UUID_LOW)),
            segment,
            size,
            store);
  }

  /**
   * Returns true if bytes are an undamaged header of any segment, of this store or another.
   *
   * @param found the first {@link #SIZE} bytes of a file
   */
  public static boolean isWhole(byte[] found) {
    return (long) LONG.get(found, LogSegmentLayout.MAGIC) == LogSegmentLayout.MAGIC_VALUE
        && (int) INT.get(found, LogSegmentLayout.CHECKSUM) == checksum(found);
  }

  /** Returns the size field of a header in bytes; any number if {@code found} is no header. */
  public static long size(byte[] found) {
    return (long) LONG.get(found, LogSegmentLayout.SIZE);
  }

  private static int checksum(byte[] bytes) {
    return Checksum.of(bytes, 0, LogSegmentLayout.CHECKSUM);
  }
}
