package io.pmstore.oms.targets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The space that a store takes on the disk.
 *
 * @param bytes everything: the blocks the file system allocated, whatever is in them
 * @param redoLogBytes the part of it that is a redo or write-ahead log; -1 when that cannot be told
 */
public record DiskUse(long bytes, long redoLogBytes) {

  /**
   * Measures a directory with {@code du}, which counts allocated blocks, so that holes in files
   * count nothing.
   *
   * @param redoLogNames what the name of each file or directory of the log contains, in lower case
   */
  public static DiskUse of(Path directory, String... redoLogNames) {
    List<String> names = List.of(redoLogNames);
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> logs =
          all.skip(1) // the directory itself
              .filter(path -> isOutermostLog(directory.relativize(path), names))
              .toList();
      long logBytes = 0;
      for (Path log : logs) {
        logBytes += allocated(log);
      }
      return new DiskUse(allocated(directory), logBytes);
    } catch (IOException | UncheckedIOException e) {
      throw new TargetException("cannot measure " + directory, e);
    }
  }

  private static long allocated(Path path) throws IOException {
    Process du =
        new ProcessBuilder("du", "-s", "-B1", "--", path.toString())
            .redirectErrorStream(true)
            .start();
    try (var out = du.getInputStream()) {
      String answer = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      String[] columns = answer.split("\\s+", 2);
      if (du.waitFor() != 0 || !columns[0].chars().allMatch(Character::isDigit)) {
        throw new IOException("du said '" + answer + "'; expected a number of bytes");
      }
      return Long.parseLong(columns[0]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while du measured " + path, e);
    }
  }

  /** Returns true for a file or directory of the log that is in no other directory of the log. */
  private static boolean isOutermostLog(Path below, List<String> names) {
    return isLog(below.getFileName(), names)
        && IntStream.range(0, below.getNameCount() - 1)
            .noneMatch(i -> isLog(below.getName(i), names));
  }

  private static boolean isLog(Path name, List<String> names) {
    String lower = name.toString().toLowerCase(Locale.ROOT);
    return names.stream().anyMatch(lower::contains);
  }
}
