package io.pmstore.jmh.nvwal;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;

/**
 * A file of records behind a page that says which it is: the log, with number 0, or a log that was
 * written to a file. Behind the records of such a file is nothing; behind those of the log is what
 * it had before.
 */
final class NvwalLog {
  /** Where the records begin. */
  static final int START = 4096;

  private static final long MAGIC = 0x0053_4345_5256_4E50L; // "PNVRECS\0", little-endian
  private static final int COPY_STEP = 1 << 20;

  private NvwalLog() {}

  static String name(long number) {
    return number == 0 ? "nvwal-log" : "nvwal-" + number;
  }

  private static byte[] page(UUID store, long number, long size) {
    ByteBuffer to = ByteBuffer.allocate(START).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putLong(store.getMostSignificantBits());
    return to.putLong(store.getLeastSignificantBits()).putLong(number).putLong(size).array();
  }

  /** Creates an empty log, durably but for its name. */
  static void create(Medium medium, NvwalHeader header) throws IOException {
    try (MediumFile file = medium.create(name(0))) {
      file.allocate(0, header.logSize(), false);
      file.write(0, page(header.store(), 0, header.logSize()), 0, START);
      file.sync();
    }
  }

  /**
   * Opens a file and checks that it is the one that is meant.
   *
   * @throws StoreDamagedException if it is missing, or another one
   */
  static MediumFile open(Medium medium, NvwalHeader header, long number) throws IOException {
    Path path = medium.directory().resolve(name(number));
    if (!medium.list().contains(name(number))) {
      throw new StoreDamagedException(
          "%s is missing; name its directory in the engine's settings, or restore the store from a backup"
              .formatted(path));
    }
    MediumFile file = medium.open(name(number));
    try {
      long size = file.size();
      byte[] found = new byte[START];
      if (size >= START) {
        file.read(0, found, 0, START);
      }
      if (size < START
          || (number == 0 && size != header.logSize())
          || !Arrays.equals(found, page(header.store(), number, size))) {
        throw new StoreDamagedException(
            "%s, of %d bytes, is not the file number %d of this store; restore it from a backup"
                .formatted(path, size, number));
      }
      return file;
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /**
   * Writes the records of the log to a file, durably.
   *
   * @param end where they end in the log
   */
  static void copy(MediumFile log, long end, Medium to, NvwalHeader header, long number)
      throws IOException {
    to.deleteIfThere(name(number)); // left by an interrupted spill
    try (MediumFile file = to.create(name(number))) {
      file.allocate(0, end, false);
      file.write(0, page(header.store(), number, end), 0, START);
      byte[] bytes = new byte[COPY_STEP];
      for (long at = START; at < end; at += COPY_STEP) {
        int length = (int) Math.min(COPY_STEP, end - at);
        log.read(at, bytes, 0, length);
        file.write(at, bytes, 0, length);
      }
      file.sync();
    }
    to.syncDirectory();
  }
}
