package io.pmstore.jmh.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.workload.Stalls.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is left of the longest operation without the pauses of the JVM. */
final class StallsTest {
  private static Span millis(long begin, long end) {
    return new Span(Instant.ofEpochMilli(begin), Instant.ofEpochMilli(end));
  }

  private static long longestMillis(List<Span> operations, List<Span> pauses) {
    return TimeUnit.NANOSECONDS.toMillis(Stalls.longestNanos(operations, pauses));
  }

  @Test
  void pausesWithinAnOperationDoNotCount() {
    List<Span> pauses = List.of(millis(100, 190), millis(200, 220), millis(500, 510));
    assertEquals(0, longestMillis(List.of(), pauses));
    assertEquals(7, longestMillis(List.of(millis(10, 17)), pauses));
    assertEquals(1, longestMillis(List.of(millis(99, 190)), pauses), "begins before a pause");
    assertEquals(2, longestMillis(List.of(millis(150, 192)), pauses), "ends after one");
    assertEquals(0, longestMillis(List.of(millis(110, 120)), pauses), "is in one");
    assertEquals(30, longestMillis(List.of(millis(90, 230)), pauses), "has two");
    assertEquals(9, longestMillis(List.of(millis(98, 191), millis(500, 519)), pauses));
  }

  @FunctionalInterface
  private interface Operation extends Worker {
    @Override
    default int prepare() {
      return 0;
    }
  }

  /** Returns the longest operation, and the longest without pauses, in nanoseconds. */
  private static long[] longest(Operation operation) throws Exception {
    try (Stalls stalls = new Stalls()) {
      RunFigures figures =
          new TimedRun(Duration.ofMillis(200), 1).run(List.of(operation), List.of("operation"));
      return new long[] {figures.allLatencies().getMaxValue(), stalls.longestNanos()};
    }
  }

  @Test
  void anOperationThatWaitsIsFound() throws Exception {
    long[] longest = longest(() -> TimeUnit.MILLISECONDS.sleep(20));
    assertTrue(longest[1] >= TimeUnit.MILLISECONDS.toNanos(20), () -> longest[1] + " ns");
  }

  @Test
  void theTimeOfTheGarbageCollectorIsTakenOff() throws Exception {
    long[] longest = longest(System::gc);
    assertTrue(longest[1] < longest[0], () -> longest[1] + " ns of " + longest[0]);
  }
}
