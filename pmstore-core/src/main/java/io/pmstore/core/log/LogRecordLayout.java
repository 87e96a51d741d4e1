package io.pmstore.core.log;

/**
 * Where the parts of a log record are.
 *
 * <pre>
 *   0                   1                   2                   3                   4
 *   0 . . . 4 . . . 8 . . . . . . . 6 . . . . . . . 4 . . . . . . . 2 . . . . . . . 0 . . . 4 . . . 8
 *   +-------+-------+---------------+---------------+---------------+---------------+-------+-------+---------
 *   |length |crc32c |    store      |     epoch     |   sequence    |    durable    | kind  | part  | payload
 *   +-------+-------+---------------+---------------+---------------+---------------+-------+-------+---------
 * </pre>
 *
 * <p>Little-endian. A record starts at a multiple of 8 and its length, which counts the header, is
 * one too. FORMAT.md says what the fields mean.
 */
public final class LogRecordLayout {
  /** The record's length in bytes, header included. */
  public static final int LENGTH = 0;

  /** The checksum over the whole record, with zero in its own place. */
  public static final int CHECKSUM = 4;

  /** The store that the record belongs to. */
  public static final int STORE = 8;

  /** The epoch in which it was written. */
  public static final int EPOCH = 16;

  /** Its place in the order of commits. */
  public static final int SEQUENCE = 24;

  /** The last sequence that was known to be durable when it was written. */
  public static final int DURABLE = 32;

  /** What the payload is. */
  public static final int KIND = 40;

  /** Which part of its commit it is, from 0; the last part is of kind {@link #KIND_COMMIT}. */
  public static final int PART = 44;

  /** The bytes before the payload. */
  public static final int HEADER_SIZE = 48;

  /** The alignment of records, in bytes. */
  public static final int ALIGNMENT = 8;

  /** The kind of a record whose payload is the ranges of a whole commit, or the last of them. */
  public static final int KIND_COMMIT = 1;

  /** The kind of a record whose payload is some ranges of a commit; more parts follow. */
  public static final int KIND_FRAGMENT = 2;

  private LogRecordLayout() {}

  /**
   * The largest payload of a record in segments of a size: a record takes an eighth of a segment at
   * most.
   *
   * @param segmentSize in bytes
   * @return the bytes
   */
  public static int payloadMax(long segmentSize) {
    return (int) (segmentSize / 8) / ALIGNMENT * ALIGNMENT - HEADER_SIZE;
  }

  /**
   * The largest payload of a commit, over all its records: whatever the place of the first one in
   * its segment, the other segments hold it.
   *
   * @param segments how many there are
   * @param segmentSize in bytes
   * @return the bytes
   */
  public static long commitMax(int segments, long segmentSize) {
    long payload = payloadMax(segmentSize);
    long records = (segmentSize - LogSegmentHeader.SIZE) / (payload + HEADER_SIZE);
    // A range may be cut in two at each record's end, which takes a second range header.
    return (segments - 1) * records * (payload - 40);
  }
}
