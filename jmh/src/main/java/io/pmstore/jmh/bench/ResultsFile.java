package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.ResultFiles;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The results of a run as they come in: in memory, and in a file that has at any moment all of the
 * steps that have ended.
 */
final class ResultsFile {
  private final Path file;
  private final Map<String, String> run;
  private final Map<Figure, Measurement> measurements = new LinkedHashMap<>();
  private final Map<Subject, LatencyCurve> latencies = new LinkedHashMap<>();
  private final Set<Omission> omissions = new LinkedHashSet<>();

  private record Figure(Subject subject, String metric, String unit) {}

  ResultsFile(Path file, Map<String, String> run) {
    this.file = file;
    this.run = new LinkedHashMap<>(run);
  }

  /**
   * Adds what a step recorded, and writes the file. Samples of a figure that is there already are
   * added to its samples; of two distributions the later one is kept.
   */
  void add(Results step) throws IOException {
    for (Measurement measurement : step.measurements()) {
      measurements.merge(
          new Figure(measurement.subject(), measurement.metric(), measurement.unit()),
          measurement,
          ResultsFile::joined);
    }
    step.latencies().forEach(curve -> latencies.put(curve.subject(), curve));
    omissions.addAll(step.omissions());
    write();
  }

  private static Measurement joined(Measurement first, Measurement second) {
    return new Measurement(
        first.subject(),
        first.metric(),
        first.unit(),
        Stream.concat(first.samples().stream(), second.samples().stream()).toList());
  }

  Results results() {
    return new Results(
        run,
        List.copyOf(measurements.values()),
        List.copyOf(latencies.values()),
        List.copyOf(omissions));
  }

  void write() throws IOException {
    write(results(), file);
  }

  /** Writes a file: who reads it finds it as it was before, or with all of the results. */
  static void write(Results results, Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      ResultFiles.writeJson(results, next);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }
}
