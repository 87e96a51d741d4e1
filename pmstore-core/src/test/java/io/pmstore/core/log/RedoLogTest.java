package io.pmstore.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The places of records, and the files that a sync covers. */
class RedoLogTest {
  private static final int SEGMENT = 1 << 16;
  private static final int COMMIT = 20_000; // three of them in a segment
  private static final int PART =
      6664; // of a commit: a record takes an eighth of a segment at most
  private static final int SEGMENTS = 4;

  private final List<Integer> synced = new ArrayList<>();
  private final RedoLog log =
      new RedoLog(
          new LogSegments(
              IntStream.range(0, SEGMENTS)
                  .mapToObj(
                      i ->
                          new LogSegments.Segment(
                              file(i), MemorySegment.ofArray(new byte[SEGMENT])))
                  .toList()),
          7,
          1,
          0,
          RedoLog.startOf(0, 1));

  private MediumFile file(int number) {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (proxy, method, args) -> {
              assertEquals("sync", method.getName());
              synced.add(number);
              return null;
            });
  }

  private LogPosition take(long sequence) {
    if (!log.fits(COMMIT)) {
      assertTrue(log.rotate());
    }
    log.take(PART);
    log.take(PART);
    LogPosition place = log.takeLast(COMMIT - 2 * PART);
    assertEquals(sequence, place.sequence());
    assertEquals(sequence, log.position());
    return place;
  }

  private List<Integer> syncedBy(LogPosition upTo) throws IOException {
    synced.clear();
    log.sync(upTo);
    return List.copyOf(synced);
  }

  /** Records are written beside each other: a later one may be there before an earlier one. */
  @Test
  void aSyncLeavesTheSegmentsOfLaterRecordsToTheNext() throws IOException {
    List<LogPosition> places = new ArrayList<>();
    for (int sequence = 1; sequence <= 5; sequence++) {
      places.add(take(sequence));
    }
    assertEquals(List.of(0, 0, 0, 1, 1), places.stream().map(LogPosition::segment).toList());
    assertEquals(List.of(0), syncedBy(places.get(1)));
    assertEquals(List.of(0, 1), syncedBy(places.get(4)));
    assertEquals(List.of(1), syncedBy(places.get(4)));
  }

  @Test
  void aSyncGoesAroundTheEndOfTheLastSegment() throws IOException {
    LogPosition last = take(1);
    for (int sequence = 2; sequence <= 12; sequence++) {
      last = take(sequence);
    }
    assertEquals(SEGMENTS - 1, last.segment());
    assertEquals(List.of(0, 1, 2, 3), syncedBy(last));
    assertFalse(log.rotate());
    log.retire(last);
    assertEquals(List.of(3, 0), syncedBy(take(13)));
  }

  /** A log that was empty moves to larger segments, and then one commit fills the whole ring. */
  @Test
  void aSyncCoversTheWholeRingWhenTheLogMovedOnWithoutRecords() throws IOException {
    assertEquals(List.of(0), syncedBy(take(1)));
    assertTrue(log.rotate()); // no record comes into segment 1
    log.retire(RedoLog.startOf(1, 2));
    LogPosition last = take(2);
    for (int sequence = 3; sequence <= 3 * SEGMENTS + 1; sequence++) {
      last = take(sequence);
    }
    assertEquals(0, last.segment());
    assertEquals(List.of(1, 2, 3, 0), syncedBy(last));
    assertEquals(List.of(0), syncedBy(last));
  }

  /** Recovery would not read it. */
  @Test
  void aRecordOfMoreThanAnEighthOfItsSegmentIsRefused() {
    log.take(SEGMENT / 8);
    LogPosition next = log.next();
    assertThrows(IllegalStateException.class, () -> log.take(SEGMENT / 8 + 8));
    assertThrows(IllegalStateException.class, () -> log.takeLast(SEGMENT / 8 + 8));
    assertEquals(next, log.next());
  }
}
