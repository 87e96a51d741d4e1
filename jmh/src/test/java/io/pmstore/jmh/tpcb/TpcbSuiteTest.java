package io.pmstore.jmh.tpcb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.workload.Recorded;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step runs, and records what it says. */
final class TpcbSuiteTest {
  static Stream<Step> steps() {
    return new TpcbSuite().steps(Scale.SMOKE).stream();
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aStepRecordsItsFigures(Step step) throws Exception {
    Recorded recorded = Recorded.run(step);
    Assumptions.assumeFalse(recorded.omitted());
    List.of("throughput", "p50", "p99").forEach(metric -> recorded.measurement("transfer", metric));
    assertTrue(recorded.measurement("transfer", "p50").mean() > 0);
    assertEquals("tx/s", recorded.measurement("transfer", "throughput").unit());
    assertEquals(100, recorded.measurement("transfer", "throughput").subject().size());
    assertEquals(1, recorded.curves().size());
    assertEquals(!step.name().contains("memory"), recorded.metrics("transfer").contains("disk"));
  }

  @ParameterizedTest
  @EnumSource(Scale.class)
  void namesAndEstimatesAreSound(Scale scale) {
    Set<String> names = new HashSet<>();
    Duration total = Duration.ZERO;
    for (Step step : new TpcbSuite().steps(scale)) {
      assertTrue(names.add(step.name()), step::name);
      assertTrue(step.name().startsWith("tpcb/"), step::name);
      total = total.plus(step.estimate());
    }
    Duration sum = total;
    assertTrue(scale != Scale.QUICK || sum.toSeconds() <= 60, () -> "QUICK takes " + sum);
  }

  @Test
  void anyDifferenceIsAViolation() {
    Totals expected = Totals.of(7, 3);
    expected.check(new Totals(7, 7, 7, 7, 3), "now");
    for (Totals wrong :
        List.of(
            new Totals(8, 7, 7, 7, 3),
            new Totals(7, 8, 7, 7, 3),
            new Totals(7, 7, 8, 7, 3),
            new Totals(7, 7, 7, 8, 3),
            new Totals(7, 7, 7, 7, 2))) {
      assertThrows(IllegalStateException.class, () -> wrong.check(expected, "now"));
    }
  }
}
