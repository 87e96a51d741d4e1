package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Measures the phases of one collection, for its report and for JFR events. */
final class CycleClock {
  /** The phases, with their names in recordings. */
  enum Phase {
    MARK("Mark"),
    WAIT("Wait"),
    SWEEP("Sweep");

    private final String title;

    Phase(String title) {
      this.title = title;
    }
  }

  private static final AtomicInteger LAST_ID =
      new AtomicInteger(); // for all stores, as JFR needs it

  private final String store;
  private final int id = LAST_ID.incrementAndGet();

  // Null if nothing is recorded: the first event would initialize Flight Recorder, which takes
  // longer than opening a store.
  private final @Nullable GarbageCollectionEvent collection =
      FlightRecorder.isInitialized() ? new GarbageCollectionEvent() : null;
  private @Nullable GcPhaseEvent event;

  private final Map<Phase, Duration> times = new EnumMap<>(Phase.class);
  private Phase phase = Phase.MARK;
  private long began;

  CycleClock(String store) {
    this.store = store;
  }

  /** Starts the first phase. */
  void start() {
    if (collection != null) {
      collection.begin();
    }
    begin(Phase.MARK);
  }

  /** Ends the current phase and begins the next. */
  void next(Phase next) {
    end();
    begin(next);
  }

  private void begin(Phase next) {
    phase = next;
    began = System.nanoTime();
    event = collection == null ? null : new GcPhaseEvent();
    if (event != null) {
      event.begin();
    }
  }

  private void end() {
    times.merge(phase, Duration.ofNanos(System.nanoTime() - began), Duration::plus);
    GcPhaseEvent ended = event;
    if (ended == null) {
      return;
    }
    ended.end();
    if (ended.shouldCommit()) {
      ended.store = store;
      ended.gcId = id;
      ended.name = phase.title;
      ended.commit();
    }
  }

  /** Ends the last phase, and the collection. */
  GcReport stop(GcReport.Cause cause, long liveObjects, long freedObjects, long freedBytes) {
    end();
    if (collection != null) {
      record(collection, cause, liveObjects, freedObjects, freedBytes);
    }
    return new GcReport(
        cause,
        liveObjects,
        freedObjects,
        freedBytes,
        time(Phase.MARK),
        time(Phase.WAIT),
        time(Phase.SWEEP));
  }

  private void record(
      GarbageCollectionEvent ended,
      GcReport.Cause cause,
      long liveObjects,
      long freedObjects,
      long freedBytes) {
    ended.end();
    if (ended.shouldCommit()) {
      ended.store = store;
      ended.gcId = id;
      ended.cause = cause.name();
      ended.liveObjects = liveObjects;
      ended.freedObjects = freedObjects;
      ended.freedBytes = freedBytes;
      ended.commit();
    }
  }

  private Duration time(Phase of) {
    return times.getOrDefault(of, Duration.ZERO);
  }
}
