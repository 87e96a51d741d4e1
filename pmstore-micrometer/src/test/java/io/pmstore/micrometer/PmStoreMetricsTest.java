package io.pmstore.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.pmstore.LatencyHistogram;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters against {@link PmStore#metrics} and against what Prometheus makes of them. */
class PmStoreMetricsTest {
  @TempDir Path parent;
  private PmStore store;
  private Counter counter;

  /** The root. */
  @Persistent(root = "counter")
  public static class Counter {
    private long value;
    private List<Counter> others = new ArrayList<>();

    public long getValue() {
      return value;
    }

    public void setValue(long value) {
      this.value = value;
    }

    public List<Counter> getOthers() {
      return others;
    }
  }

  @BeforeEach
  void open() {
    store = PmStore.open(parent.resolve("store"), options().storage(Storage.FILE));
    counter = store.root(Counter.class);
  }

  private static PmStoreOptions options() {
    return PmStoreOptions.defaults().gcInBackground(false);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static double count(MeterRegistry registry, String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  private static void awaitFresh() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(20); // what a registry reads within 10 ms is one state
  }

  @Test
  void metersShowWhatTheStoreCounts() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (PmStoreMetrics metrics =
        new PmStoreMetrics(store, "orders", Tags.of("application", "shop"))) {
      metrics.bindTo(registry);
      String[] of = {"store", "orders", "application", "shop"};
      double before =
          registry
              .get("pmstore.transactions")
              .tags(of)
              .tag("outcome", "committed")
              .functionCounter()
              .count();
      for (int i = 0; i < 7; i++) {
        counter.setValue(i);
      }
      store.transaction(() -> counter.getValue());
      assertThrows(
          IllegalStateException.class,
          () ->
              store.transaction(
                  () -> {
                    counter.setValue(-1);
                    throw new IllegalStateException("on purpose");
                  }));
      store.gc();
      awaitFresh();
      assertEquals(before + 7, count(registry, "pmstore.transactions", "outcome", "committed"));
      assertEquals(1, count(registry, "pmstore.transactions", "outcome", "read-only"));
      assertEquals(1, count(registry, "pmstore.transactions", "outcome", "rolled-back"));
      assertEquals(1, count(registry, "pmstore.gc"));
      assertTrue(registry.get("pmstore.gc.live.objects").gauge().value() > 0);
      assertTrue(registry.get("pmstore.gc.last").timeGauge().value(TimeUnit.SECONDS) < 60);
      var metricsNow = store.metrics();
      assertEquals(
          metricsNow.heap().sizeBytes(), registry.get("pmstore.heap.size").gauge().value());
      assertEquals(
          metricsNow.log().fileBytes().orElseThrow(),
          registry.get("pmstore.log.size").gauge().value());
      var timer = registry.get("pmstore.commit").functionTimer();
      assertEquals(metricsNow.transactions().commitLatency().count(), timer.count());
      assertTrue(timer.mean(TimeUnit.MICROSECONDS) > 1, "a sync takes longer");
      double median =
          registry
              .get("pmstore.commit.percentile")
              .tag("phi", "0.5")
              .timeGauge()
              .value(TimeUnit.SECONDS);
      assertTrue(median > 0 && median < 60, () -> median + " s");
    }
    assertEquals(List.of(), registry.getMeters());
  }

  @Test
  void afterTheStoreIsClosedCountersStayAndGaugesAreNoNumbers() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    new PmStoreMetrics(store, "orders").bindTo(registry);
    counter.setValue(1);
    awaitFresh();
    double commits = count(registry, "pmstore.transactions", "outcome", "committed");
    assertTrue(commits > 0);
    store.close();
    awaitFresh();
    assertEquals(commits, count(registry, "pmstore.transactions", "outcome", "committed"));
    assertTrue(Double.isNaN(registry.get("pmstore.heap.size").gauge().value()));
    assertTrue(
        Double.isNaN(registry.get("pmstore.commit.max").timeGauge().value(TimeUnit.SECONDS)));
  }

  /** A registry returns the meter that it has: the second store would be invisible. */
  @Test
  void aSecondStoreOfTheSameNameIsRefused() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    PmStoreMetrics metrics = new PmStoreMetrics(store, "orders");
    metrics.bindTo(registry);
    int meters = registry.getMeters().size();
    metrics.bindTo(registry); // again
    try (PmStore other = PmStore.open(parent.resolve("other"), options())) {
      PmStoreMetrics same = new PmStoreMetrics(other, "orders");
      String message =
          assertThrows(IllegalStateException.class, () -> same.bindTo(registry)).getMessage();
      assertTrue(message.contains("store=orders"), message);
      assertTrue(message.contains("close the PmStoreMetrics"), message);
      same.close();
      assertEquals(meters, registry.getMeters().size());
      same.bindTo(new SimpleMeterRegistry());
      new PmStoreMetrics(other, "others").bindTo(registry);
      assertEquals(2 * meters, registry.getMeters().size());
      metrics.close();
      same.bindTo(registry);
      assertEquals(2 * meters, registry.getMeters().size());
    }
  }

  @Test
  void aCompositeRegistryHasTheMetersOfItsParts() {
    MeterRegistry part = new SimpleMeterRegistry();
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    composite.add(part);
    PmStoreMetrics metrics = new PmStoreMetrics(store, "orders");
    metrics.bindTo(composite);
    metrics.bindTo(composite); // again
    int meters = part.getMeters().size();
    String message =
        assertThrows(IllegalStateException.class, () -> metrics.bindTo(part)).getMessage();
    assertTrue(message.contains("bind only the composite registry"), message);
    assertEquals(meters, part.getMeters().size());
    metrics.close();
    assertEquals(List.of(), part.getMeters());
  }

  @Test
  void aCompositeRegistryIsRefusedOneOfWhosePartsHasTheMeters() {
    MeterRegistry part = new SimpleMeterRegistry();
    part.config().commonTags("host", "a");
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    composite.add(part);
    PmStoreMetrics metrics = new PmStoreMetrics(store, "orders");
    PmStoreMetrics others = new PmStoreMetrics(store, "orders");
    metrics.bindTo(part);
    int meters = part.getMeters().size();
    assertThrows(IllegalStateException.class, () -> others.bindTo(composite));
    others.close();
    assertEquals(meters, part.getMeters().size());
    assertEquals(List.of(), composite.getMeters());
    new PmStoreMetrics(store, "trades").bindTo(composite);
    assertEquals(2 * meters, part.getMeters().size());
  }

  /** A registry does not keep the meters that it denies, and gives others at each binding. */
  @Test
  void aMeterThatTheRegistryDeniesIsNotKept() {
    MeterRegistry registry = new SimpleMeterRegistry();
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("pmstore.gc"));
    Queue<Meters.Bound> bound = new ArrayDeque<>();
    Meters meters =
        new Meters(registry, new MetricsReader(store, System::nanoTime), Tags.empty(), bound);
    meters.count("pmstore.gc", "Collections", m -> m.collections().count());
    meters.gauge("pmstore.gc.live", "Objects", "objects", m -> 1);
    meters.time("pmstore.gc.last", "The last one", Tags.empty(), reader -> 1);
    meters.timer("pmstore.gc.all", "All", m -> m.transactions().commitLatency());
    meters.count("pmstore.checkpoints", "Checkpoints", m -> m.checkpoints().count());
    meters.keep();
    assertEquals(registry.getMeters(), bound.stream().map(Meters.Bound::meter).toList());
  }

  /** It has registered some meters when it comes to the one that is there. */
  @Test
  void aRefusalLeavesNoMeter() {
    MeterRegistry registry = new SimpleMeterRegistry();
    registry.gauge("pmstore.heap.size", Tags.of("store", "orders"), 7);
    PmStoreMetrics metrics = new PmStoreMetrics(store, "orders");
    assertThrows(IllegalStateException.class, () -> metrics.bindTo(registry));
    assertEquals(1, registry.getMeters().size());
  }

  @Test
  void countersLiveWithoutGauges() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    registry
        .config()
        .meterFilter(MeterFilter.denyUnless(id -> id.getName().equals("pmstore.transactions")));
    new PmStoreMetrics(store, "orders").bindTo(registry);
    double before = count(registry, "pmstore.transactions", "outcome", "committed");
    System.gc();
    counter.setValue(1);
    awaitFresh();
    assertEquals(before + 1, count(registry, "pmstore.transactions", "outcome", "committed"));
  }

  /** Scrapes go on beside the closing of the store. */
  @Test
  void aScrapeBesideTheCloseFailsNothing() throws Exception {
    for (int round = 0; round < 20; round++) {
      PmStore closing = PmStore.open(parent.resolve("closing" + round), options());
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      new PmStoreMetrics(closing, "closing").bindTo(registry);
      AtomicLong clock = new AtomicLong();
      MetricsReader reader = new MetricsReader(closing, () -> clock.addAndGet(1_000_000_000));
      FutureTask<Void> scrapes =
          new FutureTask<>(
              () -> {
                while (!Double.isNaN(reader.state(m -> m.heap().sizeBytes()))) {
                  registry.scrape();
                }
                return null;
              });
      Thread.ofPlatform().start(scrapes);
      closing.close();
      scrapes.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void metersLiveAsLongAsTheRegistry() throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    assertNotNull(MetersExample.bind(store, registry));
    System.gc();
    counter.setValue(1);
    counter.setValue(2);
    System.gc();
    awaitFresh();
    assertTrue(count(registry, "pmstore.transactions", "outcome", "committed") >= 2);
    assertFalse(Double.isNaN(registry.get("pmstore.heap.size").gauge().value()));
  }

  @Test
  void whatAStorageDoesNotCountIsNoMeter() {
    store.close();
    store = PmStore.open(parent.resolve("tiered"), options().storage(Storage.TIERED));
    MeterRegistry registry = new SimpleMeterRegistry();
    new PmStoreMetrics(store, "orders").bindTo(registry);
    assertNull(registry.find("pmstore.log.size").meter());
    assertNull(registry.find("pmstore.log.recovery").meter());
    assertTrue(registry.get("pmstore.heap.dirty").gauge().value() >= 0);
  }

  @Test
  void percentilesAreOfTheLastMinute() {
    AtomicLong clock = new AtomicLong();
    MetricsReader reader = new MetricsReader(store, clock::get);
    for (int i = 0; i < 20; i++) {
      counter.setValue(i);
    }
    clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
    double count = reader.recent(latency -> latency.count());
    assertTrue(count > 0, () -> "count " + count);
    for (int i = 0; i < 15; i++) {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
      reader.metrics();
    }
    assertEquals(0, reader.recent(latency -> latency.count()), "nothing was committed since");
  }

  /** Returns a store whose metrics are those of the first of some stores, if there is one. */
  private static PmStore node(Deque<PmStore> heaps) {
    return (PmStore)
        Proxy.newProxyInstance(
            PmStore.class.getClassLoader(),
            new Class<?>[] {PmStore.class},
            (node, method, arguments) -> {
              assertEquals("metrics", method.getName());
              if (heaps.isEmpty()) {
                throw new StoreClosedException("a copy is replacing the heap");
              }
              return heaps.getFirst().metrics();
            });
  }

  /** A copy of another node's heap replaces that of a node, and its counters begin at 0. */
  @Test
  void metersGoOnWithTheHeapThatReplacesAnother() {
    Deque<PmStore> heaps = new ArrayDeque<>(List.of(store));
    AtomicLong clock = new AtomicLong();
    MetricsReader reader = new MetricsReader(node(heaps), clock::get);
    for (int i = 0; i < 50; i++) {
      counter.setValue(i);
    }
    clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
    assertTrue(reader.recent(LatencyHistogram::count) >= 50);
    heaps.clear();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
    assertTrue(Double.isNaN(reader.state(m -> m.heap().sizeBytes())));
    try (PmStore copy = PmStore.open(parent.resolve("copy"), options())) {
      Counter copied = copy.root(Counter.class);
      for (int i = 0; i < 5; i++) {
        copied.setValue(i);
      }
      heaps.add(copy);
      clock.addAndGet(TimeUnit.SECONDS.toNanos(6));
      assertEquals(copy.metrics().heap().sizeBytes(), reader.state(m -> m.heap().sizeBytes()));
      assertEquals(
          copy.metrics().transactions().commitLatency().count(),
          reader.recent(LatencyHistogram::count));
    }
  }

  private static Set<String> scraped(PrometheusMeterRegistry registry) {
    return registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replaceAll("[{ ].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theDashboardAsksForWhatPrometheusGets() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new PmStoreMetrics(store, "orders").bindTo(registry);
    counter.setValue(1);
    store.gc();
    awaitFresh();
    Set<String> names = scraped(registry);
    String dashboard = Files.readString(Path.of("../docs/observability/grafana-dashboard.json"));
    Set<String> asked =
        Pattern.compile("pmstore_[a-z_]+")
            .matcher(dashboard)
            .results()
            .map(match -> match.group())
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(asked.size() > 20, asked::toString);
    asked.removeAll(names);
    assertEquals(Set.of(), asked, () -> "not in a scrape, which has " + names);
  }

  @Test
  void theHistogramOfPrometheusIsCumulative() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new PmStoreMetrics(store, "orders").bindTo(registry);
    for (int i = 0; i < 30; i++) {
      counter.setValue(i);
    }
    awaitFresh();
    List<Double> counts =
        registry
            .scrape()
            .lines()
            .filter(line -> line.startsWith("pmstore_commit_histogram_total{"))
            .sorted((a, b) -> Double.compare(bound(a), bound(b)))
            .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
            .toList();
    assertEquals(23, counts.size());
    assertEquals(counts.stream().sorted().toList(), counts);
    assertEquals(
        store.metrics().transactions().commitLatency().count(), counts.getLast().longValue());
  }

  private static double bound(String line) {
    String le = line.replaceAll(".*le=\"([^\"]+)\".*", "$1");
    return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
  }
}
