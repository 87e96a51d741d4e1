package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes the report of a run. */
public final class Report {
  private static final String TITLE = "pmstore, measured";

  private Report() {}

  /**
   * Writes {@code report.html}, one page that needs nothing else; {@code report.md}, its tables in
   * short; and the plots in {@code plots/*.png}. The same results give the same report. What was
   * not measured is left out; the table of targets says so.
   *
   * @param directory made if it is missing; files of the same names are replaced
   */
  public static void write(Results results, Path directory) throws IOException {
    Page.write(TITLE, sections(new Figures(results)), directory, "report");
  }

  /**
   * The comparison with the databases comes first, then each suite; targets and the run come last.
   */
  static List<Section> sections(Figures figures) {
    return Stream.of(
            OverviewSection.of(figures),
            OmsSection.of(figures),
            WorkloadSection.of(figures, "ycsb", "YCSB"),
            WorkloadSection.of(figures, "tpcb", "TPC-B"),
            IntsetSection.of(figures),
            TieredSection.of(figures),
            ConsensusSection.of(figures),
            ObjectsSection.of(figures),
            PaperSection.of(figures),
            AllFiguresSection.of(figures),
            OmissionsSection.of(figures),
            TargetsSection.of(figures),
            RunSection.of(figures))
        .filter(section -> !section.blocks().isEmpty())
        .toList();
  }
}
