package io.pmstore.jmh.consensus.versions;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a region's contents are, written in turn to one of two places at the start of the file.
 *
 * @param sequence the larger of two is in force
 * @param term of the last applied entry
 * @param applied the index of the last applied entry, -1 if there is none
 * @param last the index of the last entry with a version, -1 if there is none
 * @param root the list's newest record, or the tree's root; 0 if empty
 */
record RegionHeader(long sequence, long term, long applied, long last, long root) {
  static final int COPY = 4096;
  static final int BYTES = 2 * COPY;
  static final RegionHeader EMPTY = new RegionHeader(0, 0, -1, -1, 0);

  private static final long MAGIC = 0x534e_4f49_5352_4556L; // "VERSIONS", little-endian
  private static final int USED = 64;

  void write(MediumFile file) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(USED).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putLong(0).putLong(sequence).putLong(term).putLong(applied);
    to.putLong(last).putLong(root).putLong(8, checksum(to.array()));
    file.write(sequence % 2 * COPY, to.array(), 0, USED);
    file.sync();
  }

  private static long checksum(byte[] copy) {
    CRC32C crc = new CRC32C();
    crc.update(copy, 16, USED - 16);
    return crc.getValue();
  }

  /**
   * Reads the header in force.
   *
   * @throws IOException if neither place has a whole one
   */
  static RegionHeader read(MediumFile file) throws IOException {
    RegionHeader first = decode(file, 0);
    RegionHeader second = decode(file, 1);
    if (first == null || (second != null && second.sequence > first.sequence)) {
      first = second;
    }
    if (first == null) {
      throw new IOException("the region " + file.name() + " has no whole header");
    }
    return first;
  }

  private static @Nullable RegionHeader decode(MediumFile file, int number) throws IOException {
    byte[] copy = new byte[USED];
    file.read((long) number * COPY, copy, 0, USED);
    ByteBuffer from = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    if (from.getLong() != MAGIC || from.getLong() != checksum(copy)) {
      return null;
    }
    return new RegionHeader(
        from.getLong(), from.getLong(), from.getLong(), from.getLong(), from.getLong());
  }
}
