package io.pmstore.llpl;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Checks the contents of a pool before PMDK maps it, because PMDK trusts most of them: an empty
 * file causes a SIGBUS, a flipped bit in a lane a SIGSEGV, and a flipped bit in a zone header an
 * endless loop.
 *
 * <p>A pool that was closed has a seal, which is a checksum of PMDK's own structures: the
 * descriptor, the lanes, and the headers of the heap and its zones. A pool whose process was killed
 * has no seal; this class then checks the sizes, the signature and the name of the layout.
 */
final class PoolCheck {
  private static final byte[] SIGNATURE = "PMEMOBJ\0".getBytes(StandardCharsets.US_ASCII);
  private static final int LAYOUT_OFFSET = 4096;
  private static final int LAYOUT_SIZE = 1024;

  // Up to here are the descriptor, the lanes, the first zone's header and what was first allocated.
  private static final long FRONT = 5 << 20;
  // A later zone's header lies this far behind a multiple of the size of a zone.
  private static final long ZONE_HEADER_OFFSET = 3 << 20;
  private static final long ZONE_HEADER_SIZE = 1 << 20;

  private PoolCheck() {}

  /**
   * Checks a pool.
   *
   * @param file the pool, for messages
   * @param parts its contents
   * @param header what its header file says
   * @throws StoreFormatException if it is no pool of LLPL's {@code Heap}
   * @throws StoreDamagedException if it is not what was closed or created
   */
  static void check(Path file, PoolParts parts, PoolHeader header) throws IOException {
    byte[] signature = parts.read(0, SIGNATURE.length);
    if (!Arrays.equals(signature, SIGNATURE)) {
      throw new StoreFormatException(
          "%s is no PMDK pool: it starts with \"%s\", not \"PMEMOBJ\"; restore it from a backup"
              .formatted(file, printable(signature)));
    }
    String layout = printable(parts.read(LAYOUT_OFFSET, LAYOUT_SIZE));
    if (!layout.equals(LlplPool.LAYOUT)) {
      throw new StoreFormatException(
          "%s is a PMDK pool of layout \"%s\", not \"%s\"; restore it from a backup"
              .formatted(file, layout, LlplPool.LAYOUT));
    }
    if (header.closed() && seal(parts) != header.seal()) {
      throw new StoreDamagedException(
          "%s is damaged: what PMDK keeps in it has changed since it was closed (checksum %08x, not %08x); restore it from a backup"
              .formatted(file, seal(parts), header.seal()));
    }
  }

  /**
   * The seal of a pool that is closed.
   *
   * @return the checksum of what PMDK trusts in it
   */
  static int seal(PoolParts parts) throws IOException {
    CRC32C crc = new CRC32C();
    long size = parts.size();
    update(crc, parts, 0, Math.min(FRONT, size));
    for (long zone = PoolSpace.ZONE_SIZE; zone < size; zone += PoolSpace.ZONE_SIZE) {
      long start = Math.min(size, zone + ZONE_HEADER_OFFSET);
      update(crc, parts, start, Math.min(ZONE_HEADER_SIZE, size - start));
    }
    return (int) crc.getValue();
  }

  private static void update(CRC32C crc, PoolParts parts, long start, long length)
      throws IOException {
    int step = 1 << 16;
    for (long at = start; at < start + length; at += step) {
      crc.update(parts.read(at, (int) Math.min(step, start + length - at)));
    }
  }

  private static String printable(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      if (b == 0 || text.length() == 32) {
        break;
      }
      text.append(b >= ' ' && b < 127 ? (char) b : '?');
    }
    return text.toString();
  }
}
