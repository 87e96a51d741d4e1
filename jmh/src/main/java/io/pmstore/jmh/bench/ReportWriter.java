package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.Results;
import java.io.IOException;
import java.nio.file.Path;

/** Makes something to look at of results. */
@FunctionalInterface
public interface ReportWriter {
  /**
   * Writes the report.
   *
   * @param directory where its files are created or replaced
   */
  void write(Results results, Path directory) throws IOException;
}
