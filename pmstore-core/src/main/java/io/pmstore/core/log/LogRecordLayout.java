package io.pmstore.core.log;

/**
 * The layout of a log record.
 *
 * <pre>
 *   0                   1                   2                   3                   4
 *   0 . . . 4 . . . 8 . . . . . . . 6 . . . . . . . 4 . . . . . . . 2 . . . . . . . 0 . . . 4 . . . 8
 *   +-------+-------+---------------+---------------+---------------+---------------+-------+-------+---------
 *   |length |crc32c |    store      |     epoch     |   sequence    |    durable    | kind  | part  | payload
 *   +-------+-------+---------------+---------------+---------------+---------------+-------+-------+---------
 * </pre>
 *
 * <p>Little-endian. A record's offset and its length, which includes the header, are multiples of
 * 8. FORMAT.md describes the fields.
 */
public final class LogRecordLayout {
  /** The record's length in bytes, header included. */
  public static final int LENGTH = 0;

  /** The checksum over the whole record, computed with zero in this field. */
  public static final int CHECKSUM = 4;

  /** The store that the record belongs to. */
  public static final int STORE = 8;

  /** The epoch in which the record was written. */
  public static final int EPOCH = 16;

  /** The place of the record's commit in the order of commits. */
  public static final int SEQUENCE = 24;

  /** The last sequence that was known to be durable when the record was written. */
  public static final int DURABLE = 32;

  /** The kind of the payload. */
  public static final int KIND = 40;

  /** The record's number in its commit, from 0; the last record has kind {@link #KIND_COMMIT}. */
  public static final int PART = 44;

  /** The bytes before the payload. */
  public static final int HEADER_SIZE = 48;

  /** The alignment of records, in bytes. */
  public static final int ALIGNMENT = 8;

  /** The kind of a record whose payload holds all ranges of a commit, or the last of them. */
  public static final int KIND_COMMIT = 1;

  /** The kind of a record whose payload holds some ranges of a commit; more records follow. */
  public static final int KIND_FRAGMENT = 2;

  private LogRecordLayout() {}

  /**
   * Returns the largest payload of a record, in bytes: a record takes at most an eighth of a
   * segment.
   *
   * @param segmentSize in bytes
   */
  public static int payloadMax(long segmentSize) {
    return (int) (segmentSize / 8) / ALIGNMENT * ALIGNMENT - HEADER_SIZE;
  }

  /**
   * Returns the largest payload of a commit over all its records, in bytes. Wherever its first
   * record starts, the other segments have room for it.
   *
   * @param segments their number
   * @param segmentSize in bytes
   * @param recordSegmentSize the segment size that determines the size of records, in bytes
   */
  public static long commitMax(int segments, long segmentSize, long recordSegmentSize) {
    long payload = payloadMax(recordSegmentSize);
    long records = (segmentSize - LogSegmentHeader.SIZE) / (payload + HEADER_SIZE);
    // The end of a record may cut a range in two, which takes a second range header.
    return (segments - 1) * records * (payload - 40);
  }
}
