package io.pmstore.core.log;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.util.List;

/**
 * Gives records their places in the segments of the log, and writes them there.
 *
 * <p>The segments are used in a circle: from the one with the checkpoint to the active one they are
 * in use, the others are free. The methods that give places and free segments are called under a
 * lock of the caller; {@link #write} by any number of threads; {@link #sync} by one at a time.
 */
public final class RedoLog {
  private final List<MediumFile> segments;
  private final long segmentSize;
  private final long store;
  private final long epoch;

  private volatile int active;
  private long offset;
  private volatile int oldest;

  // Of the thread that syncs.
  private int firstUnsynced;

  /**
   * Creates the log of an epoch that was made durable before, with no record yet.
   *
   * @param segments the files of the segments
   * @param segmentSize their size in bytes
   * @param store what the records will belong to
   * @param epoch in which they will be written
   * @param oldest the segment from which on a recovery would read
   * @param next where the first record goes
   */
  public RedoLog(
      List<MediumFile> segments,
      long segmentSize,
      long store,
      long epoch,
      int oldest,
      LogPosition next) {
    this.segments = segments;
    this.segmentSize = segmentSize;
    this.store = store;
    this.epoch = epoch;
    this.active = next.segment();
    this.offset = next.offset();
    this.oldest = oldest;
    this.firstUnsynced = next.segment();
  }

  /**
   * Says whether a record has room in the active segment.
   *
   * @param size of the record in bytes, header included
   * @return true if it has
   */
  public boolean fits(int size) {
    return offset + size <= segmentSize;
  }

  /**
   * Makes the next segment the active one, if it is free.
   *
   * @return false if it is still in use
   */
  public boolean rotate() {
    int next = (active + 1) % segments.size();
    if (next == oldest) {
      return false;
    }
    active = next;
    offset = LogSegmentHeader.SIZE;
    return true;
  }

  /**
   * Gives a record that fits its place.
   *
   * @param sequence of its commit
   * @param size of the record in bytes, header included, a multiple of 8
   * @return where to write it
   */
  public LogPosition take(long sequence, int size) {
    LogPosition place = next(sequence);
    offset += size;
    return place;
  }

  /**
   * Where the next record would go.
   *
   * @param sequence of that record
   * @return its place
   */
  public LogPosition next(long sequence) {
    return new LogPosition(active, offset, sequence);
  }

  /**
   * How many segments no record may be written to, because a recovery would read them; may also be
   * asked without the lock.
   *
   * @return the number, with the active one
   */
  public int segmentsInUse() {
    return Math.floorMod(active - oldest, segments.size()) + 1;
  }

  /**
   * How long a part of the log is.
   *
   * @param from where it starts
   * @param to where it ends, less than all segments away
   * @return the bytes, with those left unused at the end of a segment
   */
  public long bytes(LogPosition from, LogPosition to) {
    int ends = Math.floorMod(to.segment() - from.segment(), segments.size());
    return ends * (segmentSize - LogSegmentHeader.SIZE) + to.offset() - from.offset();
  }

  /**
   * Frees the segments before a checkpoint that is durable.
   *
   * @param checkpoint where a recovery would start
   */
  public void retire(LogPosition checkpoint) {
    oldest = checkpoint.segment();
  }

  /**
   * Writes a record to its place. It survives the process when the method returns.
   *
   * @param place what {@link #take} returned
   * @param kind one of {@link LogRecordLayout}'s
   * @param part which part of its commit it is
   * @param durable the last sequence known to be durable
   * @param record the bytes: room for the header, and the payload
   * @param size of the record in bytes, header included
   * @throws IOException if that failed; the record may then be there, in part or whole
   */
  public void write(LogPosition place, int kind, int part, long durable, byte[] record, int size)
      throws IOException {
    LogRecord.seal(record, size, store, epoch, place.sequence(), durable, kind, part);
    segments.get(place.segment()).write(place.offset(), record, 0, size);
  }

  /**
   * Makes records durable. Syncs do not run beside each other.
   *
   * @param upTo the place of the last record of those that are written with all before them; later
   *     ones may be being written in the same segment, or be there, behind them
   * @throws IOException if that failed
   */
  public void sync(LogPosition upTo) throws IOException {
    int last = upTo.segment();
    for (int segment = firstUnsynced; ; segment = (segment + 1) % segments.size()) {
      segments.get(segment).sync();
      firstUnsynced = segment;
      if (segment == last) {
        return;
      }
    }
  }

  /**
   * Makes durable what the calling thread has written, where that is a matter of each thread.
   *
   * @param place of the last record that it wrote
   * @throws IOException if that failed
   */
  public void syncOwn(LogPosition place) throws IOException {
    segments.get(place.segment()).sync();
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
   * The epoch in which records are written.
   *
   * @return the epoch
   */
  public long epoch() {
    return epoch;
  }
}
