package io.pmstore.llpl;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.Checksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The header of a pool, in a file beside the pool: the facts that are needed before PMDK may map
 * it.
 *
 * <pre>
 *   0        8    12   16                32         40   44        60   64
 *   +--------+----+----+-----------------+----------+----+---------+----+
 *   | magic  |vers|stat| UUID            | pool size|seal| zero    |CRC |
 *   +--------+----+----+-----------------+----------+----+---------+----+
 *   magic: "pmsllpl" 0x1A       version: 1 a pool of one file, 2 one that grows
 *   state: 1 open, 2 closed     CRC: CRC-32C of the bytes before it
 *   seal: when closed, CRC-32C of what PMDK trusts in the pool ({@link PoolCheck}); else zero
 * </pre>
 *
 * <p>Little-endian. The file is smaller than a sector, so a write to it is atomic.
 *
 * @param uuid of the store, also in the pool's root block
 * @param growing whether the pool is a directory of parts
 * @param poolSize in bytes; of a growing pool the most that it can have
 * @param closed whether the pool was closed, and so has a seal
 * @param seal the checksum, if closed
 */
record PoolHeader(UUID uuid, boolean growing, long poolSize, boolean closed, int seal) {
  private static final int VERSION_FIXED = 1;
  private static final int VERSION_GROWING = 2;
  private static final long MAGIC = 0x1A_6C_70_6C_6C_73_6D_70L;
  private static final int SIZE = 64;
  private static final int STATE_OPEN = 1;
  private static final int STATE_CLOSED = 2;

  PoolHeader opened() {
    return new PoolHeader(uuid, growing, poolSize, false, 0);
  }

  PoolHeader closed(int newSeal) {
    return new PoolHeader(uuid, growing, poolSize, true, newSeal);
  }

  /**
   * Writes the header and makes it durable.
   *
   * @param file the header file, made when there is none
   * @param rights of the file if it is made
   */
  void write(Path file, AccessRights rights) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(growing ? VERSION_GROWING : VERSION_FIXED);
    bytes.putInt(closed ? STATE_CLOSED : STATE_OPEN);
    bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    bytes.putLong(poolSize).putInt(seal);
    bytes.putInt(SIZE - 4, Checksum.of(bytes.array(), 0, SIZE - 4)).rewind();
    try (FileChannel channel = rights.openToWrite(file)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
      channel.force(true);
    }
  }

  /**
   * Reads and checks a header.
   *
   * @param file the header file
   * @throws StoreFormatException if it is none, or of another version
   * @throws StoreDamagedException if it is damaged
   */
  static PoolHeader read(Path file) throws IOException {
    long size = Files.size(file);
    byte[] contents = size == SIZE ? Files.readAllBytes(file) : new byte[0];
    if (contents.length != SIZE) {
      throw new StoreDamagedException(
          "%s has %d bytes, a pool's header has %d: it is truncated or foreign; restore it from a backup"
              .formatted(file, size, SIZE));
    }
    ByteBuffer bytes = ByteBuffer.wrap(contents).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getLong(0) != MAGIC) {
      throw new StoreFormatException(
          "%s is no header of an LLPL store: it starts with %016x, not %016x; open the store's own directory"
              .formatted(file, bytes.getLong(0), MAGIC));
    }
    int checksum = Checksum.of(contents, 0, SIZE - 4);
    if (bytes.getInt(SIZE - 4) != checksum) {
      throw new StoreDamagedException(
          "%s is damaged: its checksum is %08x, its contents have %08x; restore it from a backup"
              .formatted(file, bytes.getInt(SIZE - 4), checksum));
    }
    int version = bytes.getInt(8);
    if (version != VERSION_FIXED && version != VERSION_GROWING) {
      throw new StoreFormatException(
          "%s has format version %d, this program knows versions %d and %d; open it with a newer pmstore"
              .formatted(file, version, VERSION_FIXED, VERSION_GROWING));
    }
    return new PoolHeader(
        new UUID(bytes.getLong(16), bytes.getLong(24)),
        version == VERSION_GROWING,
        bytes.getLong(32),
        bytes.getInt(12) == STATE_CLOSED,
        bytes.getInt(40));
  }
}
