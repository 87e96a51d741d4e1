package io.pmstore.oms.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** A CSV file that results are appended to, so that several runs make one file. */
public final class CsvFile {
  private final Path file;

  private CsvFile(Path file) {
    this.file = file;
  }

  /**
   * Makes the file with its header, or checks that an existing one has it.
   *
   * @return the file, ready for rows
   * @throws IOException if it cannot be written, or its first line is something else
   */
  public static CsvFile open(Path file) throws IOException {
    if (Files.exists(file) && Files.size(file) > 0) {
      try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
        String first = lines.findFirst().orElse("");
        if (!first.equals(RunResult.CSV_HEADER)) {
          throw new IOException(
              "%s begins with '%s'; expected '%s'. Name another file"
                  .formatted(file, first, RunResult.CSV_HEADER));
        }
      }
    } else {
      Files.writeString(file, RunResult.CSV_HEADER + "\n");
    }
    return new CsvFile(file);
  }

  /** Adds a row. */
  public void append(RunResult result) throws IOException {
    Files.writeString(file, result.csv() + "\n", StandardOpenOption.APPEND);
  }
}
