package io.pmstore.core.log;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the records of a log at recovery: a pure function over the bytes of its segments. It writes
 * nothing, and trusts nothing that a checksum does not cover.
 *
 * <p>Commits follow each other with ascending sequences. A commit that was too large for one record
 * has several, with the same sequence and ascending parts. A segment may end early, or have none of
 * the epoch's records, where a log that grew has left it. The log ends behind the last whole
 * commit, if the next record is neither there nor at the start of any other segment. That record
 * was never written whole (a torn tail). No record waits for another, so records behind it may be
 * whole. But if a later record says that the missing one was already durable, then it was lost
 * after that: damage.
 */
public final class LogScanner {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int WORDS_AT_ONCE = 512;

  /** Receives the records of a log in their order. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes one record.
     *
     * @param at where it starts
     */
    void record(LogRecord record, LogPosition at);
  }

  /**
   * A record that proves damage.
   *
   * @param segment where it is
   * @param offset where it starts
   * @param epoch in which it was written
   * @param sequence its own
   * @param durable the last sequence that was durable when it was written
   */
  public record Evidence(int segment, long offset, long epoch, long sequence, long durable) {}

  private LogScanner() {}

  /**
   * Reads the records from a position on.
   *
   * @param segments the bytes of each segment
   * @param store the identity that its records have
   * @param epoch in which the records were written
   * @param from where the first record would start
   * @param limit the first sequence that is not wanted
   * @param visitor takes each record, including those of a commit that is not whole
   * @return the end of the log: where the first commit that is not whole starts, or would start
   */
  public static LogPosition scan(
      List<MemorySegment> segments,
      long store,
      long epoch,
      LogPosition from,
      long limit,
      Visitor visitor) {
    int segment = from.segment();
    long offset = from.offset();
    LogPosition end = from;
    int part = 0;
    int segmentsLeft = segments.size();
    while (end.sequence() < limit) {
      LogRecord record = read(segments.get(segment), offset, store);
      if (record != null && isNext(record, epoch, end.sequence(), part)) {
        visitor.record(record, new LogPosition(segment, offset, end.sequence()));
        offset += record.length();
        if (record.kind() == LogRecordLayout.KIND_FRAGMENT) {
          part++;
        } else {
          part = 0;
          end = new LogPosition(segment, offset, end.sequence() + 1);
        }
        continue;
      }
      if (--segmentsLeft == 0) {
        return end;
      }
      segment = (segment + 1) % segments.size();
      offset = LogSegmentHeader.SIZE;
    }
    return end;
  }

  private static boolean isNext(LogRecord record, long epoch, long sequence, int part) {
    return record.epoch() == epoch && record.sequence() == sequence && record.part() == part;
  }

  /**
   * Reads one record.
   *
   * @param segment the bytes of a segment
   * @return the record, or null if no whole record of the store starts at the offset
   */
  public static @Nullable LogRecord read(MemorySegment segment, long offset, long store) {
    if (offset > segment.byteSize() - LogRecordLayout.HEADER_SIZE
        || segment.get(LONG, offset + LogRecordLayout.STORE) != store) {
      return null;
    }
    int length = segment.get(INT, offset + LogRecordLayout.LENGTH);
    if (length < LogRecordLayout.HEADER_SIZE
        || length % LogRecordLayout.ALIGNMENT != 0
        || length > segment.byteSize() - offset
        || length > LogRecordLayout.HEADER_SIZE + LogRecordLayout.payloadMax(segment.byteSize())) {
      return null;
    }
    // Copied before the check: a checksum over mapped bytes would crash the process if the file
    // shrank meanwhile.
    byte[] bytes = new byte[length];
    MemorySegment.copy(segment, JAVA_BYTE, offset, bytes, 0, length);
    return LogRecord.verify(bytes) ? new LogRecord(bytes) : null;
  }

  /**
   * Looks for a record behind the end of a scan that proves that the log once continued there.
   *
   * @param end what the scan returned
   * @return the proof, or null
   */
  public static @Nullable Evidence findDamage(
      List<MemorySegment> segments, long store, long epoch, LogPosition end) {
    long[] words = new long[WORDS_AT_ONCE];
    for (int i = 0; i < segments.size(); i++) {
      MemorySegment segment = segments.get(i);
      long first = i == end.segment() ? end.offset() : LogSegmentHeader.SIZE;
      long beyond = segment.byteSize() - LogRecordLayout.HEADER_SIZE + LogRecordLayout.ALIGNMENT;
      for (long from = first; from < beyond; from += (long) words.length * Long.BYTES) {
        int count = (int) Math.min(words.length, (beyond - from) / Long.BYTES);
        // A copy and a loop over an array take a fraction of the time of as many single accesses.
        MemorySegment.copy(segment, LONG, from + LogRecordLayout.STORE, words, 0, count);
        for (int w = 0; w < count; w++) {
          long offset = from + (long) w * Long.BYTES;
          if (words[w] == store && segment.get(LONG, offset + LogRecordLayout.EPOCH) >= epoch) {
            LogRecord record = read(segment, offset, store);
            if (record != null && proves(record, epoch, end.sequence())) {
              return new Evidence(i, offset, record.epoch(), record.sequence(), record.durable());
            }
          }
        }
      }
    }
    return null;
  }

  /**
   * Looks at the first record of each segment for one of a later epoch. Whoever opens a closed
   * store begins with the start of a segment, and so does every commit that moves on to another
   * one: if a later epoch has acknowledged a commit, the segment of the last one starts with a
   * record that is later too.
   *
   * @return that record, or null
   */
  public static @Nullable Evidence findLater(List<MemorySegment> segments, long store, long epoch) {
    long offset = LogSegmentHeader.SIZE;
    for (int i = 0; i < segments.size(); i++) {
      MemorySegment segment = segments.get(i);
      if (segment.byteSize() - offset >= LogRecordLayout.HEADER_SIZE
          && segment.get(LONG, offset + LogRecordLayout.EPOCH) > epoch) {
        LogRecord record = read(segment, offset, store);
        if (record != null) {
          return new Evidence(i, offset, record.epoch(), record.sequence(), record.durable());
        }
      }
    }
    return null;
  }

  /**
   * A record of a later epoch is proof too: it is written only after the checkpoint that ends the
   * earlier epoch.
   */
  private static boolean proves(LogRecord record, long epoch, long missing) {
    return record.epoch() > epoch || (record.epoch() == epoch && record.durable() >= missing);
  }
}
