package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tiered storage beside NVWAL, with the figures of ETERNAL, and beside the mapped engine. */
final class TieredSection {
  private static final String SUITE = "tiered";
  private static final String TIERED = "pmstore-tiered";
  private static final String NVWAL = "nvwal";
  private static final String MAPPED = "pmstore";
  private static final String NOT_MEASURED = "not measured";
  private static final double FEWER_BYTES = 3;

  /**
   * A workload, and what the paper says of it.
   *
   * @param tiered transactions per second of ETERNAL there
   * @param nvwal those of NVWAL there
   * @param target the ratio to reach
   */
  private record Paper(String workload, double tiered, double nvwal, double target) {}

  private static final List<Paper> PAPER =
      List.of(
          new Paper("update zipfian", 174_327, 99_792, 1.73),
          new Paper("update latest", 167_650, 97_939, 1.73),
          // The paper's engines write whole records; an update of YCSB writes one field of ten.
          new Paper("replace zipfian", 174_327, 99_792, 1.73),
          new Paper("replace latest", 167_650, 97_939, 1.73),
          new Paper("insert 50 % zipfian", 106_000, 83_579, 1.26),
          new Paper("insert 50 % latest", 104_495, 82_438, 1.26));

  private final Figures figures;
  private final List<Measurement> all;

  private TieredSection(Figures figures) {
    this.figures = figures;
    this.all = figures.of(SUITE);
  }

  static Section of(Figures figures) {
    return new TieredSection(figures).section();
  }

  private Section section() {
    List<Block> blocks = new ArrayList<>();
    if (!all.isEmpty()) {
      blocks.add(
          new Block.Text(
              "ETERNAL (Gomes, Brayner, Machado) keeps a database in DRAM and the last images of"
                  + " its records in two small pools of persistent memory, which are spilled to a"
                  + " disk in the background. The paper compares it with NVWAL, a redo log in the"
                  + " same memory that is spilled when it is full, while transactions wait:"
                  + " 12 GB of records of YCSB over 2 GB, in C++. Here both are engines of pmstore,"
                  + " with the same objects and transactions above them, one thread, and records of"
                  + " six times the pools' size; the base that keeps recovery short is part of the"
                  + " bytes of "
                  + TIERED
                  + "."));
    }
    PAPER.forEach(paper -> plot(paper.workload(), blocks));
    blocks.add(throughput());
    blocks.add(bytes());
    blocks.add(latencies());
    blocks.add(recovery());
    blocks.add(orders());
    return new Section("The tiered storage", blocks);
  }

  private Optional<Measurement> find(String workload, String target, String metric) {
    return all.stream()
        .filter(m -> m.metric().equals(metric))
        .filter(m -> m.subject().workload().equals(workload))
        .filter(m -> m.subject().target().equals(target))
        .findFirst();
  }

  private void plot(String workload, List<Block> blocks) {
    List<Measurement> runs = new ArrayList<>();
    find(workload, TIERED, Figures.THROUGHPUT).ifPresent(runs::add);
    find(workload, NVWAL, Figures.THROUGHPUT).ifPresent(runs::add);
    if (runs.isEmpty()) {
      return;
    }
    Measurement first = runs.getFirst();
    find(workload, first.subject().target(), "slice")
        .ifPresent(
            slice ->
                blocks.add(
                    TimePlot.of(
                        "tiered-" + OmsSection.slug(workload),
                        "YCSB, %s, %s records, pools on %s"
                            .formatted(
                                workload,
                                Numbers.of(first.subject().size()),
                                Media.name(figures.results(), first.subject().medium())),
                        runs,
                        slice.mean())));
  }

  private Block.Table throughput() {
    List<List<String>> rows = new ArrayList<>();
    for (Paper paper : PAPER) {
      Optional<Measurement> ours = find(paper.workload(), TIERED, Figures.THROUGHPUT);
      Optional<Measurement> theirs = find(paper.workload(), NVWAL, Figures.THROUGHPUT);
      if (ours.isPresent() && theirs.isPresent()) {
        double ratio = ours.get().mean() / theirs.get().mean();
        rows.add(
            List.of(
                paper.workload(),
                Numbers.of(ours.get()),
                Numbers.of(theirs.get()),
                Numbers.quotient(ours.get(), theirs.get()),
                "%s to %s: %s"
                    .formatted(
                        Numbers.of(paper.tiered()),
                        Numbers.of(paper.nvwal()),
                        Numbers.of(paper.tiered() / paper.nvwal())),
                atLeast(paper.target()),
                decision(ratio, paper.target())));
      }
    }
    return new Block.Table(
        "Throughput, with the paper's beside it",
        List.of(
            "workload",
            TIERED + " (ops/s)",
            NVWAL + " (ops/s)",
            "ratio",
            "the paper, ETERNAL to NVWAL (tx/s)",
            "to reach",
            "decision"),
        rows);
  }

