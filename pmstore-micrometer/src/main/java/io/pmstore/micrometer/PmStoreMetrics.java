package io.pmstore.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.pmstore.GcReport;
import io.pmstore.LatencyHistogram;
import io.pmstore.PmStore;
import io.pmstore.StoreMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToDoubleFunction;

/**
 * Publishes {@link PmStore#metrics} as meters of Micrometer, whose names begin with {@code
 * pmstore.}. Each meter has the tag {@code store} with the name that the constructor gets, so that
 * a program can have several stores.
 *
 * <p>The meters cost a transaction nothing: they read the store's counters when a registry reads
 * them. Meters that are read within 10 ms show one state of the store, so the meters of one scrape
 * are consistent. There is no meter for a number that the storage of the store does not count.
 * After the store was closed or has failed, counters keep their values and the value of gauges is
 * NaN. {@link #close} removes the meters.
 *
 * <p>Safe for use by any number of threads. No parameter is null.
 */
public final class PmStoreMetrics implements MeterBinder, AutoCloseable {
  private static final double[] PERCENTILES = {0.5, 0.95, 0.99, 0.999};

  /** The bounds of the published histogram: 1, 2.5 and 5 of each power of ten from 1 us to 10 s. */
  private static final long[] BOUNDS_NANOS = bounds();

  private final PmStore store;
  private final Tags tags;
  private final ConcurrentLinkedQueue<Meters.Bound> bound = new ConcurrentLinkedQueue<>();

  /**
   * Prepares the meters of a store. {@link #bindTo} registers them.
   *
   * @param store an open store, which the meters keep reachable until {@link #close}
   * @param name the value of the tag {@code store}
   */
  public PmStoreMetrics(PmStore store, String name) {
    this(store, name, Tags.empty());
  }

  /**
   * Prepares the meters of a store, with further tags. {@link #bindTo} registers them.
   *
   * @param store an open store, which the meters keep reachable until {@link #close}
   * @param name the value of the tag {@code store}
   * @param tags further tags of each meter
   */
  public PmStoreMetrics(PmStore store, String name, Iterable<Tag> tags) {
    this.store = store;
    this.tags = Tags.concat(tags, "store", name);
  }

  private static long[] bounds() {
    long[] bounds = new long[22];
    long power = 1_000;
    for (int i = 0; i < bounds.length; i += 3) {
      bounds[i] = power;
      if (i + 2 < bounds.length) {
        bounds[i + 1] = power * 5 / 2;
        bounds[i + 2] = power * 5;
      }
      power *= 10;
    }
    return bounds;
  }

  /**
   * Registers the meters. If this instance has registered them with the same registry before,
   * nothing changes. A composite registry passes the meters on to its parts: register them with it
   * or with its parts, not with both.
   *
   * @param registry the registry that gets the meters
   * @throws IllegalStateException if the registry has such a meter of another instance: of another
   *     store with the same name and tags, or of an earlier opening of this one; also if it has
   *     them from a composite registry, or if a part of this composite one has them. Nothing is
   *     registered then
   * @throws io.pmstore.StoreClosedException if the store is closed
   * @throws io.pmstore.StoreFailedException if the store has failed
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    MetricsReader reader = new MetricsReader(store, System::nanoTime);
    Meters meters = new Meters(registry, reader, tags, bound);
    try {
      transactions(meters);
      latency(meters);
      heap(meters);
      log(meters, reader.metrics().log());
      checkpoints(meters);
      collections(meters);
    } catch (RuntimeException e) {
      meters.remove();
      throw e;
    }
    meters.keep();
  }

  /** Removes the meters from all registries. The store stays open. */
  @Override
  public void close() {
    for (Meters.Bound each = bound.poll(); each != null; each = bound.poll()) {
      each.remove();
    }
  }

  private static void transactions(Meters meters) {
    String name = "pmstore.transactions";
    String text = "Transactions by outcome";
    meters.count(name, text, "outcome", "committed", m -> m.transactions().commits());
    meters.count(name, text, "outcome", "read-only", m -> m.transactions().readOnly());
    meters.count(name, text, "outcome", "rolled-back", m -> m.transactions().rollbacks());
    meters.count(
        "pmstore.transactions.conflicts",
        "Attempts that ran again because another transaction changed what they had read",
        m -> m.transactions().conflicts());
    meters.count(
        "pmstore.transactions.alone",
        "Transactions that ran alone after several conflicts",
        m -> m.transactions().aloneRuns());
    meters.gauge(
        "pmstore.transactions.active",
        "Transactions that run now",
        "transactions",
        m -> m.transactions().active());
    meters.gauge(
        "pmstore.snapshots.open", "Open snapshots", "snapshots", m -> m.transactions().snapshots());
  }

