package io.pmstore.core.log;

import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.SharedWords;
import java.io.IOException;

/**
 * Assigns commits their positions and records their places in the segments of the log, and writes
 * the records.
 *
 * <p>The segments form a ring: those from the checkpoint's to the active one are in use, the others
 * are free. A lock of the caller guards the methods that assign places and free segments. Any
 * number of threads may call {@link #write}; one at a time may call {@link #sync}.
 */
public final class RedoLog {
  // What each commit changes: the position of the last one, and where the next record goes.
  private static final int POSITION = 0;
  private static final int OFFSET = 1;

  private final SharedWords end = new SharedWords(2);
  private final LogSegments segments;
  private final long store;
  private final long epoch;

  // Counts on where the ring starts again: segment n, modulo their number, has had this turn.
  private volatile long active;
  private volatile int oldest;
  private int claimed = -1;

  // Counts as the active one does. Used only by the thread that syncs.
  private long firstUnsynced;

  /**
   * Creates the log of an epoch that is already durable and has no record yet.
   *
   * @param store the identity that the records will carry
   * @param oldest the segment from which recovery would read
   * @param next where the first record goes
   */
  public RedoLog(LogSegments segments, long store, long epoch, int oldest, LogPosition next) {
    this.segments = segments;
    this.store = store;
    this.epoch = epoch;
    this.active = next.segment();
    end.setRelease(POSITION, next.sequence() - 1);
    end.setPlain(OFFSET, next.offset());
    this.oldest = oldest;
    this.firstUnsynced = next.segment();
  }

  /**
   * Returns true if a record fits the active segment.
   *
   * @param size of the record in bytes, header included
   */
  public boolean fits(int size) {
    return end.getPlain(OFFSET) + size <= activeSize();
  }

  /** Makes the next segment the active one. Returns false if it is still in use, or claimed. */
  public boolean rotate() {
    long next = active + 1;
    if (segment(next) == oldest || segment(next) == claimed) {
      return false;
    }
    active = next;
    end.setPlain(OFFSET, LogSegmentHeader.SIZE);
    return true;
  }

  /**
   * Assigns the next place to a record of a commit that has no position yet. The record {@link
   * #fits}.
   *
   * @param size of the record in bytes, header included, a multiple of 8
   * @return where to write it
   */
  public LogPosition take(int size) {
    assert fits(size) && size % 8 == 0 : size;
    if (size > LogRecordLayout.HEADER_SIZE + LogRecordLayout.payloadMax(activeSize())) {
      throw new IllegalStateException(
          "a record of %d bytes may not be in a log segment of %d bytes"
              .formatted(size, activeSize()));
    }
    LogPosition place = next();
    end.setPlain(OFFSET, place.offset() + size);
    return place;
  }

  /**
   * Assigns the next position and the next place to the only or last record of a commit, which
   * {@link #fits}.
   *
   * @param size as for {@link #take}
   * @return where to write it
   */
  public LogPosition takeLast(int size) {
    LogPosition place = take(size);
    end.setRelease(POSITION, place.sequence());
    return place;
  }

  /** Returns the position of the last commit that has one. Needs no lock. */
  public long position() {
    return end.get(POSITION);
  }

  private int segment(long turn) {
    return (int) (turn % segments.count());
  }

  /** Returns the place of the next record. */
  public LogPosition next() {
    return new LogPosition(segment(active), end.getPlain(OFFSET), end.getPlain(POSITION) + 1);
  }

  /**
   * Returns the number of segments that recovery would read, the active one included. No record may
   * overwrite them. May also be called without the lock.
   */
  public int segmentsInUse() {
    return Math.floorMod(segment(active) - oldest, segments.count()) + 1;
  }

  /**
   * Returns the length of a part of the log in bytes, including what is unused at the ends of
   * segments.
   *
   * @param from where it starts
   * @param to where it ends, less than all segments away
   */
  public long bytes(LogPosition from, LogPosition to) {
    long bytes = to.offset() - from.offset();
    for (int i = from.segment(); i != to.segment(); i = (i + 1) % segments.count()) {
      bytes += segments.get(i).size() - LogSegmentHeader.SIZE;
    }
    return bytes;
  }

