package io.pmstore.micrometer;

import io.pmstore.LatencyHistogram;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.StoreMetrics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Reads the metrics of a store for many meters at once: meters that a registry reads within 10 ms
 * get the same metrics. Keeps the histograms of the last minute, for its percentiles. Safe for use
 * by any number of threads.
 */
final class MetricsReader {
  private static final long FRESH_NANOS = Duration.ofMillis(10).toNanos();
  private static final long STEP_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();

  private record Moment(long nanos, LatencyHistogram latency) {}

  private final PmStore store;
  private final LongSupplier clock;

  // Guarded by this.
  private StoreMetrics last;
  private long readAt;
  private boolean usable = true;
  private final ArrayDeque<Moment> moments = new ArrayDeque<>();

  /**
   * Reads the metrics for the first time.
   *
   * @param clock as {@link System#nanoTime}
   */
  MetricsReader(PmStore store, LongSupplier clock) {
    this.store = store;
    this.clock = clock;
    this.readAt = clock.getAsLong();
    this.last = store.metrics();
    moments.add(new Moment(readAt, last.transactions().commitLatency()));
  }

  /** Returns the metrics; the last ones if the store is closed or has failed. */
  synchronized StoreMetrics metrics() {
    long now = clock.getAsLong();
    if (now - readAt >= FRESH_NANOS) {
      readAt = now;
      try {
        keep(store.metrics());
        usable = true;
      } catch (PmStoreException e) { // perhaps only while a copy replaces the heap of a node
        usable = false;
      }
    }
    return last;
  }

  /**
   * Keeps metrics, and every few seconds a moment; the first moment is at least a minute old, if
   * possible.
   */
  private void keep(StoreMetrics read) {
    LatencyHistogram latency = read.transactions().commitLatency();
    if (latency.count() < last.transactions().commitLatency().count()) {
      moments.clear(); // a copy has replaced the heap of a node, and counts from 0
      moments.add(new Moment(readAt, LatencyHistogram.empty()));
    }
    last = read;
    if (readAt - moments.getLast().nanos < STEP_NANOS) {
      return;
    }
    moments.add(new Moment(readAt, latency));
    while (moments.size() > 2) {
      Moment first = moments.removeFirst();
      if (readAt - moments.getFirst().nanos < WINDOW_NANOS) {
        moments.addFirst(first);
        return;
      }
    }
  }

  /** Returns a number of events; the last one if the store is closed or has failed. */
  double count(ToDoubleFunction<StoreMetrics> of) {
    return of.applyAsDouble(metrics());
  }

  /** Returns a size or state; not a number if the store is closed or has failed. */
  synchronized double state(ToDoubleFunction<StoreMetrics> of) {
    StoreMetrics now = metrics();
    return usable ? of.applyAsDouble(now) : Double.NaN;
  }

  /**
   * Returns something of the latencies of the last minute, or since the binding, or since a copy
   * replaced the heap of a node, if that was later; not a number if the store is closed or has
   * failed.
   */
  synchronized double recent(ToDoubleFunction<LatencyHistogram> of) {
    LatencyHistogram all = metrics().transactions().commitLatency();
    return usable ? of.applyAsDouble(all.since(moments.getFirst().latency)) : Double.NaN;
  }
}
