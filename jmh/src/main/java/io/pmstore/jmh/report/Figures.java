package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds figures in results. */
final class Figures {
  static final String THROUGHPUT = "throughput";
  private static final List<String> DURABILITIES =
      List.of(Subject.SYNC, Subject.RELAXED, Subject.NONE);

  /** Targets in their order, few threads and small sizes first; else as they were measured. */
  static final Comparator<Subject> ORDER =
      Comparator.comparingInt(Subject::threads)
          .thenComparingLong(Subject::size)
          .thenComparingInt(subject -> Palette.order(subject.target()));

  private final Results results;

  Figures(Results results) {
    this.results = results;
  }

  Results results() {
    return results;
  }

  List<Measurement> of(String suite) {
    return results.measurements().stream()
        .filter(measurement -> measurement.subject().suite().equals(suite))
        .toList();
  }

  /** All of a suite that have a metric. */
  List<Measurement> of(String suite, String metric) {
    return of(suite).stream().filter(m -> m.metric().equals(metric)).toList();
  }

  Optional<Measurement> find(Subject subject, String metric) {
    return results.measurements().stream()
        .filter(m -> m.subject().equals(subject) && m.metric().equals(metric))
        .findFirst();
  }

  /**
   * Points of measured throughputs, and behind them those of what does the same work but keeps
   * nothing.
   *
   * @param category of a point
   */
  List<Point> withLimits(List<Measurement> measured, Function<Subject, String> category) {
    List<Point> points = new ArrayList<>();
    for (Measurement m : measured) {
      points.add(Point.of(category.apply(m.subject()), m.subject().target(), m));
    }
    for (Measurement m : measured) {
      for (Measurement limit : withoutDurability(m.subject())) {
        points.add(Point.of(category.apply(m.subject()), limit.subject().target(), limit));
      }
    }
    return points;
  }

  /** The throughput of what does the same work but keeps nothing: a limit for all durabilities. */
  private List<Measurement> withoutDurability(Subject subject) {
    return of(subject.suite(), THROUGHPUT).stream()
        .filter(m -> m.subject().medium().equals(Subject.MEMORY))
        .filter(m -> m.subject().workload().equals(subject.workload()))
        .filter(m -> m.subject().threads() == subject.threads())
        .filter(m -> m.subject().size() == subject.size())
        .toList();
  }

  /** The same with another target. */
  static Subject with(Subject subject, String target) {
    return new Subject(
        subject.suite(),
        subject.workload(),
        target,
        subject.medium(),
        subject.durability(),
        subject.threads(),
        subject.size());
  }

  /** Groups in the order in which their keys come first. */
  static <T, K> Map<K, List<T>> grouped(List<T> all, Function<T, K> key) {
    Map<K, List<T>> groups = new LinkedHashMap<>();
    for (T one : all) {
      groups.computeIfAbsent(key.apply(one), none -> new ArrayList<>()).add(one);
    }
    return groups;
  }

  /** Groups by durability, the strictest first: nothing is ever compared across these. */
  static Map<String, List<Measurement>> byDurability(List<Measurement> all) {
    return grouped(
        all.stream()
            .sorted(Comparator.comparingInt(m -> DURABILITIES.indexOf(m.subject().durability())))
            .toList(),
        m -> m.subject().durability());
  }
}
