package io.pmstore.jmh.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes sections as pages. */
public final class Page {
  private Page() {}

  /**
   * Writes {@code NAME.html}, one page that needs nothing else; {@code NAME.md}, its tables in
   * short; and the plots in {@code plots/*.png}.
   *
   * @param sections in their order, each with a block at least
   * @param directory made if it is missing; files of the same names are replaced
   * @param name of the pages, without extension
   */
  public static void write(String title, List<Section> sections, Path directory, String name)
      throws IOException {
    System.setProperty("java.awt.headless", "true"); // before the first plot
    PlotFiles.write(sections, directory);
    Files.writeString(directory.resolve(name + ".html"), HtmlPage.of(title, sections, directory));
    Files.writeString(directory.resolve(name + ".md"), MarkdownPage.of(title, sections));
  }
}
