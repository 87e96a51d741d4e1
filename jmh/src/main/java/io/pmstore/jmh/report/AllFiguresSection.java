package io.pmstore.jmh.report;

import io.pmstore.jmh.results.ConfidenceInterval;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.List;

/** Every figure, for who looks for one. */
final class AllFiguresSection {
  private AllFiguresSection() {}

  static Section of(Figures figures) {
    List<List<String>> rows =
        figures.results().measurements().stream().map(AllFiguresSection::row).toList();
    return new Section(
        "All figures",
        List.of(
            new Block.Table(
                rows.size() + " figures",
                List.of(
                    "suite",
                    "workload",
                    "target",
                    "medium",
                    "durability",
                    "threads",
                    "size",
                    "metric",
                    "unit",
                    "mean",
                    "95 % interval",
                    "samples"),
                rows,
                true)));
  }

  private static List<String> row(Measurement m) {
    Subject s = m.subject();
    return List.of(
        s.suite(),
        s.workload(),
        s.target(),
        s.medium(),
        s.durability(),
        Integer.toString(s.threads()),
        Long.toString(s.size()),
        m.metric(),
        m.unit(),
        Numbers.of(m.mean()),
        ConfidenceInterval.ofMean(m.samples())
            .map(i -> Numbers.of(i.low()) + " to " + Numbers.of(i.high()))
            .orElse(""),
        Integer.toString(m.samples().size()));
  }
}
