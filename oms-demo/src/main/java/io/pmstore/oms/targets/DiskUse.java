package io.pmstore.oms.targets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    try {
      List<Path> logs = new ArrayList<>();
      Files.walkFileTree(directory, new LogFinder(directory, redoLogNames, logs));
      long logBytes = 0;
      for (Path log : logs) {
        logBytes += allocated(log);
      }
      return new DiskUse(allocated(directory), logs.isEmpty() ? 0 : logBytes);
    } catch (IOException e) {
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

  private static final class LogFinder extends SimpleFileVisitor<Path> {
    private final Path top;
    private final String[] names;
    private final List<Path> found;

    LogFinder(Path top, String[] names, List<Path> found) {
      this.top = top;
      this.names = names;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (!directory.equals(top) && isLog(directory)) {
        found.add(directory);
        return FileVisitResult.SKIP_SUBTREE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (isLog(file)) {
        found.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    private boolean isLog(Path path) {
      String name = path.getFileName().toString().toLowerCase(Locale.ROOT);
      for (String part : names) {
        if (name.contains(part)) {
          return true;
        }
      }
      return false;
    }
  }
}
