package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes a table of figures: a row for each subject, a column for each metric. */
final class Pivot {
  private static final List<String> METRICS =
      List.of("throughput", "time", "p50", "p99", "p99.9", "disk", "log", "written", "reopen");

  /**
   * A leading column.
   *
   * @param of what a subject has there
   */
  record Column(String title, Function<Subject, String> of) {
    static final Column TARGET = new Column("target", Subject::target);
    static final Column WORKLOAD = new Column("workload", Subject::workload);
    static final Column MEDIUM = new Column("medium", Subject::medium);
    static final Column DURABILITY = new Column("durability", Subject::durability);
    static final Column THREADS = new Column("threads", s -> Integer.toString(s.threads()));
    static final Column SIZE = new Column("size", s -> Numbers.of(s.size()));
  }

  private Pivot() {}

  static Block.Table table(String caption, List<Measurement> measurements, Column... columns) {
    List<String> metrics =
        measurements.stream()
            .map(Measurement::metric)
            .distinct()
            .sorted(Comparator.comparingInt(Pivot::order))
            .toList();
    List<String> header = new ArrayList<>();
    for (Column column : columns) {
      header.add(column.title());
    }
    metrics.forEach(metric -> header.add(title(metric, measurements)));
    Map<Subject, List<Measurement>> subjects =
        Figures.grouped(
            measurements.stream()
                .sorted(Comparator.comparing(Measurement::subject, order(columns)))
                .toList(),
            Measurement::subject);
    List<List<String>> rows = new ArrayList<>();
    subjects.forEach(
        (subject, figures) -> {
          List<String> row = new ArrayList<>();
          for (Column column : columns) {
            row.add(column.of().apply(subject));
          }
          metrics.forEach(metric -> row.add(cell(figures, metric)));
          rows.add(row);
        });
    return new Block.Table(caption, header, rows);
  }

  private static Comparator<Subject> order(Column... columns) {
    return columns[0].equals(Column.WORKLOAD)
        ? Comparator.comparing(Subject::workload).thenComparing(Figures.ORDER)
        : Figures.ORDER;
  }

  private static int order(String metric) {
    int index = METRICS.indexOf(metric);
    return index < 0 ? METRICS.size() : index;
  }

  private static String title(String metric, List<Measurement> measurements) {
    String unit =
        measurements.stream()
            .filter(m -> m.metric().equals(metric))
            .map(Measurement::unit)
            .distinct()
            .reduce((first, second) -> first + ", " + second)
            .orElse("");
    return unit.isEmpty() ? metric : metric + " (" + unit + ")";
  }

  /** Returns the figure of a metric; nothing if there is none. */
  static String cell(List<Measurement> figures, String metric) {
    return figures.stream()
        .filter(m -> m.metric().equals(metric))
        .findFirst()
        .map(Numbers::of)
        .orElse("");
  }
}
