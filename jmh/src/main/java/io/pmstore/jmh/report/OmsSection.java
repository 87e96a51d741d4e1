package io.pmstore.jmh.report;

import io.pmstore.jmh.report.CategoryPlot.Kind;
import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The order management system over all targets. */
final class OmsSection {
  private static final String SUITE = "oms";

  private static final String METRICS =
      "An order is inserted once and then updated as often as the ratio says; each is one report,"
          + " and one transaction. p50 and p99: from the start of a call to its acknowledgement."
          + " For a report: disk, what the closed store takes, the log excluded where it can be"
          + " told; log, what that takes; written, what the device wrote meanwhile. Reopen: from"
          + " the start of opening to the first order read.";

  private final Figures figures;
  private final List<Block> blocks = new ArrayList<>();

  private OmsSection(Figures figures) {
    this.figures = figures;
  }

  static Section of(Figures figures) {
    OmsSection section = new OmsSection(figures);
    Figures.byDurability(figures.of(SUITE, Figures.THROUGHPUT)).forEach(section::plots);
    section.latencies();
    if (!figures.of(SUITE).isEmpty()) {
      section.blocks.add(new Block.Text(METRICS));
    }
    Figures.byDurability(figures.of(SUITE))
        .forEach((durability, measured) -> section.tables(measured));
    return new Section("Order management", section.blocks);
  }

  private void plots(String durability, List<Measurement> all) {
    List<Measurement> stored = new ArrayList<>(all);
    stored.removeIf(m -> m.subject().medium().equals(Subject.MEMORY));
    stored.sort(Comparator.comparingInt(m -> Palette.order(m.subject().target())));
    List<Measurement> single = stored.stream().filter(m -> m.subject().threads() == 1).toList();
    Figures.grouped(single, Measurement::unit)
        .forEach((unit, same) -> bars(durability, unit, same));
    Figures.grouped(stored, m -> List.of(m.subject().medium(), m.subject().workload()))
        .values()
        .forEach(this::overThreads);
  }

  private void bars(String durability, String unit, List<Measurement> stored) {
    List<Measurement> sorted =
        stored.stream()
            .sorted(
                Comparator.comparing((Measurement m) -> m.subject().medium())
                    .thenComparing(m -> m.subject().workload(), Comparator.reverseOrder()))
            .toList();
    blocks.add(
        CategoryPlot.of(
            Kind.BARS,
            "oms-" + slug(durability + "-" + unit),
            "Order management, durability " + durability + ", 1 thread",
            "medium and workload" + emulated(),
            "throughput (" + unit + ")",
            figures.withLimits(sorted, s -> s.medium() + ", " + s.workload())));
  }

  private void overThreads(List<Measurement> group) {
    List<Measurement> sorted =
        group.stream().sorted(Comparator.comparing(Measurement::subject, Figures.ORDER)).toList();
    Subject subject = sorted.getFirst().subject();
    if (subject.threads() == sorted.getLast().subject().threads()) {
      return;
    }
    blocks.add(
        CategoryPlot.of(
            Kind.LINES,
            name("threads", subject),
            subject.workload() + " on " + medium(subject) + ", durability " + subject.durability(),
            "threads",
            "throughput (" + sorted.getFirst().unit() + ")",
            figures.withLimits(sorted, Pivot.Column.THREADS.of())));
  }

  private void latencies() {
    List<LatencyCurve> curves =
        figures.results().latencies().stream()
            .filter(curve -> curve.subject().suite().equals(SUITE))
            .filter(curve -> isEnd(curve.subject().threads()))
            .sorted(Comparator.comparing(LatencyCurve::subject, Figures.ORDER))
            .toList();
    Figures.grouped(curves, curve -> Figures.with(curve.subject(), ""))
        .values()
        .forEach(
            group -> {
              Subject subject = group.getFirst().subject();
              blocks.add(
                  LatencyPlot.of(
                      name("latency", subject),
                      "Latency: %s on %s, durability %s, %s"
                          .formatted(
                              subject.workload(),
                              medium(subject),
                              subject.durability(),
                              Numbers.threads(subject.threads())),
                      group));
            });
  }

  /** One thread, and the most: those between show nothing new. */
  private boolean isEnd(int threads) {
    return threads == 1
        || figures.of(SUITE).stream().noneMatch(m -> m.subject().threads() > threads);
  }

  private void tables(List<Measurement> measured) {
    Figures.grouped(measured, m -> List.of(m.subject().workload(), m.subject().medium()))
        .values()
        .forEach(
            group -> {
              Subject subject = group.getFirst().subject();
              blocks.add(
                  Pivot.table(
                      "%s on %s, durability %s"
                          .formatted(subject.workload(), medium(subject), subject.durability()),
                      group,
                      Pivot.Column.THREADS,
                      Pivot.Column.TARGET));
            });
  }

  private String medium(Subject subject) {
    return Media.name(figures.results(), subject.medium());
  }

  private String emulated() {
    return Media.isEmulated(figures.results()) ? " (pmem: emulated persistent memory)" : "";
  }

  private static String name(String kind, Subject subject) {
    return slug(
        String.join(
            "-",
            subject.suite(),
            kind,
            subject.workload(),
            subject.medium(),
            subject.durability(),
            Integer.toString(subject.threads())));
  }

  /** For names of files. */
  static String slug(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
