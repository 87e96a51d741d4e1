package io.pmstore.core.log;

import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.core.medium.Checksum;

/**
 * A whole, valid record.
 *
 * @param bytes all of it, as in the log
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LogRecord(byte[] bytes) {
  /**
   * Writes a record's header in front of its payload, with the checksum over both.
   *
   * @param bytes the record, with the payload in place
   * @param length of the record in bytes, header included
   * @param sequence the commit's place in the order of commits
   * @param durable the last sequence known to be durable
   * @param kind a kind of {@link LogRecordLayout}
   * @param part the number of the record in its commit
   */
  static void seal(
      byte[] bytes,
      int length,
      long store,
      long epoch,
      long sequence,
      long durable,
      int kind,
      int part) {
    INT.set(bytes, LogRecordLayout.LENGTH, length);
    INT.set(bytes, LogRecordLayout.CHECKSUM, 0);
    LONG.set(bytes, LogRecordLayout.STORE, store);
    LONG.set(bytes, LogRecordLayout.EPOCH, epoch);
    LONG.set(bytes, LogRecordLayout.SEQUENCE, sequence);
    LONG.set(bytes, LogRecordLayout.DURABLE, durable);
    INT.set(bytes, LogRecordLayout.KIND, kind);
    INT.set(bytes, LogRecordLayout.PART, part);
    INT.set(bytes, LogRecordLayout.CHECKSUM, Checksum.of(bytes, 0, length));
  }

  /** Returns true if the checksum is right. Sets the checksum field to zero. */
  static boolean verify(byte[] bytes) {
    int found = (int) INT.get(bytes, LogRecordLayout.CHECKSUM);
    INT.set(bytes, LogRecordLayout.CHECKSUM, 0);
    return found == Checksum.of(bytes, 0, bytes.length);
  }

  /** Returns the record's length in the log, in bytes, header included. */
  public int length() {
    return bytes.length;
  }

  /** Returns the epoch in which it was written. */
  public long epoch() {
    return (long) LONG.get(bytes, LogRecordLayout.EPOCH);
  }

  /** Returns its commit's place in the order of commits. */
  public long sequence() {
    return (long) LONG.get(bytes, LogRecordLayout.SEQUENCE);
  }

  /** Returns the last sequence that was known to be durable when it was written. */
  public long durable() {
    return (long) LONG.get(bytes, LogRecordLayout.DURABLE);
  }

  /**
   * Returns the kind of the payload: one in {@link LogRecordLayout}, or one that this program does
   * not know.
   */
  public int kind() {
    return (int) INT.get(bytes, LogRecordLayout.KIND);
  }

  /** Returns its number in its commit, from 0. */
  public int part() {
    return (int) INT.get(bytes, LogRecordLayout.PART);
  }
}
