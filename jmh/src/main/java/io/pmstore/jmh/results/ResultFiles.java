package io.pmstore.jmh.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes results: as JSON, which has everything, and as CSV, which has the figures. */
public final class ResultFiles {
  private static final String HEADER =
      "suite,workload,target,medium,durability,threads,size,metric,unit,samples,mean,values";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private ResultFiles() {}

  /**
   * Writes everything.
   *
   * @param file created or replaced
   * @throws UncheckedIOException if it cannot be written
   */
  public static void writeJson(Results results, Path file) {
    write(file, JSON.writeValueAsString(results));
  }

  /**
   * Reads what {@link #writeJson} wrote.
   *
   * @throws UncheckedIOException if it cannot be read
   * @throws IllegalArgumentException if it is no such file
   */
  public static Results readJson(Path file) {
    try {
      return JSON.readValue(Files.readString(file), Results.class);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the results in " + file, e);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          file + " has no results as ./bench writes them: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Writes one line for each figure, the values of repeated measurements separated by spaces.
   *
   * @param file created or replaced
   * @throws UncheckedIOException if it cannot be written
   */
  public static void writeCsv(Results results, Path file) {
    List<String> lines = new ArrayList<>();
    lines.add(HEADER);
    for (Measurement measurement : results.measurements()) {
      Subject subject = measurement.subject();
      lines.add(
          String.format(
              Locale.ROOT,
              "%s,%s,%s,%s,%s,%d,%d,%s,%s,%d,%s,%s",
              subject.suite(),
              subject.workload(),
              subject.target(),
              subject.medium(),
              subject.durability(),
              subject.threads(),
              subject.size(),
              measurement.metric(),
              measurement.unit(),
              measurement.samples().size(),
              measurement.mean(),
              measurement.samples().stream()
                  .map(String::valueOf)
                  .collect(Collectors.joining(" "))));
    }
    write(file, String.join("\n", lines) + "\n");
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the results to " + file, e);
    }
  }
}
