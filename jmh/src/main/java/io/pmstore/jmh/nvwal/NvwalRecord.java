package io.pmstore.jmh.nvwal;

import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.medium.Checksum;

/**
 * The layout of a record: a header of {@value #HEADER} bytes, little-endian, and ranges as in a
 * write set.
 *
 * <pre>
 *    0  length    4   of the record in bytes, a multiple of 8
 *    4  crc       4   CRC32C of the record, with zero here
 *    8  store     8   half of the store's id
 *   16  epoch     8   the opening in which it was written
 *   24  sequence  8   one more than that of the record before
 *   32  position  8   of the last commit
 *   40  extents   4   of the heap from here on; 0 in the record of a commit
 *   44  zero      4
 * </pre>
 */
final class NvwalRecord {
  static final int HEADER = WriteSet.HEADROOM;

  private static final int LENGTH = 0;
  private static final int CHECKSUM = 4;
  private static final int STORE = 8;
  private static final int EPOCH = 16;
  private static final int SEQUENCE = 24;
  private static final int POSITION = 32;
  private static final int EXTENTS = 40;

  private NvwalRecord() {}

  /** Writes the header. */
  static void seal(
      byte[] bytes, int length, long store, long epoch, long sequence, long position, int extents) {
    INT.set(bytes, LENGTH, length);
    INT.set(bytes, CHECKSUM, 0);
    LONG.set(bytes, STORE, store);
    LONG.set(bytes, EPOCH, epoch);
    LONG.set(bytes, SEQUENCE, sequence);
    LONG.set(bytes, POSITION, position);
    LONG.set(bytes, EXTENTS, (long) extents);
    INT.set(bytes, CHECKSUM, Checksum.of(bytes, 0, length));
  }

  /** Returns the length that a header says; any number if there is none. */
  static int length(byte[] bytes, int at) {
    return (int) INT.get(bytes, at + LENGTH);
  }

  /** Returns true if a whole record of a store is there. Sets the checksum to zero. */
  static boolean isWhole(byte[] bytes, int at, long store) {
    int found = (int) INT.get(bytes, at + CHECKSUM);
    INT.set(bytes, at + CHECKSUM, 0);
    return (long) LONG.get(bytes, at + STORE) == store
        && found == Checksum.of(bytes, at, at + length(bytes, at));
  }

  static long epoch(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + EPOCH);
  }

  static long sequence(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + SEQUENCE);
  }

  static long position(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + POSITION);
  }

  static int extents(byte[] bytes, int at) {
    return (int) INT.get(bytes, at + EXTENTS);
  }
}
