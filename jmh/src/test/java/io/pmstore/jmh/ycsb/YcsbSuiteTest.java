package io.pmstore.jmh.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.workload.Recorded;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step runs, and records what it says. */
final class YcsbSuiteTest {
  static Stream<Step> steps() {
    return new YcsbSuite().steps(Scale.SMOKE).stream();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aStepRecordsItsWorkloads(Step step) throws Exception {
    Recorded recorded = Recorded.run(step);
    Assumptions.assumeFalse(recorded.omitted());
    boolean stored = !step.name().contains("memory");
    List<String> metrics = List.of("throughput", "p50", "p99");
    boolean limit = step.name().contains("bytes");
    boolean scans = !step.name().contains("postgres");
    List<String> workloads =
        Arrays.stream(Workload.values())
            .filter(one -> scans || one != Workload.E)
            .filter(one -> !limit || YcsbPlan.READING.contains(one))
            .filter(one -> Workload.MIXES.contains(one) || !Workload.POOL_MIXES.contains(one))
            .map(Workload::label)
            .toList();
    for (String workload : workloads) {
      metrics.forEach(metric -> recorded.measurement(workload, metric));
      assertTrue(recorded.measurement(workload, "p50").mean() > 0, workload);
    }
    Measurement first = recorded.measurement(workloads.getFirst(), "throughput");
    assertEquals("ops/s", first.unit());
    assertEquals(2, first.samples().size());
    assertEquals(workloads.size(), recorded.curves().size());
    assertEquals(stored, recorded.metrics("all").contains("disk"));
    if (stored) {
      assertTrue(recorded.measurement("all", "disk per record").mean() > 500);
    }
  }

  @ParameterizedTest
  @EnumSource(Scale.class)
  void namesAndEstimatesAreSound(Scale scale) {
    Set<String> names = new HashSet<>();
    Duration total = Duration.ZERO;
    for (Step step : new YcsbSuite().steps(scale)) {
      assertTrue(names.add(step.name()), step::name);
      assertTrue(step.name().startsWith("ycsb/"), step::name);
      total = total.plus(step.estimate());
    }
    Duration sum = total;
    assertTrue(scale != Scale.QUICK || sum.toSeconds() <= 120, () -> "QUICK takes " + sum);
  }
}