  private static String atLeast(double target) {
    return "at least " + Numbers.exact(target) + " x";
  }

  private static String decision(double ratio, double target) {
    return (ratio >= target ? Goal.Decision.MET : Goal.Decision.MISSED).toString();
  }

  private Block.Table bytes() {
    List<List<String>> rows = new ArrayList<>();
    for (Paper paper : PAPER) {
      for (String metric : List.of("written", "files")) {
        Optional<Measurement> ours = find(paper.workload(), TIERED, metric);
        Optional<Measurement> theirs = find(paper.workload(), NVWAL, metric);
        if (ours.isPresent() && theirs.isPresent()) {
          double us = ours.get().mean();
          double them = theirs.get().mean();
          // In a very short run one of them may not have written anything yet.
          boolean comparable = us > 0 && them > 0;
          rows.add(
              List.of(
                  paper.workload(),
                  metric.equals("written") ? "counted by the kernel" : "by which files grew",
                  Numbers.of(us),
                  Numbers.of(them),
                  comparable ? Numbers.of(them / us) : NOT_MEASURED,
                  atLeast(FEWER_BYTES),
                  comparable
                      ? decision(them / us, FEWER_BYTES)
                      : Goal.Decision.NOT_MEASURED.toString()));
        }
      }
    }
    return new Block.Table(
        "Bytes to disk for each operation; the paper's ratio is 3 (6 GB to 18 GB)",
        List.of("workload", "bytes", TIERED, NVWAL, "times fewer", "to reach", "decision"),
        rows);
  }

  private Block.Table latencies() {
    List<Measurement> shown =
        all.stream()
            .filter(m -> PAPER.stream().anyMatch(p -> p.workload().equals(m.subject().workload())))
            .filter(
                m ->
                    List.of("p50", "p99", "p99.9", "max", "max without JVM pauses")
                        .contains(m.metric()))
            .toList();
    return Pivot.table(
        "Latencies of operations; the JVM's garbage collector stops all threads, and a stall of the"
            + " store's own, at a rotation or a spill, would be the maximum without its pauses",
        shown,
        Pivot.Column.WORKLOAD,
        Pivot.Column.TARGET);
  }

  private Block.Table recovery() {
    List<Measurement> shown =
        all.stream().filter(m -> List.of("recovery", "records").contains(m.metric())).toList();
    return Pivot.table(
        "Recovery, after all workloads: from opening to the first record read",
        shown,
        Pivot.Column.TARGET);
  }

  private Block.Table orders() {
    List<List<String>> rows = new ArrayList<>();
    for (Measurement ours : figures.of(SUITE, Figures.THROUGHPUT)) {
      Subject subject = ours.subject();
      if (subject.target().equals(TIERED) && subject.workload().startsWith("ratio")) {
        figures
            .find(Figures.with(subject, MAPPED), Figures.THROUGHPUT)
            .ifPresent(theirs -> rows.add(orders(ours, theirs)));
      }
    }
    return new Block.Table(
        "The order management system beside the mapped engine, 6 updates for each order"
            + " (reports/s)",
        List.of("pools and log on", TIERED, MAPPED, "ratio", "to reach", "decision"),
        rows);
  }

  private List<String> orders(Measurement ours, Measurement theirs) {
    double ratio = ours.mean() / theirs.mean();
    String medium = ours.subject().medium();
    return List.of(
        Media.name(figures.results(), medium),
        Numbers.of(ours),
        Numbers.of(theirs),
        Numbers.quotient(ours, theirs),
        medium.equals(Subject.PMEM) ? atLeast(1) : "",
        medium.equals(Subject.PMEM) ? decision(ratio, 1) : "");
  }
}
