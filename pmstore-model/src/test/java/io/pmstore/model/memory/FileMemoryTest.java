package io.pmstore.model.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.model.memory.ProbedMemory.Pattern;
import io.pmstore.model.memory.ProbedMemory.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileMemoryTest {
  @TempDir private Path directory;

  private static String refused(Path directory, long bytes) {
    return assertThrows(ProbeException.class, () -> FileMemory.create(directory, bytes))
        .getMessage();
  }

  @Test
  void whatCannotBeMeasuredIsRefused() throws Exception {
    String message = refused(directory, 1 << 20);
    assertTrue(message.contains("too small"), message);
    message = refused(directory.resolve("absent"), FileMemory.BYTES_MIN);
    assertTrue(message.contains("not a directory"), message);
    message = refused(directory, Long.MAX_VALUE / 4);
    assertTrue(message.contains("bytes free"), message);
    Files.createFile(directory.resolve("pmstore-probe"));
    message = refused(directory, FileMemory.BYTES_MIN);
    assertTrue(message.contains("another probe"), message);
    assertTrue(Files.exists(directory.resolve("pmstore-probe")), "the file of another probe");
  }

  @Test
  void aReadOnlyDirectoryIsRefused() {
    Path readOnly = Path.of("/proc/self"); // root may write anywhere else
    if (Files.isDirectory(readOnly)) {
      String message = refused(readOnly, FileMemory.BYTES_MIN);
      assertTrue(message.contains("cannot be") || message.contains("bytes free"), message);
    }
  }

  @Test
  void doesWhatIsAskedAndLeavesNothing() throws Exception {
    try (FileMemory memory = FileMemory.create(directory, FileMemory.BYTES_MIN)) {
      Ring ring = new Ring(1 << 16, 64, 1);
      for (int chains : List.of(1, 4)) {
        assertTrue(memory.chase(ring, chains).run(1_000) > 0);
      }
      assertTrue(memory.writes(1 << 16, 3) > 0);
      assertTrue(memory.appends(2, 5, true) > 0);
      assertTrue(memory.appends(1, 5, false) > 0);
      assertTrue(memory.handOffs(10) > 0);
      for (Pattern pattern : Pattern.values()) {
        for (boolean isWrite : List.of(false, true)) {
          assertTrue(memory.stream(new Stream(isWrite, pattern, 4096, 2, 1 << 16)) > 0);
        }
      }
      assertFalse(memory.machine().isEmpty());
    }
    try (var left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aRingVisitsEveryBlockOnce() {
    for (int stride : List.of(64, 4096)) {
      Ring ring = new Ring(300L * stride, stride, 9);
      Set<Long> visited = new HashSet<>();
      int at = 0;
      for (int i = 0; i < ring.blocks(); i++) {
        assertTrue(visited.add(ring.offset(at)));
        assertTrue(ring.offset(at) / stride == at, "a block's line is in it");
        at = ring.next(at);
      }
      assertEquals(0, at);
      assertEquals(300, visited.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void blocksStayInTheirPart(Pattern pattern) {
    Blocks blocks = new Blocks(new Stream(false, pattern, 64, 1, 0), 64 * 21, 1);
    Set<Long> visited = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      long at = blocks.next();
      assertTrue(at >= 0 && at <= 64 * 20 && at % 64 == 0, pattern + ": " + at);
      visited.add(at);
    }
    assertEquals(21, visited.size(), pattern + " visits all");
  }
}
