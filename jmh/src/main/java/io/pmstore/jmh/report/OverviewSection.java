package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The first section: order management, reads and bytes beside the databases, each as one picture
 * with one sentence. All of it is of stores that acknowledge what is durable.
 */
final class OverviewSection {
  private static final String PMSTORE = "pmstore";
  private static final List<String> DATABASES = List.of("sqlite", "postgres");

  /**
   * A category of a picture: one thing that pmstore and a database have both done.
   *
   * @param name under the bars
   * @param where the same in a sentence
   */
  private record Place(
      String name,
      String where,
      String suite,
      String workload,
      String medium,
      int threads,
      String metric) {}

  private final Figures figures;
  private final List<Block> blocks = new ArrayList<>();

  private OverviewSection(Figures figures) {
    this.figures = figures;
  }

  static Section of(Figures figures) {
    OverviewSection section = new OverviewSection(figures);
    section.reports();
    section.reads();
    section.bytes();
    if (!section.blocks.isEmpty()) {
      section.blocks.add(
          new Block.Text(
              "Every transaction is durable when it is acknowledged. Error bars are 95 % confidence"
                  + " intervals. Axes are logarithmic where values differ by more than 30 times."
                  + (Media.isEmulated(figures.results())
                      ? " Persistent memory is emulated in ordinary memory: compare the stores, not"
                          + " the media."
                      : "")));
    }
    return new Section("Beside SQLite and PostgreSQL", section.blocks);
  }

  private void reports() {
    show(
        "overview-reports",
        "Order management",
        "reports/s (more is better)",
        "Execution reports, one transaction each: pmstore does",
        List.of(reports(Subject.FILE, 1), reports(Subject.FILE, 16), reports(Subject.PMEM, 1)));
  }

  private Place reports(String medium, int threads) {
    String count = Numbers.threads(threads);
    return new Place(
        medium(medium) + ", " + count,
        "with " + count + on(medium),
        "oms",
        "ratio 6",
        medium,
        threads,
        Figures.THROUGHPUT);
  }

  private void reads() {
    show(
        "overview-reads",
        "Reads: an order and its reports, by id",
        "orders/s (more is better)",
        "Orders with their reports, found by id: pmstore does",
        List.of(reads(Subject.FILE), reads(Subject.PMEM)));
  }

  private Place reads(String medium) {
    return new Place(
        medium(medium), on(medium).strip(), "oms", "find by id", medium, 1, Figures.THROUGHPUT);
  }

  private void bytes() {
    show(
        "overview-bytes",
        "Bytes on disk, log excluded",
        "bytes (less is better)",
        "Bytes on disk of the closed store: pmstore takes",
        List.of(
            new Place(
                "execution report",
                "for an execution report",
                "oms",
                "find by id",
                Subject.FILE,
                1,
                "disk"),
            new Place(
                "YCSB record",
                "for a YCSB record",
                "ycsb",
                "all",
                Subject.FILE,
                1,
                "disk per record")));
  }

  private String medium(String medium) {
    return Media.name(figures.results(), medium);
  }

  private String on(String medium) {
    return (medium.equals(Subject.FILE) ? " on an " : " on ") + medium(medium);
  }

  private void show(String name, String title, String unit, String claim, List<Place> places) {
    List<Point> points = new ArrayList<>();
    List<String> findings = new ArrayList<>();
    for (Place place : places) {
      Optional<Measurement> ours = ours(place);
      List<Measurement> theirs =
          ours.stream()
              .flatMap(m -> DATABASES.stream().map(database -> Figures.with(m.subject(), database)))
              .flatMap(subject -> figures.find(subject, place.metric()).stream())
              .toList();
      if (!theirs.isEmpty()) {
        points.add(Point.of(place.name(), PMSTORE, ours.orElseThrow()));
        theirs.forEach(m -> points.add(Point.of(place.name(), m.subject().target(), m)));
        findings.add(finding(place, ours.orElseThrow(), theirs));
      }
    }
    if (!points.isEmpty()) {
      blocks.add(new Block.Text(claim + " " + String.join(", ", findings) + "."));
      blocks.add(CategoryPlot.compact(name, title, unit, points));
    }
  }

  /** Of several sizes the largest. */
  private Optional<Measurement> ours(Place place) {
    return figures.of(place.suite(), place.metric()).stream()
        .filter(m -> m.subject().target().equals(PMSTORE))
        .filter(m -> m.subject().workload().equals(place.workload()))
        .filter(m -> m.subject().medium().equals(place.medium()))
        .filter(m -> m.subject().durability().equals(Subject.SYNC))
        .filter(m -> m.subject().threads() == place.threads())
        .max(Comparator.comparingLong(m -> m.subject().size()));
  }

  private static String finding(Place place, Measurement ours, List<Measurement> theirs) {
    List<String> ratios =
        theirs.stream()
            .map(
                m ->
                    Numbers.ratio(ours.mean() / m.mean())
                        + "\u00A0x "
                        + Palette.product(m.subject().target()))
            .toList();
    return String.join(" and ", ratios) + " " + place.where();
  }
}
