package io.pmstore.core.log;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.util.List;

/**
 * Appends records to the active segment of the log.
 *
 * <p>Not safe for use by several threads, but for {@link #sync}, which may run beside the other
 * methods.
 */
public final class RedoLog {
  private static final int BUFFER_KEPT_MAX = 1 << 20;

  private final List<MediumFile> segments;
  private final long segmentSize;
  private final long store;
  private final long epoch;
  private byte[] buffer = new byte[4096];
  // Read by the thread that syncs: what it has seen appended before is in this segment, or was
  // synced before the rotation.
  private volatile int active;
  private long offset = LogSegmentHeader.SIZE;

  /**
   * Creates the log of an epoch that was made durable before, with no record yet.
   *
   * @param segments the files of the segments
   * @param segmentSize their size in bytes
   * @param store what the records will belong to
   * @param epoch in which they will be written
   * @param segment where the first record goes, at its start
   */
  public RedoLog(List<MediumFile> segments, long segmentSize, long store, long epoch, int segment) {
    this.segments = segments;
    this.segmentSize = segmentSize;
    this.store = store;
    this.epoch = epoch;
    this.active = segment;
  }

  /**
   * Says whether a record has room in the active segment.
   *
   * @param payload the bytes that it would hold
   * @return true if it has
   */
  public boolean fits(long payload) {
    return offset + LogRecordLayout.HEADER_SIZE + payload <= segmentSize;
  }

  /**
   * Gets memory for a record, so that appending it cannot fail for want of some.
   *
   * @param payload the bytes that it will hold
   */
  public void reserve(int payload) {
    int size = LogRecordLayout.HEADER_SIZE + payload;
    if (buffer.length < size) {
      buffer = new byte[Math.max(size, Math.min(buffer.length * 2, BUFFER_KEPT_MAX))];
    }
  }

  /**
   * Appends a record that fits, after {@link #reserve}. It survives the process when the method
   * returns.
   *
   * @param sequence its place in the order of commits
   * @param durable the last sequence known to be durable
   * @param payload what it holds
   * @param length of the payload in bytes, a multiple of 8
   * @throws IOException if that failed; the record may then be there, in part or whole
   */
  public void append(long sequence, long durable, byte[] payload, int length) throws IOException {
    int size = LogRecordLayout.HEADER_SIZE + length;
    System.arraycopy(payload, 0, buffer, LogRecordLayout.HEADER_SIZE, length);
    LogRecord.seal(buffer, size, store, epoch, sequence, durable);
    segments.get(active).write(offset, buffer, 0, size);
    offset += size;
    if (buffer.length > BUFFER_KEPT_MAX) {
      buffer = new byte[4096];
    }
  }

  /**
   * Makes the next segment the active one, from its start. All records so far are durable, and it
   * is free.
   */
  public void rotate() {
    active = (active + 1) % segments.size();
    offset = LogSegmentHeader.SIZE;
  }

  /**
   * Makes durable what was appended before the call.
   *
   * @throws IOException if that failed
   */
  public void sync() throws IOException {
    segments.get(active).sync();
  }

  /**
   * Where the first record after the next {@link #rotate} goes.
   *
   * @param sequence of that record
   * @return its place
   */
  public LogPosition nextSegment(long sequence) {
    return startOf((active + 1) % segments.size(), sequence);
  }

  /**
   * Where the first record of a segment goes.
   *
   * @param segment the number of the segment
   * @param sequence of that record
   * @return its place
   */
  public static LogPosition startOf(int segment, long sequence) {
    return new LogPosition(segment, LogSegmentHeader.SIZE, sequence);
  }

  /**
   * Where a record would go.
   *
   * @param sequence of that record
   * @return its place
   */
  public LogPosition next(long sequence) {
    return new LogPosition(active, offset, sequence);
  }

  /**
   * The epoch in which records are written.
   *
   * @return the epoch
   */
  public long epoch() {
    return epoch;
  }
}
