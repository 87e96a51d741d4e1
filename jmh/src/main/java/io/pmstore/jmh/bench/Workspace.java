package io.pmstore.jmh.bench;

import io.pmstore.oms.run.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** The directories that steps work in: a new one on each medium, removed at the end. */
public final class Workspace implements AutoCloseable {
  /** The servers of databases may have to run as another user than the driver. */
  private static final FileAttribute<?> ENTERED_BY_ALL =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

  private final Path file;
  private final Path pmem;

  private Workspace(Path file, Path pmem) {
    this.file = file;
    this.pmem = pmem;
  }

  /**
   * Makes the directories.
   *
   * @param fileParent a directory for ordinary files
   * @param pmemParent a directory that is, or is to be treated as, persistent memory
   * @throws IOException if one cannot be made; then there is none of them
   */
  public static Workspace create(Path fileParent, Path pmemParent) throws IOException {
    Path file = directory(fileParent);
    try {
      return new Workspace(file, directory(pmemParent));
    } catch (IOException e) {
      Directories.delete(file);
      throw e;
    }
  }

  /** Makes a new directory that everybody can enter. */
  static Path directory(Path parent) throws IOException {
    return Files.createTempDirectory(parent, "pmstore-bench-", ENTERED_BY_ALL);
  }

  /** Where ordinary files are. */
  public Path file() {
    return file;
  }

  /** Where persistent memory is. */
  public Path pmem() {
    return pmem;
  }

  /**
   * Deletes what a step has left, as one does that was killed.
   *
   * @throws IOException if something cannot be deleted
   */
  public void clear() throws IOException {
    for (Path base : List.of(file, pmem)) {
      List<Path> left;
      try (Stream<Path> entries = Files.list(base)) {
        left = entries.toList();
      }
      for (Path entry : left) {
        Directories.delete(entry);
      }
    }
  }

  @Override
  public void close() throws IOException {
    Directories.delete(file);
    Directories.delete(pmem);
  }
}
