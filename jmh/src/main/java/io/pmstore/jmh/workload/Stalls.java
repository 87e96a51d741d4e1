package io.pmstore.jmh.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * How long operations of a {@link TimedRun} take without the pauses of the JVM, in which its
 * garbage collector stops every thread: what is left of a long operation is the store's own, or
 * another program's that took the processor. Flight Recorder records both from when this is made.
 */
public final class Stalls implements AutoCloseable {
  private static final String PAUSE_BEGINS = "jdk.SafepointBegin";
  private static final String PAUSE_ENDS = "jdk.SafepointEnd";
  private static final String PAUSE = "safepointId";

  private final Recording recording = new Recording();

  /** A time in which an operation ran, or the JVM stood still. */
  record Span(Instant begin, Instant end) {
    /** Returns how much of this time another one covers. */
    Duration covered(Span other) {
      Instant from = begin.isAfter(other.begin) ? begin : other.begin;
      Instant to = end.isBefore(other.end) ? end : other.end;
      return from.isBefore(to) ? Duration.between(from, to) : Duration.ZERO;
    }
  }

  /** Begins to record. */
  public Stalls() {
    recording.enable(LongOperation.NAME);
    recording.enable(PAUSE_BEGINS).withoutThreshold();
    recording.enable(PAUSE_ENDS).withoutThreshold();
    recording.start();
  }

  /**
   * Ends the recording, and reads it.
   *
   * @return the nanoseconds of the longest operation without the pauses of the JVM in it; 200,000,
   *     the least that it sees, if no operation took so long
   * @throws IOException if the recording cannot be kept in a temporary file, or read
   */
  public long longestNanos() throws IOException {
    recording.stop();
    Path file = Files.createTempFile("stalls", ".jfr");
    try {
      recording.dump(file);
      return longestNanos(RecordingFile.readAllEvents(file));
    } finally {
      Files.delete(file);
    }
  }

  private static long longestNanos(List<RecordedEvent> events) {
    List<Span> operations = new ArrayList<>();
    Map<Long, Instant> begun = new HashMap<>();
    Map<Long, Instant> ended = new HashMap<>();
    for (RecordedEvent event : events) {
      switch (event.getEventType().getName()) {
        case LongOperation.NAME -> {
          Instant end = event.getEndTime();
          operations.add(new Span(end.minus(event.getDuration(LongOperation.TOOK)), end));
        }
        case PAUSE_BEGINS -> begun.put(event.getLong(PAUSE), event.getStartTime());
        case PAUSE_ENDS -> ended.put(event.getLong(PAUSE), event.getEndTime());
        default -> {}
      }
    }
    List<Span> pauses = new ArrayList<>();
    begun.forEach(
        (pause, begin) -> {
          Instant end = ended.get(pause);
          if (end != null) {
            pauses.add(new Span(begin, end));
          }
        });
    return Math.max(LongOperation.LEAST_NANOS, longestNanos(operations, pauses));
  }

  /**
   * Returns the longest operation without the pauses in it.
   *
   * @param pauses which do not overlap each other
   * @return nanoseconds, 0 if there are no operations
   */
  static long longestNanos(List<Span> operations, List<Span> pauses) {
    long longest = 0;
    for (Span operation : operations) {
      Duration left = Duration.between(operation.begin, operation.end);
      for (Span pause : pauses) {
        left = left.minus(operation.covered(pause));
      }
      longest = Math.max(longest, left.toNanos());
    }
    return longest;
  }

  @Override
  public void close() {
    recording.close();
  }
}
