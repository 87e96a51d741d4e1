package io.pmstore.jmh.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.report.Goal.Decision;
import io.pmstore.jmh.report.Goal.Outcome;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each target is met from its bound on, and not before. */
final class GoalTest {
  private static Measurement figure(
      String workload,
      String target,
      String medium,
      String durability,
      int threads,
      String metric,
      double value) {
    return Measurement.of(
        new Subject("oms", workload, target, medium, durability, threads, 0),
        metric,
        "unit",
        value);
  }

  /** The outcomes of the goals, in their order, that the figures decide. */
  private static List<Outcome> decided(Measurement... figures) {
    Figures results = new Figures(new Results(Map.of(), List.of(figures), List.of(), List.of()));
    List<Outcome> decided = new ArrayList<>();
    for (Goal goal : TargetsSection.GOALS) {
      Outcome outcome = goal.decide(results);
      if (outcome.decision() != Decision.NOT_MEASURED) {
        decided.add(outcome);
      }
    }
    return decided;
  }

  /** What the issue demands, one line each: what just meets it, against 1000, and what does not. */
  @ParameterizedTest
  @CsvSource({
    "ratio 6,    pmem, sync,    1,  throughput, sqlite,   10000, 9999",
    "ratio 6,    pmem, sync,    1,  throughput, llpl-raw, 2500,  2499",
    "ratio 6,    file, sync,    1,  throughput, barrier,  900,   899",
    "ratio 6,    file, sync,    1,  throughput, sqlite,   1001,  1000",
    "ratio 6,    file, sync,    1,  throughput, postgres, 1001,  1000",
    "ratio 6,    file, sync,    16, throughput, sqlite,   4000,  3999",
    "ratio 6,    file, sync,    16, throughput, postgres, 2000,  1999",
    "ratio 6,    file, relaxed, 1,  throughput, sqlite,   10000, 9999",
    "find by id, file, sync,    1,  throughput, sqlite,   5000,  4999",
    "find by id, pmem, none,    1,  throughput, sqlite,   5000,  4999"
  })
  void isDecidedAtItsBound(
      String workload,
      String medium,
      String durability,
      int threads,
      String metric,
      String rival,
      double met,
      double missed) {
    Measurement theirs = figure(workload, rival, medium, durability, threads, metric, 1000);
    assertEquals(
        Decision.MET,
        decided(theirs, figure(workload, "pmstore", medium, durability, threads, metric, met))
            .getFirst()
            .decision());
    List<Outcome> outcomes =
        decided(theirs, figure(workload, "pmstore", medium, durability, threads, metric, missed));
    boolean aim = medium.equals("pmem") && workload.equals("ratio 6");
    assertEquals(aim ? 2 : 1, outcomes.size(), "nothing else is decided, but the aim of pmem");
    assertEquals(Decision.MISSED, outcomes.getFirst().decision());
  }

  @Test
  void theAimIsAMillionReportsPerSecond() {
    assertEquals(
        Decision.MET,
        decided(figure("ratio 6", "pmstore", "pmem", "sync", 1, "throughput", 1e6))
            .getFirst()
            .decision());
    assertEquals(
        Decision.MISSED,
        decided(figure("ratio 6", "pmstore", "pmem", "sync", 1, "throughput", 999_999))
            .getFirst()
            .decision());
  }

  @ParameterizedTest
  @CsvSource({"100, MET, MET", "101, MET, MISSED", "150, MET, MISSED", "151, MISSED, MISSED"})
  void diskUseIsToBeSmall(double bytes, Decision bound, Decision aim) {
    for (String medium : List.of("file", "pmem")) {
      List<Outcome> outcomes =
          decided(
              figure("find by id", "pmstore", medium, "sync", 1, "disk", bytes),
              figure("find by id", "sqlite", medium, "sync", 1, "disk", 100));
      assertEquals(List.of(bound, aim), outcomes.stream().map(Outcome::decision).toList());
    }
  }

  @Test
  void durabilitiesAreNeverMixed() {
    assertEquals(
        List.of(),
        decided(
            figure("ratio 6", "pmstore", "file", "relaxed", 1, "throughput", 1e6),
            figure("ratio 6", "sqlite", "file", "sync", 1, "throughput", 1),
            figure("find by id", "pmstore", "file", "none", 1, "throughput", 1e6),
            figure("find by id", "sqlite", "file", "sync", 1, "throughput", 1)));
  }

  @Test
  void onlyTheSameSizeIsCompared() {
    Figures results =
        new Figures(
            new Results(
                Map.of(),
                List.of(
                    found("sqlite", 1000, 10),
                    found("pmstore", 10, 1),
                    found("sqlite", 10, 1),
                    found("pmstore", 1000, 70),
                    found("pmstore", 5000, 1)),
                List.of(),
                List.of()));
    assertEquals(
        List.of("7.00"),
        TargetsSection.GOALS.stream()
            .map(goal -> goal.decide(results).measured())
            .filter(measured -> !measured.isEmpty())
            .toList());
  }

  private static Measurement found(String target, long size, double value) {
    return Measurement.of(
        new Subject("oms", "find by id", target, "file", "sync", 1, size),
        "throughput",
        "ops/s",
        value);
  }

  @Test
  void whatIsMissingIsNamed() {
    Figures results =
        new Figures(
            new Results(
                Map.of(),
                List.of(figure("ratio 6", "pmstore", "file", "sync", 16, "throughput", 5)),
                List.of(),
                List.of()));
    List<String> reasons =
        TargetsSection.GOALS.stream().map(goal -> goal.decide(results).figures()).toList();
    assertTrue(reasons.contains("no figure of sqlite"), reasons::toString);
    assertTrue(reasons.contains("no figure of postgres"), reasons::toString);
  }

  @Test
  void theQuotientIsShownWithItsInterval() {
    Subject ours = new Subject("oms", "ratio 6", "pmstore", "file", "sync", 16, 0);
    Outcome outcome =
        decided(
                new Measurement(ours, "throughput", "reports/s", List.of(4000.0, 4000.0)),
                new Measurement(
                    Figures.with(ours, "sqlite"), "throughput", "reports/s", List.of(800.0, 800.0)))
            .getFirst();
    assertEquals("5.00 [5.00; 5.00]", outcome.measured());
    assertEquals("4,000 to 800 reports/s", outcome.figures());
  }
}