  /**
   * Frees the segments before a durable checkpoint.
   *
   * @param checkpoint where recovery would start
   */
  public void retire(LogPosition checkpoint) {
    oldest = checkpoint.segment();
  }

  /** Returns the size of the active segment in bytes, header included. */
  public long activeSize() {
    return segments.get(segment(active)).size();
  }

  /**
   * Returns the number of the free segment that would be used last among those of another size than
   * {@code size} bytes, or -1.
   */
  public int freeOfOtherSize(long size) {
    for (int i = 1; i <= segments.count() - segmentsInUse(); i++) {
      int number = Math.floorMod(oldest - i, segments.count());
      if (segments.get(number).size() != size) {
        return number;
      }
    }
    return -1;
  }

  /**
   * Claims the segment that {@link #freeOfOtherSize} finds, so that {@link #rotate} does not use
   * it. Returns its number, or -1.
   */
  public int claimFreeOfOtherSize(long size) {
    int number = freeOfOtherSize(size);
    if (number >= 0) {
      claimed = number;
    }
    return number;
  }

  /** Puts a segment in the place of the claimed one, and lets it be used. */
  public void unclaim(LogSegments.Segment segment) {
    assert claimed >= 0 : "no segment is claimed";
    segments.replace(claimed, segment);
    claimed = -1;
  }

  /**
   * Writes a record to its place. It survives the process when the method returns.
   *
   * @param place from {@link #take}
   * @param kind a kind of {@link LogRecordLayout}
   * @param part the number of the record in its commit
   * @param durable the last sequence known to be durable
   * @param record room for the header, and the payload
   * @param size of the record in bytes, header included
   * @param relaxed true if no thread will wait until the record is durable
   * @throws IOException if the write fails; the record may then be in the log, in part or whole
   */
  public void write(
      LogPosition place, int kind, int part, long durable, byte[] record, int size, boolean relaxed)
      throws IOException {
    LogRecord.seal(record, size, store, epoch, place.sequence(), durable, kind, part);
    MediumFile file = segments.get(place.segment()).file();
    if (relaxed) {
      file.writeRelaxed(place.offset(), record, 0, size);
    } else {
      file.write(place.offset(), record, 0, size);
    }
  }

  /**
   * Makes records durable. Calls must not overlap.
   *
   * @param upTo the place of the last record that is written together with all before it; it is not
   *     known to be durable, so its segment is in use. Later records may be in the log too, whole
   *     or in part
   * @throws IOException if the sync fails
   */
  public void sync(LogPosition upTo) throws IOException {
    long newest = active;
    long last = newest - Math.floorMod(segment(newest) - upTo.segment(), segments.count());
    // Segments of earlier turns that nobody synced were skipped, or a checkpoint has retired them.
    assert segmentsInUse() > newest - last : upTo + " is in no segment in use";
    long first = Math.max(firstUnsynced, last - segments.count() + 1);
    for (long turn = Math.min(first, last); turn <= last; turn++) {
      sync(segment(turn));
      firstUnsynced = turn;
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same object is meant, not an equal one
  private void sync(int number) throws IOException {
    MediumFile file = segments.get(number).file();
    try {
      file.sync();
    } catch (IOException e) {
      if (segments.get(number).file() == file) {
        throw e;
      }
      // The segment was free and has been replaced: no recovery needs its records.
    }
  }

  /**
   * Makes what the calling thread has written durable, on a medium that syncs per thread.
   *
   * @param place of the last record that the thread wrote
   * @throws IOException if the sync fails
   */
  public void syncOwn(LogPosition place) throws IOException {
    segments.get(place.segment()).file().sync();
  }

  /** Returns the place of the first record of a segment, which will have this sequence. */
  public static LogPosition startOf(int segment, long sequence) {
    return new LogPosition(segment, LogSegmentHeader.SIZE, sequence);
  }

  /** Returns the epoch in which records are written. */
  public long epoch() {
    return epoch;
  }
}
