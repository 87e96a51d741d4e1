package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The ladders: what each layer of the object model adds to the same work without it. A ladder is a
 * benchmark, the first word of the workload; its rungs are the targets, with the other words.
 */
final class ObjectsSection {
  private static final String SUITE = "objects";

  /** How the names of rungs begin that the others are compared with, the best of them first. */
  private static final List<String> BASELINES =
      List.of("plain", "barrier", "readLog", "raw", "wholeTransaction");

  private ObjectsSection() {}

  static Section of(Figures figures) {
    List<Block> blocks = new ArrayList<>();
    Figures.grouped(figures.of(SUITE), m -> ladder(m, 0))
        .values()
        .forEach(
            group -> {
              boolean oneRung = group.stream().map(m -> rung(m.subject())).distinct().count() == 1;
              Figures.grouped(group, m -> ladder(m, oneRung ? 0 : m.subject().size()))
                  .values()
                  .forEach(ladder -> blocks.add(table(figures, ladder)));
            });
    return new Section("What objects cost", blocks);
  }

  private static List<Object> ladder(Measurement m, long size) {
    return List.of(name(m.subject()), m.metric(), m.unit(), m.subject().threads(), size);
  }

  private static String name(Subject subject) {
    return subject.workload().split("[ /]", 2)[0];
  }

  private static String rung(Subject subject) {
    return (subject.workload().substring(name(subject).length()) + " " + subject.target()).strip();
  }

  private static int rank(Measurement m) {
    for (int i = 0; i < BASELINES.size(); i++) {
      if (m.subject().target().startsWith(BASELINES.get(i))) {
        return i;
      }
    }
    return BASELINES.size();
  }

  private static Block table(Figures figures, List<Measurement> measured) {
    List<Measurement> ladder =
        measured.stream()
            .sorted(
                Comparator.comparingInt(ObjectsSection::rank)
                    .thenComparingLong(m -> m.subject().size())
                    .thenComparingDouble(Measurement::mean))
            .toList();
    Measurement baseline = ladder.getFirst();
    List<List<String>> rows = new ArrayList<>();
    for (Measurement rung : ladder) {
      Subject s = rung.subject();
      rows.add(
          List.of(
              rung(s),
              s.size() == 0 ? "" : Numbers.of(s.size()),
              Media.name(figures.results(), s.medium()),
              s.durability(),
              Numbers.of(rung),
              rung.equals(baseline) ? "1" : Numbers.quotient(rung, baseline)));
    }
    int threads = baseline.subject().threads();
    return new Block.Table(
        name(baseline.subject()) + (threads == 1 ? "" : ", " + Numbers.threads(threads)),
        List.of(
            "rung",
            "size",
            "medium",
            "durability",
            baseline.metric() + " (" + baseline.unit() + ")",
            "times the first"),
        rows);
  }
}
