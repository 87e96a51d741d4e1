package io.pmstore.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.pmstore.LatencyHistogram;
import io.pmstore.StoreMetrics;
import java.math.BigDecimal;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Registers the meters of one store with one registry. */
final class Meters {
  record Bound(MeterRegistry registry, Meter meter) {}

  private final MeterRegistry registry;
  private final MetricsReader reader;
  private final Tags tags;
  private final Queue<Bound> bound;

  /**
   * Prepares meters.
   *
   * @param tags of each meter
   * @param bound gets each meter
   */
  Meters(MeterRegistry registry, MetricsReader reader, Tags tags, Queue<Bound> bound) {
    this.registry = registry;
    this.reader = reader;
    this.tags = tags;
    this.bound = bound;
  }

  private void add(Meter meter) {
    bound.add(new Bound(registry, meter));
  }

  void count(String name, String text, ToDoubleFunction<StoreMetrics> of) {
    counter(name, text, Tags.empty(), "", of);
  }

  void count(
      String name, String text, String tag, String value, ToDoubleFunction<StoreMetrics> of) {
    counter(name, text, Tags.of(tag, value), "", of);
  }

  void bytes(String name, String text, ToDoubleFunction<StoreMetrics> of) {
    counter(name, text, Tags.empty(), BaseUnits.BYTES, of);
  }

  void bucket(double boundSeconds, ToDoubleFunction<StoreMetrics> of) {
    String le = boundSeconds == Double.POSITIVE_INFINITY ? "+Inf" : plain(boundSeconds);
    counter(
        "pmstore.commit.histogram",
        "How many of pmstore.commit took no longer than le, in seconds",
        Tags.of("le", le),
        "",
        of);
  }

  private static String plain(double seconds) {
    return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
  }

  private void counter(
      String name, String text, Tags more, String unit, ToDoubleFunction<StoreMetrics> of) {
    var builder =
        FunctionCounter.builder(name, reader, r -> r.count(of))
            .tags(tags.and(more))
            .description(text);
    add((unit.isEmpty() ? builder : builder.baseUnit(unit)).register(registry));
  }

  /** Meters of functions refer to the reader weakly; the gauges keep it. */
  void gauge(String name, String text, String unit, ToDoubleFunction<StoreMetrics> of) {
    add(
        Gauge.builder(name, reader, r -> r.state(of))
            .tags(tags)
            .description(text)
            .baseUnit(unit)
            .strongReference(true)
            .register(registry));
  }

  void time(String name, String text, Tags more, ToDoubleFunction<MetricsReader> nanos) {
    add(
        TimeGauge.builder(name, reader, TimeUnit.NANOSECONDS, nanos)
            .tags(tags.and(more))
            .description(text)
            .register(registry));
  }

  void timer(String name, String text, Function<StoreMetrics, LatencyHistogram> of) {
    add(
        FunctionTimer.builder(
                name,
                reader,
                r -> of.apply(r.metrics()).count(),
                r -> of.apply(r.metrics()).sumNanos(),
                TimeUnit.NANOSECONDS)
            .tags(tags)
            .description(text)
            .register(registry));
  }
}
