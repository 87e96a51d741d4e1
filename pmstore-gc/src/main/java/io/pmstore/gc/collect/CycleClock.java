package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** How long the phases of one collection take: for its report, and as events of JFR. */
final class CycleClock {
  /** What a collection does; in a recording by these names. */
  enum Phase {
    MARK("Mark"),
    WAIT("Wait"),
    SWEEP("Sweep");

    private final String title;

    Phase(String title) {
      this.title = title;
    }
  }

  private static final AtomicInteger LAST_ID = new AtomicInteger(); // of all stores, as in JFR

  private final String store;
  private final int id = LAST_ID.incrementAndGet();
  private final GarbageCollectionEvent collection = new GarbageCollectionEvent();
  private final Map<Phase, Duration> times = new EnumMap<>(Phase.class);
  private GcPhaseEvent event = new GcPhaseEvent();
  private Phase phase = Phase.MARK;
  private long began;

  CycleClock(String store) {
    this.store = store;
  }

  /** Starts it, in the first phase. */
  void start() {
    collection.begin();
    begin(Phase.MARK);
  }

  /** Ends a phase and begins the next. */
  void next(Phase next) {
    end();
    begin(next);
  }

  private void begin(Phase next) {
    phase = next;
    began = System.nanoTime();
    event = new GcPhaseEvent();
    event.begin();
  }

  private void end() {
    times.merge(phase, Duration.ofNanos(System.nanoTime() - began), Duration::plus);
    event.end();
    if (event.shouldCommit()) {
      event.store = store;
      event.gcId = id;
      event.name = phase.title;
      event.commit();
    }
  }

  /** Ends the last phase, and the collection. */
  GcReport stop(GcReport.Cause cause, long liveObjects, long freedObjects, long freedBytes) {
    end();
    collection.end();
    if (collection.shouldCommit()) {
      collection.store = store;
      collection.gcId = id;
      collection.cause = cause.name();
      collection.liveObjects = liveObjects;
      collection.freedObjects = freedObjects;
      collection.freedBytes = freedBytes;
      collection.commit();
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

  private Duration time(Phase of) {
    return times.getOrDefault(of, Duration.ZERO);
  }
}
