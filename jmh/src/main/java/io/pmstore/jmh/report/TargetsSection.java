package io.pmstore.jmh.report;

import static io.pmstore.jmh.report.Goal.Relation.ABOVE;
import static io.pmstore.jmh.report.Goal.Relation.AT_LEAST;
import static io.pmstore.jmh.report.Goal.Relation.AT_MOST;

import io.pmstore.jmh.results.Subject;
import java.util.List;

/** The targets of pmstore, and whether it reaches them. */
final class TargetsSection {
  private static final List<String> SYNC = List.of(Subject.SYNC);
  private static final List<String> RELAXED = List.of(Subject.RELAXED);
  private static final List<String> READING = List.of(Subject.SYNC, Subject.RELAXED, Subject.NONE);

  static final List<Goal> GOALS =
      List.of(
          throughput(Subject.PMEM, SYNC, 1, "sqlite", AT_LEAST, 10),
          throughput(Subject.PMEM, SYNC, 1, "llpl-raw", AT_LEAST, 2.5),
          throughput(Subject.PMEM, SYNC, 1, "", AT_LEAST, 1_000_000),
          throughput(Subject.FILE, SYNC, 1, "barrier", AT_LEAST, 0.9),
          throughput(Subject.FILE, SYNC, 1, "sqlite", ABOVE, 1),
          throughput(Subject.FILE, SYNC, 1, "postgres", ABOVE, 1),
          throughput(Subject.FILE, SYNC, 16, "sqlite", AT_LEAST, 4),
          throughput(Subject.FILE, SYNC, 16, "postgres", AT_LEAST, 2),
          throughput(Subject.FILE, RELAXED, 1, "sqlite", AT_LEAST, 10),
          reading(Subject.FILE),
          reading(Subject.PMEM),
          disk(Subject.FILE, 1.5),
          disk(Subject.FILE, 1),
          disk(Subject.PMEM, 1.5),
          disk(Subject.PMEM, 1));

  private TargetsSection() {}

  private static Goal throughput(
      String medium,
      List<String> durabilities,
      int threads,
      String rival,
      Goal.Relation relation,
      double bound) {
    String what =
        (medium.equals(Subject.PMEM) ? "persistent memory" : medium)
            + ", ratio 6, "
            + durabilities.getFirst()
            + ", "
            + Numbers.threads(threads)
            + (rival.isEmpty() ? ": reports/s (the aim)" : ": throughput");
    return new Goal(
        what,
        "oms",
        "ratio 6",
        medium,
        durabilities,
        threads,
        Figures.THROUGHPUT,
        rival,
        relation,
        bound);
  }

  private static Goal reading(String medium) {
    return new Goal(
        "objects read by id, " + medium + ", 1 thread: throughput",
        "oms",
        "find by id",
        medium,
        READING,
        1,
        Figures.THROUGHPUT,
        "sqlite",
        AT_LEAST,
        5);
  }

  private static Goal disk(String medium, double bound) {
    return new Goal(
        "bytes on disk for a report, log excluded, ratio 6, as many orders each, "
            + medium
            + (bound == 1 ? " (the aim)" : ""),
        "oms",
        "find by id",
        medium,
        SYNC,
        1,
        "disk",
        "sqlite",
        AT_MOST,
        bound);
  }

  static Section of(Figures figures) {
    return new Section(
        "Targets",
        List.of(
            new Block.Table(
                "Targets, decided by the means",
                List.of("what", "target", "measured", "from", "decision"),
                GOALS.stream().map(goal -> row(goal, goal.decide(figures))).toList())));
  }

  private static List<String> row(Goal goal, Goal.Outcome outcome) {
    return List.of(
        goal.what(),
        goal.toReach(),
        outcome.measured(),
        outcome.figures(),
        outcome.decision().toString());
  }
}
