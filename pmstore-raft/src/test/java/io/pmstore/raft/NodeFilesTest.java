package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.medium.DurableNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an opening makes durable that a killed process has left. */
class NodeFilesTest {
  @TempDir Path root;
  private Path directory = Path.of("");

  @BeforeEach
  void killAProcessThatHasMadeTheDirectory() throws IOException {
    directory = Files.createDirectory(root.resolve("a"));
  }

  @Test
  void theNameOfTheDirectory() {
    try (DurableNames names = new DurableNames(root);
        NodeFiles files = new NodeFiles(directory)) {
      files.lock();
      assertTrue(names.has(directory));
    }
  }

  @Test
  void theNamesOfItsFiles() throws IOException {
    new NodeFiles(directory).prepare("a", "pmstore");
    NodeFiles files = new NodeFiles(directory);
    Files.createDirectory(files.heap());
    try (DurableNames names = new DurableNames(directory)) {
      files.prepare("a", "pmstore");
      assertTrue(names.has(files.heap()));
    }
  }
}
