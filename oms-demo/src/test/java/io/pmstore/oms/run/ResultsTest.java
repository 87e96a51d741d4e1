package io.pmstore.oms.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.oms.targets.DiskUse;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final RunResult ROW =
      new RunResult(
          "sqlite",
          "file",
          "sync",
          2,
          1_000,
          7_000,
          2.0,
          120.04,
          950.5,
          new DiskUse(4_096, 0),
          7.25);

  @TempDir private Path dir;

  @Test
  void theHeaderIsWrittenOnceAndRowsAreAppended() throws IOException {
    Path file = dir.resolve("results.csv");
    CsvFile.open(file).append(ROW);
    CsvFile.open(file).append(ROW);
    assertEquals(
        List.of(
            "target,medium,durability,threads,ratio,orders,reports,seconds,reports_per_s,p50_us,p99_us,bytes,reopen_ms",
            "sqlite,file,sync,2,6,1000,7000,2.000,3500.0,120.0,950.5,4096,7.3",
            "sqlite,file,sync,2,6,1000,7000,2.000,3500.0,120.0,950.5,4096,7.3"),
        Files.readAllLines(file));
  }

  @Test
  void aFileWithSomethingElseIsNotTouched() throws IOException {
    Path file = dir.resolve("letter.txt");
    Files.writeString(file, "Dear reader\n");
    IOException refused = assertThrows(IOException.class, () -> CsvFile.open(file));
    assertTrue(String.valueOf(refused.getMessage()).contains("Dear reader"), refused::toString);
    assertEquals("Dear reader\n", Files.readString(file));
  }

  @Test
  void aRatioThatIsNotWholeHasDecimals() {
    RunResult row =
        new RunResult("sqlite", "file", "sync", 1, 3, 10, 1.0, 1, 1, new DiskUse(0, 0), 1);
    assertEquals("2.33", row.ratio());
  }

  @Test
  void theTableHasALineForEachResult() {
    List<String> lines = ResultTable.format(List.of(ROW));
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().startsWith("target"));
    assertTrue(lines.getLast().contains("3,500"), lines.getLast());
  }

  @Test
  void diskUseCountsAllocatedBlocksAndNoHoles() throws IOException {
    Path data = Files.createDirectories(dir.resolve("data"));
    Path logs = Files.createDirectories(data.resolve("redo"));
    Files.write(logs.resolve("1"), new byte[100_000]);
    try (RandomAccessFile sparse = new RandomAccessFile(data.resolve("heap").toFile(), "rw")) {
      sparse.setLength(1L << 30);
    }
    // Blocks are allocated when the file system writes them out, which du would otherwise not see
    // yet.
    try (RandomAccessFile written = new RandomAccessFile(logs.resolve("1").toFile(), "rw")) {
      written.getFD().sync();
    }
    DiskUse use = DiskUse.of(data, "redo");
    assertTrue(use.redoLogBytes() >= 100_000 && use.redoLogBytes() < 200_000, use::toString);
    assertTrue(use.bytes() >= use.redoLogBytes() && use.bytes() < 1L << 20, use::toString);
  }
}
