package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFormatException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the platform for engines that use files. */
public final class StorePlatform {
  private StorePlatform() {}

  /**
   * Throws if no store can be in a directory on this system.
   *
   * @param directory of the store; need not exist
   * @throws PmStoreException if this is not Linux, or the directory is not in the default file
   *     system
   */
  public static void require(Path directory) {
    String system = System.getProperty("os.name");
    if (!system.equals("Linux")) {
      throw new PmStoreException(
          "pmstore's engines run on Linux, and this is "
              + system
              + "; run the program on Linux, in a container or a virtual machine, say");
    }
    if (!directory.getFileSystem().equals(FileSystems.getDefault())) {
      throw new PmStoreException(
          "%s is not in the default file system but in %s; a store needs real files"
              .formatted(directory, directory.getFileSystem()));
    }
  }

  /**
   * Refuses a path to something else than a directory.
   *
   * @param path which exists
   */
  public static void requireDirectory(Path path) {
    if (!Files.isDirectory(path)) {
      throw new StoreFormatException(
          "%s is not a directory; a store is one: choose another path".formatted(path));
    }
  }
}
