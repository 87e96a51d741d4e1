package io.pmstore.jmh.report;

import io.pmstore.jmh.report.CategoryPlot.Kind;
import io.pmstore.jmh.report.Pivot.Column;
import io.pmstore.jmh.results.ConfidenceInterval;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What it costs a data structure to be kept: slow-downs against the same one in memory. */
final class IntsetSection {
  private static final String SUITE = "intset";

  /** Means of Bastelli et al., by medium and structure. */
  private static final Map<String, Map<String, String>> PAPER =
      Map.of(
          Subject.PMEM, Map.of("list", "3.2", "hash", "11.2", "skip list", "4.7", "all", "5.5"),
          Subject.FILE, Map.of("list", "47", "hash", "275", "skip list", "167", "all", "129"));

  private static final List<String> STRUCTURES = List.of("list", "hash", "skip list");

  /** How many times as fast plain Java is, with a structure of one size. */
  private record SlowDown(Subject subject, double factor, Optional<ConfidenceInterval> interval) {}

  private IntsetSection() {}

  static Section of(Figures figures) {
    List<Measurement> throughput = figures.of(SUITE, Figures.THROUGHPUT);
    List<SlowDown> slowDowns = slowDowns(figures, throughput);
    List<Block> blocks = new ArrayList<>();
    if (!slowDowns.isEmpty()) {
      blocks.add(
          new Block.Text(
              "Sets of long keys, 50 % look-ups, 25 % insertions, 25 % removals, in one thread;"
                  + " each change a durable transaction. The slow-down is the throughput of the"
                  + " same classes as plain Java objects, divided by theirs in the store."));
      Figures.grouped(slowDowns, s -> List.of(s.subject().target(), s.subject().medium()))
          .values()
          .forEach(group -> blocks.add(curves(figures, group)));
      blocks.add(means(figures, slowDowns));
    }
    Figures.grouped(figures.of(SUITE), m -> m.subject().workload())
        .forEach(
            (structure, group) ->
                blocks.add(
                    Pivot.table(
                        "Set as " + structure,
                        group,
                        Column.SIZE,
                        Column.TARGET,
                        Column.MEDIUM,
                        Column.DURABILITY)));
    return new Section("What a structure costs: intset", blocks);
  }

  private static List<SlowDown> slowDowns(Figures figures, List<Measurement> throughput) {
    List<SlowDown> slowDowns = new ArrayList<>();
    for (Measurement stored : throughput) {
      Subject s = stored.subject();
      Subject plain =
          new Subject(
              SUITE, s.workload(), "java", Subject.MEMORY, Subject.NONE, s.threads(), s.size());
      if (!s.target().equals("java")) {
        figures
            .find(plain, Figures.THROUGHPUT)
            .ifPresent(
                volatileOnes ->
                    slowDowns.add(
                        new SlowDown(
                            s,
                            volatileOnes.mean() / stored.mean(),
                            ConfidenceInterval.ofRatio(volatileOnes.samples(), stored.samples()))));
      }
    }
    slowDowns.sort(
        Comparator.comparingLong((SlowDown s) -> s.subject().size())
            .thenComparingInt(s -> STRUCTURES.indexOf(s.subject().workload())));
    return slowDowns;
  }

  private static Block curves(Figures figures, List<SlowDown> group) {
    Subject subject = group.getFirst().subject();
    List<Point> points =
        group.stream()
            .map(
                s ->
                    new Point(
                        size(s.subject().size()), s.subject().workload(), s.factor(), s.interval()))
            .toList();
    return CategoryPlot.of(
        Kind.LINES,
        OmsSection.slug("intset-" + subject.target() + "-" + subject.medium()),
        "%s on %s, durability %s: slow-down against plain Java"
            .formatted(
                subject.target(),
                Media.name(figures.results(), subject.medium()),
                subject.durability()),
        "elements",
        "slow-down (times)",
        points);
  }

  /** Powers of two as such. */
  private static String size(long size) {
    return Long.bitCount(size) == 1 ? "2^" + Long.numberOfTrailingZeros(size) : Long.toString(size);
  }

  private static Block means(Figures figures, List<SlowDown> slowDowns) {
    List<List<String>> rows = new ArrayList<>();
    Figures.grouped(
            slowDowns.stream()
                .sorted(
                    Comparator.comparingInt((SlowDown s) -> Palette.order(s.subject().target()))
                        .thenComparing(s -> s.subject().medium(), Comparator.reverseOrder()))
                .toList(),
            s -> List.of(s.subject().target(), s.subject().medium()))
        .forEach(
            (setting, group) -> {
              for (String structure : STRUCTURES) {
                rows.add(
                    row(
                        figures,
                        structure,
                        setting.getLast(),
                        group.stream()
                            .filter(s -> s.subject().workload().equals(structure))
                            .toList(),
                        setting.getFirst()));
              }
              rows.add(row(figures, "all", setting.getLast(), group, setting.getFirst()));
            });
    return new Block.Table(
        "Slow-down against plain Java: mean over the sizes, the smallest and the largest; beside"
            + " it the means of Bastelli et al. (PMDK on Optane, on SSD)",
        List.of("target", "medium", "structure", "mean", "least", "most", "in the paper"),
        rows);
  }

  private static List<String> row(
      Figures figures, String structure, String medium, List<SlowDown> slowDowns, String target) {
    return List.of(
        target,
        Media.name(figures.results(), medium),
        structure,
        of(slowDowns.stream().mapToDouble(SlowDown::factor).average()),
        of(slowDowns.stream().mapToDouble(SlowDown::factor).min()),
        of(slowDowns.stream().mapToDouble(SlowDown::factor).max()),
        PAPER.getOrDefault(medium, Map.of()).getOrDefault(structure, ""));
  }

  private static String of(OptionalDouble factor) {
    return factor.isPresent() ? Numbers.of(factor.getAsDouble()) : "not measured";
  }
}