  private static void latency(Meters meters) {
    meters.timer(
        "pmstore.commit",
        "Transactions that changed the store, from begin to acknowledgement",
        m -> m.transactions().commitLatency());
    for (double percentile : PERCENTILES) {
      meters.time(
          "pmstore.commit.percentile",
          "Percentiles of pmstore.commit in the last minute",
          Tags.of("phi", Double.toString(percentile)),
          reader -> reader.recent(latency -> latency.percentileNanos(percentile * 100)));
    }
    meters.time(
        "pmstore.commit.max",
        "The maximum of pmstore.commit in the last minute",
        Tags.empty(),
        reader -> reader.recent(LatencyHistogram::maxNanos));
    for (long bound : BOUNDS_NANOS) {
      meters.bucket(bound / 1e9, m -> m.transactions().commitLatency().countUpTo(bound));
    }
    meters.bucket(Double.POSITIVE_INFINITY, m -> m.transactions().commitLatency().count());
  }

  private static void heap(Meters meters) {
    meters.gauge(
        "pmstore.heap.size", "The size of the heap", BaseUnits.BYTES, m -> m.heap().sizeBytes());
    meters.bytes("pmstore.heap.allocated", "Space of new objects", m -> m.heap().bytesMade());
    meters.bytes("pmstore.heap.freed", "Space of freed objects", m -> m.heap().bytesFreed());
    meters.count("pmstore.objects.made", "New objects", m -> m.heap().objectsMade());
    meters.count("pmstore.objects.freed", "Freed objects", m -> m.heap().objectsFreed());
    meters.count(
        "pmstore.objects.written",
        "Objects that commits made or changed",
        m -> m.transactions().objectsWritten());
    meters.gauge(
        "pmstore.objects.java",
        "Java objects that stand for persistent objects",
        BaseUnits.OBJECTS,
        m -> m.heap().javaObjects());
  }

  private static void log(Meters meters, StoreMetrics.Log now) {
    meters.bytes("pmstore.log.written", "Records of commits", m -> m.log().recordBytes());
    meters.count(
        "pmstore.commit.waits",
        "Commits that waited because the log or the pools had no room",
        m -> m.log().commitWaits());
    if (now.syncs().isPresent()) {
      meters.count("pmstore.log.syncs", "Syncs of the log", m -> value(m.log().syncs()));
    }
    if (now.recoveryBytes().isPresent()) {
      meters.gauge(
          "pmstore.log.recovery",
          "What a recovery would read of the log",
          BaseUnits.BYTES,
          m -> value(m.log().recoveryBytes()));
    }
    if (now.fileBytes().isPresent()) {
      meters.gauge(
          "pmstore.log.size",
          "The size of the log's files",
          BaseUnits.BYTES,
          m -> value(m.log().fileBytes()));
    }
    if (now.dirtyBytes().isPresent()) {
      meters.gauge(
          "pmstore.heap.dirty",
          "Changes that no checkpoint has written yet",
          BaseUnits.BYTES,
          m -> value(m.log().dirtyBytes()));
    }
  }

  private static double value(OptionalLong counted) {
    return counted.isPresent() ? counted.getAsLong() : Double.NaN;
  }

  private static void checkpoints(Meters meters) {
    meters.count("pmstore.checkpoints", "Checkpoints", m -> m.checkpoints().count());
    meters.bytes(
        "pmstore.checkpoints.written", "What they wrote", m -> m.checkpoints().writtenBytes());
    meters.time(
        "pmstore.checkpoints.last",
        "How long the last checkpoint took",
        Tags.empty(),
        reader ->
            reader.state(
                m -> m.checkpoints().last().map(last -> nanos(last.took())).orElse(Double.NaN)));
    meters.time(
        "pmstore.checkpoints.age",
        "The time since the last checkpoint",
        Tags.empty(),
        reader ->
            reader.state(
                m ->
                    m.checkpoints()
                        .last()
                        .map(last -> nanos(Duration.between(last.ended(), Instant.now())))
                        .orElse(Double.NaN)));
  }

  private static void collections(Meters meters) {
    meters.count("pmstore.gc", "Collections of garbage", m -> m.collections().count());
    meters.gauge(
        "pmstore.gc.live.objects",
        "Objects that the last collection found alive",
        BaseUnits.OBJECTS,
        m -> gc(m, GcReport::liveObjects));
    meters.time(
        "pmstore.gc.last",
        "How long the last collection took",
        Tags.empty(),
        reader ->
            reader.state(m -> gc(m, r -> nanos(r.marking().plus(r.waiting()).plus(r.sweeping())))));
  }

  private static double gc(StoreMetrics metrics, ToDoubleFunction<GcReport> of) {
    return metrics.collections().last().map(of::applyAsDouble).orElse(Double.NaN);
  }

  private static double nanos(Duration duration) {
    return duration.toNanos();
  }
}
