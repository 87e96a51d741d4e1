package io.pmstore.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.noop.NoopMeter;
import io.pmstore.LatencyHistogram;
import io.pmstore.StoreMetrics;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of one store with one registry. A registry that has a meter of the same name
 * and tags returns that one, which shows what another store counts: refused.
 *
 * <p>Micrometer refers weakly to the object of a meter. So the meters' functions use the reader
 * itself, which thus lives as long as one of its meters, whichever meters the registry denies.
 */
final class Meters {
  record Bound(MeterRegistry registry, Meter meter) {
    void remove() {
      registry.remove(meter);
      meter.close();
    }
  }

  private final MeterRegistry registry;
  private final MetricsReader reader;
  private final Tags tags;
  private final Queue<Bound> bound;
  private final Set<Meter> before = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Bound> added = new ArrayList<>();

  /**
   * Prepares meters.
   *
   * @param tags of each meter
   * @param bound has the meters of the same binder; {@link #keep} adds these
   * @throws IllegalStateException if a part of a composite registry has such meters from elsewhere
   */
  Meters(MeterRegistry registry, MetricsReader reader, Tags tags, Queue<Bound> bound) {
    this.registry = registry;
    this.reader = reader;
    this.tags = tags;
    this.bound = bound;
    before.addAll(registry.getMeters());
    if (registry instanceof CompositeMeterRegistry composite
        && before.stream().noneMatch(this::hasItsTags)) {
      checkParts(composite);
    }
  }

  /** A part would go on with the meters that it has, and nothing would show it. */
  private void checkParts(CompositeMeterRegistry composite) {
    for (MeterRegistry part : composite.getRegistries()) {
      for (Meter meter : part.getMeters()) {
        if (hasItsTags(meter)) {
          throw refused(meter);
        }
      }
    }
  }

  private boolean hasItsTags(Meter meter) {
    return meter.getId().getName().startsWith("pmstore.")
        && meter.getId().getTags().containsAll(tags.stream().toList());
  }

  @SuppressWarnings("ReferenceEquality") // equal meters of two registries are two
  private void add(Meter meter) {
    if (meter instanceof NoopMeter) {
      return; // denied: the registry does not have it
    }
    if (!before.contains(meter)) {
      added.add(new Bound(registry, meter));
    } else if (bound.stream().noneMatch(b -> b.registry() == registry && b.meter() == meter)) {
      throw refused(meter);
    }
  }

  private static IllegalStateException refused(Meter meter) {
    return new IllegalStateException(
        "the registry, or a part of it, has a meter %s with the tags %s already: of another store, of an earlier opening of this one, or of a composite registry; close the PmStoreMetrics of that store first, give this one another name, or bind only the composite registry"
            .formatted(meter.getId().getName(), meter.getId().getTags()));
  }

  /** Notes the meters, when all are registered. */
  void keep() {
    bound.addAll(added);
  }

  /** Removes the meters, after a failure. */
  void remove() {
    added.forEach(Bound::remove);
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
        FunctionCounter.builder(name, reader, _ -> reader.count(of))
            .tags(tags.and(more))
            .description(text);
    add((unit.isEmpty() ? builder : builder.baseUnit(unit)).register(registry));
  }

  void gauge(String name, String text, String unit, ToDoubleFunction<StoreMetrics> of) {
    add(
        Gauge.builder(name, reader, _ -> reader.state(of))
            .tags(tags)
            .description(text)
            .baseUnit(unit)
            .register(registry));
  }

  void time(String name, String text, Tags more, ToDoubleFunction<MetricsReader> nanos) {
    add(
        TimeGauge.builder(name, reader, TimeUnit.NANOSECONDS, _ -> nanos.applyAsDouble(reader))
            .tags(tags.and(more))
            .description(text)
            .register(registry));
  }

  void timer(String name, String text, Function<StoreMetrics, LatencyHistogram> of) {
    add(
        FunctionTimer.builder(
                name,
                reader,
                _ -> of.apply(reader.metrics()).count(),
                _ -> of.apply(reader.metrics()).sumNanos(),
                TimeUnit.NANOSECONDS)
            .tags(tags)
            .description(text)
            .register(registry));
  }
}
