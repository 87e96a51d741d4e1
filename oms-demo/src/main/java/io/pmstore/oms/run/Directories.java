package io.pmstore.oms.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

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
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.toList().reversed()) { // what is in a directory before the directory
        Files.delete(each);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
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
