package io.pmstore.llpl;

import io.pmstore.core.medium.Checksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The mark of a part of a growing pool. It is at the end of the part's file, which PMDK does not
 * read, because PMDK maps whole pages. Written when PMDK has added the part to the pool.
 *
 * <pre>
 *   0        8    12   16                32         40      60   64
 *   +--------+----+----+-----------------+----------+-------+----+
 *   | magic  |vers|part| UUID            | length   | zero  |CRC |
 *   +--------+----+----+-----------------+----------+-------+----+
 *   magic: "pmspart" 0x1A     part: its number, from 0     length: of the part without this
 *   CRC: CRC-32C of the bytes before it
 * </pre>
 *
 * <p>Little-endian.
 *
 * @param uuid of the store
 * @param number of the part
 * @param length of the part in bytes, a multiple of 4096
 */
record PartMark(UUID uuid, int number, long length) {
  static final int SIZE = 64;

  private static final long MAGIC = 0x1A_74_72_61_70_73_6D_70L;
  private static final int VERSION = 1;

  /**
   * Writes the mark, and makes it and the file's size durable.
   *
   * @param file of the part
   */
  void write(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(number);
    bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    bytes.putLong(length);
    bytes.putInt(SIZE - 4, Checksum.of(bytes.array(), 0, SIZE - 4)).rewind();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes, length + bytes.position());
      }
      channel.force(true);
    }
  }

  /**
   * Reads the mark of a part.
   *
   * @param length where it is
   * @return the mark; null if none is there, or a part of one
   */
  static @Nullable PartMark read(FileChannel channel, long length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, length + bytes.position()) < 0) {
        return null;
      }
    }
    return bytes.getLong(0) != MAGIC
            || bytes.getInt(8) != VERSION
            || bytes.getInt(SIZE - 4) != Checksum.of(bytes.array(), 0, SIZE - 4)
        ? null
        : new PartMark(
            new UUID(bytes.getLong(16), bytes.getLong(24)), bytes.getInt(12), bytes.getLong(32));
  }
}
