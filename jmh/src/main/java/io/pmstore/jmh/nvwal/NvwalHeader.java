package io.pmstore.jmh.nvwal;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What the store consists of: the file {@value #FILE}, with two copies that are written in turn.
 *
 * @param sequence of the header; the larger of two is in force
 * @param logSize bytes of the log
 * @param epoch of the records after {@code floor}
 * @param floor the last record that an opening has found; all up to it are durable
 * @param archives how many logs were written to files
 * @param archived the last record in those files
 * @param end the last record of a closed store, -1 if it is open
 */
record NvwalHeader(
    UUID store,
    long sequence,
    long logSize,
    long epoch,
    long floor,
    long archives,
    long archived,
    long end) {
  static final String FILE = "nvwal";
  static final String UNFINISHED = "nvwal.new";
  static final int COPY = 4096;
  static final int COPIES = 2;

  private static final long MAGIC = 0x004C_4157_564E_4D50L; // "PMNVWAL\0", little-endian
  private static final int BYTES = 88;

  static NvwalHeader first(long logSize) {
    return new NvwalHeader(UUID.randomUUID(), 0, logSize, 1, 0, 0, 0, 0);
  }

  /** The store is open, and everything up to a record was found. */
  NvwalHeader opened(long last) {
    return new NvwalHeader(store, sequence, logSize, epoch + 1, last, archives, archived, -1);
  }

  /** The log was written to a file. */
  NvwalHeader spilled(long last) {
    return new NvwalHeader(store, sequence, logSize, epoch, floor, archives + 1, last, -1);
  }

  NvwalHeader closed(long last) {
    return new NvwalHeader(store, sequence, logSize, epoch, floor, archives, archived, last);
  }

  /** Makes a header durable, in one copy and then in the other. Returns it. */
  NvwalHeader write(MediumFile file) throws IOException {
    NvwalHeader next = this;
    for (int i = 0; i < COPIES; i++) {
      next = next.withSequence(next.sequence + 1);
      file.write(next.sequence % COPIES * COPY, next.encode(), 0, COPY);
      file.sync();
    }
    return next;
  }

  private NvwalHeader withSequence(long number) {
    return new NvwalHeader(store, number, logSize, epoch, floor, archives, archived, end);
  }

  private byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(COPY).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putLong(0).putLong(sequence);
    to.putLong(store.getMostSignificantBits()).putLong(store.getLeastSignificantBits());
    to.putLong(logSize).putLong(epoch).putLong(floor).putLong(archives).putLong(archived);
    return to.putLong(end).putLong(8, checksum(to.array())).array();
  }

  /** Returns a checksum of the fields behind it; with zeros in its upper half. */
  private static long checksum(byte[] copy) {
    CRC32C crc = new CRC32C();
    crc.update(copy, 16, BYTES - 16);
    return crc.getValue();
  }

  /** Reads the header in force. */
  static NvwalHeader read(MediumFile file, Path directory) throws IOException {
    long size = file.size();
    NvwalHeader first = size == (long) COPIES * COPY ? decode(file, 0) : null;
    NvwalHeader second = size == (long) COPIES * COPY ? decode(file, 1) : null;
    if (first == null || (second != null && second.sequence > first.sequence)) {
      first = second;
    }
    if (first == null) {
      throw new StoreDamagedException(
          "%s, of %d bytes, has no whole header; restore the store from a backup"
              .formatted(directory.resolve(FILE), size));
    }
    return first;
  }

  private static @Nullable NvwalHeader decode(MediumFile file, int number) throws IOException {
    byte[] copy = new byte[COPY];
    file.read((long) number * COPY, copy, 0, COPY);
    ByteBuffer from = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    if (from.getLong() != MAGIC || from.getLong() != checksum(copy)) {
      return null;
    }
    long sequence = from.getLong();
    return new NvwalHeader(
        new UUID(from.getLong(), from.getLong()),
        sequence,
        from.getLong(),
        from.getLong(),
        from.getLong(),
        from.getLong(),
        from.getLong(),
        from.getLong());
  }
}
