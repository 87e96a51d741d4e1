package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes files that have all their room from the start: writing to them cannot find none. */
public final class AllocatedFile {
  private AllocatedFile() {}

  /**
   * Makes a file of zeros, durably but for its name. When that fails, there is none.
   *
   * @param path of the file; one that is there is replaced
   * @param size of the file in bytes
   * @throws MediumException if it cannot be made, for want of room for instance
   * @throws IOException if an older file cannot be deleted
   */
  public static void make(Path path, long size) throws IOException {
    Files.deleteIfExists(path);
    boolean made = false;
    try (PosixFile file = PosixFile.create(path)) {
      if (!file.reserve(0, size)) {
        file.zero(0, size);
      }
      file.sync();
      made = true;
    } finally {
      if (!made) {
        Files.deleteIfExists(path);
      }
    }
  }
}
