package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates files that are fully allocated, so that no later write finds the disk full. */
public final class AllocatedFile {
  private AllocatedFile() {}

  /**
   * Creates a file of zeros. Its contents are durable, its name is not. If this fails, no file
   * exists.
   *
   * @param path of the file; an existing one is replaced
   * @param size of the file in bytes
   * @throws MediumException if it cannot be created, for instance because the disk is full
   * @throws IOException if an existing file cannot be deleted
   */
  public static void make(Path path, long size, AccessRights rights) throws IOException {
    Files.deleteIfExists(path);
    try (PosixFile file = PosixFile.create(path, rights)) {
      if (!file.reserve(0, size)) {
        file.zero(0, size);
      }
      file.sync();
    } catch (Throwable e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }
}
