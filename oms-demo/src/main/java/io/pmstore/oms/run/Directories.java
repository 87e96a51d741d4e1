package io.pmstore.oms.run;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directories that runs make and remove. */
public final class Directories {
  private Directories() {}

  /**
   * Removes a directory with everything in it. One that is not there is fine; links are removed and
   * not followed.
   *
   * @throws IOException if something cannot be removed
   */
  public static void delete(Path directory) throws IOException {
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.delete(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      if (Files.exists(directory)) {
        throw e;
      }
    }
  }

  /** Returns true if a new store can be created in a directory. */
  public static boolean isFree(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }
}
