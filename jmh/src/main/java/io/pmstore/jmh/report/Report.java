package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Shows results to people. */
public final class Report {
  private static final String TITLE = "pmstore, measured";

  private Report() {}

  /**
   * Writes {@code report.html}, one page that needs nothing else; {@code report.md}, its tables in
   * short; and the plots in {@code plots/*.png}. The same results give the same report. What was
   * not measured is left out; the table of what was to be reached says so.
   *
   * @param results what was measured
   * @param directory made if it is missing; files of the same names are replaced
   * @throws IOException if they cannot be written
   */
  public static void write(Results results, Path directory) throws IOException {
    System.setProperty("java.awt.headless", "true"); // before the first plot
    List<Section> sections = sections(new Figures(results));
    PlotFiles.write(sections, directory);
    Files.writeString(directory.resolve("report.html"), HtmlPage.of(TITLE, sections, directory));
    Files.writeString(directory.resolve("report.md"), MarkdownPage.of(TITLE, sections));
  }

  static List<Section> sections(Figures figures) {
    return Stream.of(
            RunSection.of(figures),
            TargetsSection.of(figures),
            OmsSection.of(figures),
            PaperSection.of(figures),
            WorkloadSection.of(figures, "ycsb", "YCSB"),
            WorkloadSection.of(figures, "tpcb", "TPC-B"),
            IntsetSection.of(figures),
            ObjectsSection.of(figures),
            OmissionsSection.of(figures),
            AllFiguresSection.of(figures))
        .filter(section -> !section.blocks().isEmpty())
        .toList();
  }
}
