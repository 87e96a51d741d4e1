package io.pmstore.core.engine.llpl;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What is checked of a pool file before PMDK maps it. PMDK itself trusts much of it: an empty file
 * gives SIGBUS, a flipped bit in a lane SIGSEGV, one in a zone header an endless loop.
 *
 * <p>A pool that was closed carries a seal, a checksum of PMDK's own structures: the descriptor,
 * the lanes, and the headers of the heap and its zones. One that was killed has none; of it the
 * size, the signature and the layout's name are checked.
 */
final class PoolCheck {
  private static final byte[] SIGNATURE = "PMEMOBJ\0".getBytes(StandardCharsets.US_ASCII);
  private static final int LAYOUT_OFFSET = 4096;
  private static final int LAYOUT_SIZE = 1024;

  // Up to here are the descriptor, the lanes, the first zone's header and what was first allocated.
  private static final long FRONT = 5 << 20;
  // A later zone's header lies this far behind a multiple of the size of a zone.
  private static final long ZONE_SIZE = 65_528L * (256 << 10) + (512 << 10);
  private static final long ZONE_HEADER_OFFSET = 3 << 20;
  private static final long ZONE_HEADER_SIZE = 1 << 20;

  private PoolCheck() {}

  /**
   * Checks a pool file.
   *
   * @param file the pool
   * @param header what its header file says
   * @throws StoreFormatException if it is no pool of LLPL's {@code Heap}
   * @throws StoreDamagedException if it is not what was closed or created
   */
  static void check(Path file, PoolHeader header) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != header.poolSize()) {
        throw new StoreDamagedException(
            "%s has %d bytes, its header says %d: it is truncated or foreign; restore it from a backup"
                .formatted(file, channel.size(), header.poolSize()));
      }
      byte[] signature = read(channel, 0, SIGNATURE.length);
      if (!Arrays.equals(signature, SIGNATURE)) {
        throw new StoreFormatException(
            "%s is no PMDK pool: it starts with \"%s\", not \"PMEMOBJ\"; restore it from a backup"
                .formatted(file, printable(signature)));
      }
      String layout = printable(read(channel, LAYOUT_OFFSET, LAYOUT_SIZE));
      if (!layout.equals(LlplPool.LAYOUT)) {
        throw new StoreFormatException(
            "%s is a PMDK pool of layout \"%s\", not \"%s\"; restore it from a backup"
                .formatted(file, layout, LlplPool.LAYOUT));
      }
      if (header.closed() && seal(channel) != header.seal()) {
        throw new StoreDamagedException(
            "%s is damaged: what PMDK keeps in it has changed since it was closed (checksum %08x, not %08x); restore it from a backup"
                .formatted(file, seal(channel), header.seal()));
      }
    }
  }

  /**
   * The seal of a pool that is closed.
   *
   * @param file the pool
   * @return the checksum of what PMDK trusts in it
   */
  static int seal(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return seal(channel);
    }
  }

  private static int seal(FileChannel channel) throws IOException {
    CRC32C crc = new CRC32C();
    long size = channel.size();
    update(crc, channel, 0, Math.min(FRONT, size));
    for (long zone = ZONE_SIZE; zone < size; zone += ZONE_SIZE) {
      long start = Math.min(size, zone + ZONE_HEADER_OFFSET);
      update(crc, channel, start, Math.min(ZONE_HEADER_SIZE, size - start));
    }
    return (int) crc.getValue();
  }

  private static void update(CRC32C crc, FileChannel channel, long start, long length)
      throws IOException {
    int step = 1 << 16;
    for (long at = start; at < start + length; at += step) {
      crc.update(read(channel, at, (int) Math.min(step, start + length - at)));
    }
  }

  private static byte[] read(FileChannel channel, long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException("end of file at " + (offset + bytes.position()));
      }
    }
    return bytes.array();
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
