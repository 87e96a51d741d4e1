package io.pmstore.jmh.report;

import io.pmstore.jmh.report.CategoryPlot.Kind;
import io.pmstore.jmh.report.Pivot.Column;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A suite with workloads that all targets run: YCSB, TPC-B. */
final class WorkloadSection {
  private WorkloadSection() {}

  static Section of(Figures figures, String suite, String title) {
    List<Block> blocks = new ArrayList<>();
    Figures.byDurability(figures.of(suite))
        .forEach(
            (durability, measured) ->
                Figures.grouped(measured, m -> List.of(m.subject().medium(), m.subject().size()))
                    .values()
                    .forEach(group -> show(figures, title, group, blocks)));
    return new Section(title, blocks);
  }

  private static void show(
      Figures figures, String title, List<Measurement> group, List<Block> blocks) {
    Subject subject = group.getFirst().subject();
    String where =
        "%s on %s, durability %s%s"
            .formatted(
                title,
                Media.name(figures.results(), subject.medium()),
                subject.durability(),
                subject.size() == 0 ? "" : ", size " + Numbers.of(subject.size()));
    if (!subject.medium().equals(Subject.MEMORY)) {
      List<Measurement> throughput =
          group.stream().filter(m -> m.metric().equals(Figures.THROUGHPUT)).toList();
      boolean workloads =
          throughput.stream().map(m -> m.subject().workload()).distinct().count() > 1;
      Figures.grouped(throughput, m -> workloads ? m.subject().threads() : 0)
          .forEach(
              (threads, plotted) ->
                  blocks.add(
                      workloads
                          ? bars(figures, where + ", threads: " + threads, plotted, Column.WORKLOAD)
                          : bars(figures, where, plotted, Column.THREADS)));
    }
    List<Measurement> ofAllOperations =
        group.stream().filter(m -> !m.metric().contains(" ")).toList(); // not of one kind of them
    blocks.add(Pivot.table(where, ofAllOperations, Column.WORKLOAD, Column.THREADS, Column.TARGET));
  }

  private static Block bars(
      Figures figures, String title, List<Measurement> plotted, Column category) {
    List<Measurement> inOrder =
        plotted.stream()
            .sorted(
                Comparator.comparingInt((Measurement m) -> Palette.order(m.subject().target()))
                    .thenComparing(m -> m.subject().workload())
                    .thenComparingInt(m -> m.subject().threads()))
            .toList();
    return CategoryPlot.of(
        Kind.BARS,
        OmsSection.slug(title),
        title,
        category.title(),
        "throughput (" + plotted.getFirst().unit() + ")",
        figures.withLimits(inOrder, category.of()));
  }
}
