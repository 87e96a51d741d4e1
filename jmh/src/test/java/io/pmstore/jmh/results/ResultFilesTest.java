package io.pmstore.jmh.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {
  private static final Subject SUBJECT =
      new Subject("oms", "ratio 6", "pmstore", "pmem", "sync", 4, 0);

  @TempDir Path directory;

  private static Results results() {
    Histogram nanos = new Histogram(2);
    for (int i = 1; i <= 1000; i++) {
      nanos.recordValue(i * 1000L);
    }
    return new Results(
        Map.of("processor", "one, with \"quotes\""),
        List.of(
            new Measurement(SUBJECT, "throughput", "reports/s", List.of(1.5, 2.5)),
            Measurement.of(SUBJECT, "disk", "bytes", 4096)),
        List.of(LatencyCurve.of(SUBJECT, nanos)),
        List.of(new Omission("oms/x", "no library")));
  }

  @Test
  void jsonKeepsEverything() {
    Path file = directory.resolve("results.json");
    Results results = results();
    ResultFiles.writeJson(results, file);
    assertEquals(results, ResultFiles.readJson(file));
  }

  @Test
  void whatIsNoResultIsRefusedByName() throws IOException {
    Path file = Files.writeString(directory.resolve("other.json"), "{\"run\": 3}");
    String message =
        assertThrows(IllegalArgumentException.class, () -> ResultFiles.readJson(file)).getMessage();
    assertTrue(message.contains("other.json"), message);
  }

  @Test
  void csvHasALineForEachFigure() throws IOException {
    Path file = directory.resolve("results.csv");
    ResultFiles.writeCsv(results(), file);
    assertEquals(
        List.of(
            "oms,ratio 6,pmstore,pmem,sync,4,0,throughput,reports/s,2,2.0,1.5 2.5",
            "oms,ratio 6,pmstore,pmem,sync,4,0,disk,bytes,1,4096.0,4096.0"),
        Files.readAllLines(file).subList(1, 3));
  }

  @Test
  void aCurveRisesToTheLargestValue() {
    List<LatencyCurve.Point> points = results().latencies().getFirst().points();
    assertEquals(100.0, points.getLast().percentile());
    assertEquals(1000.0, points.getLast().micros(), 10);
    for (int i = 1; i < points.size(); i++) {
      assertTrue(points.get(i - 1).micros() <= points.get(i).micros());
    }
  }
}
