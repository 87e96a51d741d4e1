package io.pmstore.jmh.report;

import io.pmstore.jmh.report.CategoryPlot.Kind;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The eight settings that Guirelli et al. compared, with what stands for each here. */
final class PaperSection {
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting("PostgreSQL, ext4 on SSD", "postgres", Subject.FILE, ""),
          new Setting("SQLite, ext4 on SSD", "sqlite", Subject.FILE, ""),
          new Setting(
              "PM.NET on mapped files, ext4 on SSD",
              "pmstore",
              Subject.FILE,
              "level with the databases"),
          new Setting(
              "PM.NET on PMDK, ext4 on SSD",
              "pmstore-llpl",
              Subject.FILE,
              "about 87 % above the databases"),
          new Setting("PostgreSQL, DAX on Optane", "postgres", Subject.PMEM, ""),
          new Setting("SQLite, DAX on Optane", "sqlite", Subject.PMEM, ""),
          new Setting(
              "PM.NET on mapped files, DAX on Optane",
              "pmstore",
              Subject.PMEM,
              "level with the databases"),
          new Setting(
              "PM.NET on PMDK, DAX on Optane",
              "pmstore-llpl",
              Subject.PMEM,
              "about 44 % above the databases; of PM.NET on persistent memory it says"
                  + " 2,784 reports/s at 6/1, below the SSD (a file for each object), and 382,064"
                  + " at 1000/1, 20.65 % above the SSD"));
  private static final List<String> WORKLOADS = List.of("ratio 6", "ratio 1000");

  /** A bar of the paper's figure. */
  private record Setting(String name, String target, String medium, String said) {
    Subject subject(String workload) {
      return new Subject("oms", workload, target, medium, Subject.SYNC, 1, 0);
    }
  }

  private PaperSection() {}

  static Section of(Figures figures) {
    List<Point> points = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (Setting setting : SETTINGS) {
      List<String> row = new ArrayList<>(List.of(setting.name(), setting.said()));
      row.add(setting.target() + ", " + Media.name(figures.results(), setting.medium()));
      for (String workload : WORKLOADS) {
        Optional<Measurement> ours = figures.find(setting.subject(workload), Figures.THROUGHPUT);
        row.add(ours.map(Numbers::of).orElse("not measured"));
        ours.ifPresent(
            m -> points.add(Point.of(setting.target() + " " + setting.medium(), workload, m)));
      }
      rows.add(row);
    }
    if (points.isEmpty()) {
      return new Section("", List.of());
    }
    return new Section(
        "The figure of PM.NET",
        List.of(
            new Block.Text(
                "Guirelli et al. ran an order management system on eight settings, on a Xeon Gold"
                    + " 5317 with an SSD DC S4600 and Optane. The text of the paper names few"
                    + " figures; they stand beside what was measured here, on another machine:"
                    + " compare within a column."),
            CategoryPlot.of(
                Kind.BARS,
                "paper-pm-net",
                "The eight settings of PM.NET's figure, as measured here",
                "target and medium (1 thread, sync)",
                "throughput (reports/s)",
                points),
            new Block.Table(
                "The eight settings",
                List.of(
                    "in the paper",
                    "the paper says",
                    "here",
                    "reports/s, 6/1",
                    "reports/s, 1000/1"),
                rows)));
  }
}
