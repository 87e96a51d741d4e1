package io.pmstore.jmh.objects;

import io.pmstore.jmh.access.EnhancedBenchmark;
import io.pmstore.jmh.access.GetterBenchmark;
import io.pmstore.jmh.access.SetterBenchmark;
import io.pmstore.jmh.allocation.AllocationBenchmark;
import io.pmstore.jmh.allocation.AllocationCommitBenchmark;
import io.pmstore.jmh.commit.FileCommitBenchmark;
import io.pmstore.jmh.commit.FileCommitRateBenchmark;
import io.pmstore.jmh.commit.PmemCommitBenchmark;
import io.pmstore.jmh.commit.PmemCommitRateBenchmark;
import io.pmstore.jmh.commit.PmemLatencyBenchmark;
import io.pmstore.jmh.evolution.EvolvedGetterBenchmark;
import io.pmstore.jmh.gc.TracingBenchmark;
import io.pmstore.jmh.metrics.MetricsBenchmark;
import io.pmstore.jmh.opening.FirstObjectBenchmark;
import io.pmstore.jmh.opening.FirstUseBenchmark;
import io.pmstore.jmh.opening.OpeningBenchmark;
import io.pmstore.jmh.opening.RecoveryBenchmark;
import io.pmstore.jmh.orders.MapPutBenchmark;
import io.pmstore.jmh.orders.OrderReadBenchmark;
import io.pmstore.jmh.orders.TraversalBenchmark;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the single parts of the object model cost, each beside its baseline: accessors, collections,
 * new objects, commits, metrics, opening and recovery, garbage.
 */
public final class ObjectsSuite implements Suite {
  private static final Map<String, List<String>> ONE_OBJECT = Map.of("objects", List.of("1"));
  private static final Map<String, List<String>> BOOK = Map.of("bookSize", List.of("100000"));

  @Override
  public String name() {
    return JmhFigures.SUITE;
  }

  @Override
  public List<Step> steps(Scale scale) {
    return switch (scale) {
      case SMOKE -> steps(scale, smoke(), Duration.ofMillis(500));
      case QUICK -> steps(scale, quick(), Duration.ofMillis(1_950));
      case FULL -> steps(scale, full(), Duration.ofSeconds(20));
    };
  }

  private static List<Step> steps(Scale scale, List<JmhPlan> plans, Duration estimateOfFork) {
    return plans.stream().map(plan -> (Step) new JmhStep(plan, scale, estimateOfFork)).toList();
  }

  /** All benchmarks are run for a moment by a test of their own. */
  private static List<JmhPlan> smoke() {
    return List.of(
        new JmhPlan(
            GetterBenchmark.class,
            "plainField|getterOutside",
            Map.of("objects", List.of("1"), "storage", List.of("FILE")),
            2),
        new JmhPlan(
            PmemLatencyBenchmark.class,
            "transaction",
            Map.of("scatteredObjects", List.of("64")),
            1));
  }

  static List<JmhPlan> quick() {
    return List.of(
        new JmhPlan(
            GetterBenchmark.class,
            "plainField|rawSegment|getterOutside|getterInside",
            ONE_OBJECT,
            4),
        new JmhPlan(SetterBenchmark.class, "plainField|rawSegment|setterInside", ONE_OBJECT, 3),
        new JmhPlan(
            EvolvedGetterBenchmark.class, "kept", Map.of("kind", List.of("CURRENT", "OLDER")), 2),
        new JmhPlan(OrderReadBenchmark.class, "plain|outside", BOOK, 2),
        new JmhPlan(MapPutBenchmark.class, "plain|oldKeys|transactionEach", BOOK, 3),
        new JmhPlan(TraversalBenchmark.class, "plain|held|notHeld", BOOK, 3),
        new JmhPlan(
            AllocationBenchmark.class,
            "plainObject|heap|ofInterface|ofClass|converted",
            Map.of(),
            5),
        new JmhPlan(FileCommitBenchmark.class, "barrier|transaction", Map.of(), 2),
        new JmhPlan(
            PmemCommitBenchmark.class,
            "barrier|engine|transaction|llplStore|llplSetters|llplOneRange",
            Map.of(),
            6),
        new JmhPlan(PmemLatencyBenchmark.class, "barrier|transaction", Map.of(), 2),
        new JmhPlan(MetricsBenchmark.class, "wholeTransaction|counting", Map.of(), 2),
        new JmhPlan(
            OpeningBenchmark.class,
            "openAndRead",
            Map.of("storedObjects", List.of("0", "300000")),
            4),
        new JmhPlan(
            RecoveryBenchmark.class,
            "readLog|openAndRead",
            Map.of("recoveredObjects", List.of("300000"), "logSegmentMib", List.of("16")),
            4),
        // To fill its store takes as long as two others.
        new JmhPlan(
            TracingBenchmark.class, "plainWalk|collect", Map.of("graph", List.of("list")), 4));
  }

  private static List<JmhPlan> full() {
    return List.of(
        JmhPlan.all(GetterBenchmark.class, 20),
        JmhPlan.all(SetterBenchmark.class, 16),
        JmhPlan.all(EnhancedBenchmark.class, 16),
        JmhPlan.all(EvolvedGetterBenchmark.class, 12),
        books(OrderReadBenchmark.class, 9),
        books(MapPutBenchmark.class, 12),
        books(TraversalBenchmark.class, 12),
        JmhPlan.all(AllocationBenchmark.class, 5),
        JmhPlan.all(AllocationCommitBenchmark.class, 5),
        JmhPlan.all(FileCommitBenchmark.class, 2),
        JmhPlan.all(FileCommitRateBenchmark.class, 6),
        JmhPlan.all(PmemCommitBenchmark.class, 7),
        JmhPlan.all(PmemCommitRateBenchmark.class, 12),
        JmhPlan.all(PmemLatencyBenchmark.class, 2),
        JmhPlan.all(MetricsBenchmark.class, 5),
        JmhPlan.all(FirstUseBenchmark.class, 3),
        JmhPlan.all(FirstObjectBenchmark.class, 4),
        new JmhPlan(
            OpeningBenchmark.class,
            ".*",
            Map.of("storedObjects", List.of("0", "1000000", "10000000")),
            12),
        new JmhPlan(
            RecoveryBenchmark.class,
            ".*",
            Map.of("recoveredObjects", List.of("500000", "5000000")),
            12),
        JmhPlan.all(TracingBenchmark.class, 2));
  }

  private static JmhPlan books(Class<?> benchmark, int forks) {
    return new JmhPlan(
        benchmark, ".*", Map.of("bookSize", List.of("10000", "100000", "1000000")), forks);
  }
}
