package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relative path leads pmstore to where it leads the JDK, whatever the current directory is. */
class RelativePathTest {
  @TempDir Path temp;

  /** Opens the store in the directory {@code store} twice. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        MappedEngine.open(Path.of("store"), PmStoreOptions.defaults()).close();
      }
    }
  }

  private static Set<String> names(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void theDirectoryThatTheJvmWasGivenCounts() throws Exception {
    Path given = Files.createDirectory(temp.resolve("given"));
    Path current = Files.createDirectory(temp.resolve("current"));
    Path other = current.resolve("store");
    MappedEngine.open(other, PmStoreOptions.defaults()).close();
    byte[] heap = Files.readAllBytes(other.resolve("heap"));
    new ChildJvm(Program.class)
        .withOptions("-Duser.dir=" + given)
        .within("cd '" + current + "'; exec \"$@\"")
        .run();
    assertEquals(names(other), names(given.resolve("store")));
    assertFalse(names(other).contains("heap.new"));
    assertEquals(-1, Arrays.mismatch(heap, Files.readAllBytes(other.resolve("heap"))));
  }
}
