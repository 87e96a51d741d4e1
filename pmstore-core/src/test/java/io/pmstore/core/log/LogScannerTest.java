package io.pmstore.core.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LogScannerTest {
  private static final long STORE = 0x5157_0000_0000_0001L;
  private static final long EPOCH = 4;
  private static final int SIZE = 16384;
  private static final LogPosition START = RedoLog.startOf(0, 10);

  private final byte[][] segments = {new byte[SIZE], new byte[SIZE], new byte[SIZE]};
  private final int[] ends = {LogSegmentHeader.SIZE, LogSegmentHeader.SIZE, LogSegmentHeader.SIZE};

  /** Puts a record with a payload of some bytes behind the last one of a segment. */
  private void append(int segment, long epoch, long sequence, long durable, int payload) {
    append(segment, epoch, sequence, durable, payload, LogRecordLayout.KIND_COMMIT, 0);
  }

  private void append(
      int segment, long epoch, long sequence, long durable, int payload, int kind, int part) {
    byte[] record = new byte[LogRecordLayout.HEADER_SIZE + payload];
    Arrays.fill(record, (byte) sequence);
    LogRecord.seal(record, record.length, STORE, epoch, sequence, durable, kind, part);
    System.arraycopy(record, 0, segments[segment], ends[segment], record.length);
    ends[segment] += record.length;
  }

  private List<MemorySegment> bytes() {
    return Stream.of(segments).map(MemorySegment::ofArray).toList();
  }

  private List<Long> found(LogPosition expectedEnd) {
    return foundFrom(START, expectedEnd);
  }

  private List<Long> foundFrom(LogPosition start, LogPosition expectedEnd) {
    List<Long> sequences = new ArrayList<>();
    LogPosition end =
        LogScanner.scan(
            bytes(),
            STORE,
            EPOCH,
            start,
            Long.MAX_VALUE,
            (record, at) -> {
              assertEquals(at.sequence(), record.sequence());
              sequences.add(record.sequence());
            });
    assertEquals(expectedEnd, end);
    return sequences;
  }

  private LogScanner.Evidence damage(LogPosition end) {
    return LogScanner.findDamage(bytes(), STORE, EPOCH, end);
  }

  @Test
  void anEmptyLog() {
    assertEquals(List.of(), found(START));
    assertNull(damage(START));
  }

  @Test
  void recordsInOrderUpToTheEnd() {
    append(0, EPOCH, 10, 9, 80);
    append(0, EPOCH, 11, 9, 0);
    append(0, EPOCH, 12, 11, 8);
    LogPosition end = new LogPosition(0, ends[0], 13);
    assertEquals(List.of(10L, 11L, 12L), found(end));
    assertNull(damage(end));
  }

  @Test
  void aSegmentFilledToItsLastByteGoesOnInTheOther() {
    List<Long> sequences = new ArrayList<>(List.of(10L));
    append(0, EPOCH, 10, 9, 24);
    while (ends[0] < SIZE) {
      sequences.add(sequences.getLast() + 1);
      int payload = Math.min(1000, SIZE - ends[0] - LogRecordLayout.HEADER_SIZE);
      append(0, EPOCH, sequences.getLast(), 9, payload);
    }
    sequences.add(sequences.getLast() + 1);
    append(1, EPOCH, sequences.getLast(), 11, 24);
    LogPosition end = new LogPosition(1, ends[1], sequences.getLast() + 1);
    assertEquals(sequences, found(end));
    assertNull(damage(end));
  }

  @Test
  void aSegmentThatEndsEarlyAndOneWithoutRecordsArePassed() {
    append(0, EPOCH, 10, 9, 24);
    append(1, EPOCH, 3, 2, 24); // of its use before
    append(2, EPOCH, 11, 9, 24, LogRecordLayout.KIND_FRAGMENT, 0);
    append(2, EPOCH, 11, 9, 24, LogRecordLayout.KIND_COMMIT, 1);
    LogPosition end = new LogPosition(2, ends[2], 12);
    assertEquals(List.of(10L, 11L, 11L), found(end));
    assertNull(damage(end));
  }

  @Test
  void aSegmentWithoutRecordsInTheMidstOfACommitIsPassed() {
    append(1, EPOCH, 11, 10, 24, LogRecordLayout.KIND_COMMIT, 1);
    append(2, EPOCH, 10, 9, 24);
    append(2, EPOCH, 11, 9, 24, LogRecordLayout.KIND_FRAGMENT, 0);
    LogPosition end = new LogPosition(1, ends[1], 12);
    assertEquals(List.of(10L, 11L, 11L), foundFrom(RedoLog.startOf(2, 10), end));
  }

  @Test
  void deadRecordsAreNotRead() {
    append(0, EPOCH, 10, 9, 8);
    append(0, EPOCH - 1, 11, 10, 8); // of an older epoch
    append(0, EPOCH, 7, 6, 8); // of an earlier use of the segment
    append(1, EPOCH, 5, 4, 8);
    LogPosition end =
        new LogPosition(0, LogSegmentHeader.SIZE + LogRecordLayout.HEADER_SIZE + 8L, 11);
    assertEquals(List.of(10L), found(end));
    assertNull(damage(end));
  }

  @Test
  void aRecordOfAnotherStoreIsNone() {
    append(0, EPOCH, 10, 9, 8);
    assertNotNull(LogScanner.read(bytes().getFirst(), LogSegmentHeader.SIZE, STORE));
    assertNull(LogScanner.read(bytes().getFirst(), LogSegmentHeader.SIZE, STORE + 1));
  }

  @Test
  void aTornRecordEndsTheLogUnlessALaterOneProvesIt() {
    append(0, EPOCH, 10, 9, 8);
    append(0, EPOCH, 11, 9, 8);
    append(0, EPOCH, 12, 9, 8);
    segments[0][LogSegmentHeader.SIZE] ^= 1; // the first one's length
    assertEquals(List.of(), found(START));
    assertNull(damage(START), "12 was written when 9 was durable");
    append(0, EPOCH, 13, 10, 8);
    LogScanner.Evidence evidence = damage(START);
    assertNotNull(evidence);
    assertEquals(13, evidence.sequence());
    assertEquals(10, evidence.durable());
  }

  @Test
  void proofIsFoundInTheOtherSegmentToo() {
    append(0, EPOCH, 10, 9, 8);
    append(1, EPOCH, 11, 10, 8);
    segments[0][LogSegmentHeader.SIZE + 50] ^= 1;
    assertEquals(List.of(), found(START));
    LogScanner.Evidence evidence = damage(START);
    assertNotNull(evidence);
    assertEquals(1, evidence.segment());
    assertEquals(LogSegmentHeader.SIZE, evidence.offset());
  }

  @Test
  void proofIsFoundWhereverItLies() {
    int last = SIZE - LogRecordLayout.HEADER_SIZE;
    for (int at = LogSegmentHeader.SIZE; at <= last; at += LogRecordLayout.ALIGNMENT) {
      Arrays.fill(segments[1], (byte) 0);
      ends[1] = at;
      append(1, EPOCH, 11, 10, 0);
      LogScanner.Evidence evidence = damage(START);
      assertNotNull(evidence, "at " + at);
      assertEquals(at, evidence.offset());
    }
  }

  @Test
  void aLaterEpochProvesThatTheHeapIsOld() {
    append(0, EPOCH, 10, 9, 8);
    append(1, EPOCH + 1, 10, 9, 8);
    LogPosition end = new LogPosition(0, ends[0], 11);
    assertEquals(List.of(10L), found(end));
    LogScanner.Evidence evidence = damage(end);
    assertNotNull(evidence);
    assertEquals(EPOCH + 1, evidence.epoch());
  }

  @Test
  void everyFlippedBitMakesARecordNone() {
    append(0, EPOCH, 10, 9, 40);
    byte[] original = segments[0].clone();
    for (int at = LogSegmentHeader.SIZE; at < ends[0]; at++) {
      for (int bit = 0; bit < 8; bit++) {
        segments[0][at] ^= (byte) (1 << bit);
        assertNull(LogScanner.read(bytes().getFirst(), LogSegmentHeader.SIZE, STORE), "at " + at);
        segments[0][at] ^= (byte) (1 << bit);
      }
    }
    assertArrayEquals(original, segments[0]);
  }

  @Test
  void lengthsThatCannotBeAreNotFollowed() {
    for (int length :
        new int[] {
          0, 1, 8, 47, 52, Integer.MIN_VALUE, -8, Integer.MAX_VALUE, Integer.MAX_VALUE - 7, SIZE
        }) {
      append(0, EPOCH, 10, 9, 8);
      MemorySegment.ofArray(segments[0])
          .set(java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED, LogSegmentHeader.SIZE, length);
      assertEquals(List.of(), found(START));
      ends[0] = LogSegmentHeader.SIZE;
    }
    for (long offset = SIZE - LogRecordLayout.HEADER_SIZE + 8L; offset <= SIZE; offset += 8) {
      assertNull(LogScanner.read(bytes().getFirst(), offset, STORE));
    }
  }

  @Test
  void partsOfACommitFollowEachOtherOverSegments() {
    int fragment = LogRecordLayout.KIND_FRAGMENT;
    append(0, EPOCH, 10, 9, 24);
    append(0, EPOCH, 11, 10, 64, fragment, 0);
    append(0, EPOCH, 11, 10, 64, fragment, 1);
    append(1, EPOCH, 11, 10, 32, LogRecordLayout.KIND_COMMIT, 2);
    append(1, EPOCH, 12, 10, 24);
    assertEquals(List.of(10L, 11L, 11L, 11L, 12L), found(new LogPosition(1, ends[1], 13)));
  }

  @Test
  void aCommitWithoutItsLastPartIsNotInTheLog() {
    int fragment = LogRecordLayout.KIND_FRAGMENT;
    append(0, EPOCH, 10, 9, 24);
    int end = ends[0];
    append(0, EPOCH, 11, 10, 64, fragment, 0);
    append(0, EPOCH, 11, 10, 64, fragment, 1);
    append(0, EPOCH, 12, 10, 64);
    assertEquals(List.of(10L, 11L, 11L), found(new LogPosition(0, end, 11)));
    assertNull(damage(new LogPosition(0, end, 11)));
    append(1, EPOCH, 12, 11, 24);
    assertNotNull(damage(new LogPosition(0, end, 11)), "11 was durable once");
  }

  @Test
  void aMissingPartEndsTheLogBeforeItsCommit() {
    int fragment = LogRecordLayout.KIND_FRAGMENT;
    append(0, EPOCH, 10, 9, 64, fragment, 0);
    append(0, EPOCH, 10, 9, 64, LogRecordLayout.KIND_COMMIT, 2);
    assertEquals(List.of(10L), found(START));
  }
}
